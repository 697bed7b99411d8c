package dev.pitwall.link.models;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * How many tokens a second the slots of one llama-server process make: what they have decoded more between two looks.
 * A slot says how many tokens its task has so far ({@code next_token.n_decoded}, an array with one entry in later builds)
 * and which task it is. What a task makes after the last look at it is not seen, so the figure is rather too low.
 */
final class SlotPace {
    private static final double MILLIS = 1000;

    private record Seen(long task, long decoded) {
    }

    private Map<Integer, Seen> before = Map.of();
    private Optional<Instant> lookedAt = Optional.empty();

    /**
     * What a look shows.
     *
     * @param requests slots at work; empty if the server shows no slots
     * @param tokensPerSecond 0 if none is at work; empty at a first look, and where a slot does not tell
     */
    record Look(OptionalInt requests, OptionalDouble tokensPerSecond) {
        static final Look NOTHING = new Look(OptionalInt.empty(), OptionalDouble.empty());
    }

    Look look(JsonNode slots, Instant now) {
        if (!slots.isArray()) {
            before = Map.of();
            return Look.NOTHING;
        }
        Map<Integer, Seen> seenNow = new HashMap<>();
        boolean told = true;
        long made = 0;
        int working = 0;
        for (JsonNode slot : slots) {
            if (!slot.path("is_processing").asBoolean()) {
                continue;
            }
            working++;
            JsonNode next = slot.path("next_token").isArray() ? slot.path("next_token").path(0) : slot.path("next_token");
            told &= next.path("n_decoded").canConvertToLong();
            Seen seen = new Seen(slot.path("id_task").asLong(), next.path("n_decoded").asLong());
            seenNow.put(slot.path("id").asInt(), seen);
            Seen earlier = before.get(slot.path("id").asInt());
            boolean same = earlier != null && earlier.task() == seen.task();
            made += Math.max(0, seen.decoded() - (same ? earlier.decoded() : 0));
        }
        double seconds = lookedAt.map(at -> Duration.between(at, now).toMillis() / MILLIS).orElse(0.0);
        before = seenNow;
        lookedAt = Optional.of(now);
        return new Look(OptionalInt.of(working), working == 0 ? OptionalDouble.of(0)
                : seconds <= 0 || !told ? OptionalDouble.empty() : OptionalDouble.of(made / seconds));
    }
}
