/** The lab's data as files of the jar, below {@code lab/}. */
package dev.pitwall.lab.data;
