package dev.pitwall.ui.garage;

import dev.pitwall.card.Floor;

/** Where the keyboard is on the wall. */
record Cursor(String cardId, Floor floor) {
}
