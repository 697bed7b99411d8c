package dev.pitwall.journey.run;

import dev.pitwall.journey.Answer.Coming;
import dev.pitwall.journey.CardPlan.Planned;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How long what comes by itself is still waited for: each part of it from when it is first seen. */
final class Arrivals {
    private final Patience patience;
    private final Map<String, Instant> ends = new HashMap<>();

    Arrivals(Patience patience) {
        this.patience = patience;
    }

    /** True while something of what the steps wait for may still come in its normal time. */
    boolean await(List<Planned> waiting) {
        return waiting.stream().anyMatch(step -> step.answer().coming().filter(c -> !patience.past(end(step, c)))
                .isPresent());
    }

    private Instant end(Planned step, Coming coming) {
        return ends.computeIfAbsent(step.id() + " " + coming.what(), part -> patience.in(coming.normal()));
    }
}
