/**
 * The lab's state, which every server answers from.
 */
package dev.pitwall.lab.world;
