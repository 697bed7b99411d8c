package dev.pitwall.ui.garage;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.ui.icon.Mark;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One tower, as it is drawn. Two that are equal look the same, so a tower that shows the first need not be touched for
 * the second.
 *
 * @param state  of the lowest floor that is not ok
 * @param word   the one state that matters, for example {@code Compiling driver}
 * @param size   for example {@code 8 GB}; empty if nobody knows
 * @param place  host, address and node
 * @param floors from firmware up
 */
record TowerLine(Card card, FloorState state, Mark mark, OptionalDouble progress, String word, String size,
                 String place, List<FloorLine> floors) {

    TowerLine {
        floors = List.copyOf(floors);
    }

    String id() {
        return card.id();
    }

    FloorLine floor(Floor floor) {
        return floors.get(floor.ordinal());
    }

    /** The tower in plain text, firmware at the bottom, for the clipboard. */
    String asText() {
        StringBuilder text = new StringBuilder(card.name());
        text.append(size.isEmpty() ? "" : " " + size).append(": ").append(word).append('\n').append(place).append('\n');
        floors.reversed().forEach(f -> text.append("  %-13s%-15s%s%n".formatted(f.name(), f.state().wireName(), f.text())));
        return text.toString();
    }
}
