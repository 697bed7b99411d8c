package dev.pitwall.ui.shell;

import dev.pitwall.card.Floor;

/** What a page is asked to show: one floor of one card. */
public record Subject(String cardId, Floor floor) {
}
