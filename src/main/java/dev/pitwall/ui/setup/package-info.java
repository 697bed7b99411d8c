/** The Setup page: one card, all its steps, and each step's readings, changes, run and undo. */
package dev.pitwall.ui.setup;
