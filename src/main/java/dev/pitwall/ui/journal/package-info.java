/** The Journal page: every run of the site, what it changed, and what undo would do now. */
package dev.pitwall.ui.journal;
