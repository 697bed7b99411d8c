package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.Wish;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A line of the shelf. */
sealed interface ShelfLine {

    /** @param unit heads the figures, may be empty */
    record Head(String title, String unit) implements ShelfLine {
    }

    /** A model that could be loaded. */
    record OnDisk(ModelName name, Fill fill, String size, String more, String spoken) implements ShelfLine {
    }

    /** A model on a card. @param place node and card, short */
    record OnCard(PlacementId id, String place, String spoken) implements ShelfLine {
    }

    /** A load that waits. */
    record Waiting(ModelName name, String why) implements ShelfLine {
    }

    /** Files on their way, or cut. @param button its word; @param wish what it asks for */
    record Pull(ModelName name, String where, String word, OptionalDouble share, String button, Wish wish) implements ShelfLine {
    }

    /** Nothing matches the filter, or there is nothing. */
    record Nothing(String sentence) implements ShelfLine {
    }

    /** What can be lifted from here. */
    default Optional<Carry> carry() {
        return switch (this) {
            case OnDisk d -> Optional.of(new Carry.OfShelf(d.name()));
            case OnCard c -> Optional.of(new Carry.OfCards(List.of(c.id())));
            case Head _, Waiting _, Pull _, Nothing _ -> Optional.empty();
        };
    }

    /** Tells lines apart, whatever they say now. */
    default Object key() {
        return switch (this) {
            case Head h -> h.title();
            case OnDisk d -> d.name();
            case OnCard c -> c.id();
            case Waiting w -> List.of("waits", w.name());
            case Pull p -> List.of("pull", p.name(), p.where());
            case Nothing _ -> "";
        };
    }
}
