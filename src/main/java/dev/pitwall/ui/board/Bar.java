package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ModelName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A card's memory as one bar: its parts from the left, then what is free, then the reserve at the right end.
 *
 * @param total bytes; 0 where nobody tells
 */
record Bar(long total, List<Part> parts, long reserve) {

    /** Of a card whose memory nobody tells. */
    static final Bar UNKNOWN = new Bar(0, List.of(), 0);

    Bar {
        parts = List.copyOf(parts);
    }

    /** @param model empty for what others use */
    record Part(Fill fill, long bytes, Optional<ModelName> model) {
    }

    /**
     * As it is drawn on the way here from another bar: what stays changes its size, what comes grows and what went shrinks, each
     * in its place.
     *
     * @param share of the way, 0 to 1
     */
    Bar from(Bar before, double share) {
        if (share >= 1 || before.total != total) {
            return this;
        }
        List<Part> drawn = new ArrayList<>(parts.stream().map(p -> new Part(p.fill(), before.part(p.model()).map(b -> between(b.bytes(),
                p.bytes(), share)).orElseGet(() -> between(0, p.bytes(), share)), p.model())).toList());
        int place = 0;
        for (Part gone : before.parts) {
            int there = indexOf(drawn, gone.model());
            if (there < 0) {
                drawn.add(Math.min(place, drawn.size()), new Part(gone.fill(), between(gone.bytes(), 0, share), gone.model()));
                place++;
            } else {
                place = there + 1;
            }
        }
        return new Bar(total, drawn, between(before.reserve, reserve, share));
    }

    private Optional<Part> part(Optional<ModelName> model) {
        return parts.stream().filter(p -> p.model().equals(model)).findFirst();
    }

    private static int indexOf(List<Part> parts, Optional<ModelName> model) {
        return parts.stream().map(Part::model).toList().indexOf(model);
    }

    private static long between(long from, long to, double share) {
        return from + Math.round((to - from) * share);
    }

    /** The same with what would have to go marked. */
    Bar marking(Collection<ModelName> victims) {
        return new Bar(total, parts.stream().map(p -> p.model().filter(victims::contains).isPresent()
                ? new Part(Fill.VICTIM, p.bytes(), p.model()) : p).toList(), reserve);
    }

    /** As it would be: without the victims, with the newcomer after the models that stay. */
    Bar after(Collection<ModelName> victims, ModelName newcomer, long bytes) {
        List<Part> then = new ArrayList<>(parts.stream()
                .filter(p -> p.model().isPresent() && p.model().filter(victims::contains).isEmpty()).toList());
        then.add(new Part(Fill.ESTIMATED, bytes, Optional.of(newcomer)));
        parts.stream().filter(p -> p.model().isEmpty()).forEach(then::add);
        return new Bar(total, then, reserve);
    }
}
