package dev.pitwall.card;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a floor's own sources say, before the floors below are considered.
 *
 * @param verdict what it comes to
 * @param basis   the source it stands on; if that source fails now, the finding is old news
 */
record Finding(Verdict verdict, String summary, Optional<String> trap, List<Reading> readings,
               Optional<FloorStatus.Progress> progress, Optional<Observed<?>> basis) {

    Finding {
        readings = List.copyOf(readings);
    }

    /** What a floor's own sources can come to. */
    sealed interface Verdict {
    }

    /** A state of its own. */
    record Own(FloorState state) implements Verdict {
    }

    /** Nothing of its own to say yet: it cannot begin before that floor. */
    record WaitsFor(Floor floor) implements Verdict {
    }

    static Finding ok(String summary) {
        return own(FloorState.OK, summary);
    }

    static Finding failing(String trap, String summary) {
        return own(FloorState.FAILING, summary).trapped(trap);
    }

    static Finding own(FloorState state, String summary) {
        return new Finding(new Own(state), summary, Optional.empty(), List.of(), Optional.empty(), Optional.empty());
    }

    static Finding waitsFor(Floor floor) {
        return new Finding(new WaitsFor(floor), "", Optional.empty(), List.of(), Optional.empty(), Optional.empty());
    }

    Finding saying(String words) {
        return new Finding(verdict, words, trap, readings, progress, basis);
    }

    Finding trapped(String name) {
        return new Finding(verdict, summary, Optional.of(name), readings, progress, basis);
    }

    Finding on(Observed<?> source) {
        return new Finding(verdict, summary, trap, readings, progress, Optional.of(source));
    }

    Finding with(Reading... more) {
        return with(List.of(more));
    }

    Finding with(List<Reading> more) {
        List<Reading> all = new ArrayList<>(readings);
        all.addAll(more);
        return new Finding(verdict, summary, trap, all, progress, basis);
    }

    Finding lasting(FloorStatus.Progress time) {
        return new Finding(verdict, summary, trap, readings, Optional.of(time), basis);
    }
}
