/** The proof of a card: what its last test shows, the roll call of all cards, and the report of both. */
package dev.pitwall.ui.proof;
