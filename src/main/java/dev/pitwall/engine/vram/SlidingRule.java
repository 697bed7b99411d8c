package dev.pitwall.engine.vram;

import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.Objects;

/**
 * Which layers see a window only.
 *
 * @param window tokens where the key is absent; 0 = there is no default
 * @param fixed  the key's value does not count, {@code window} does
 * @param period one layer of so many sees everything; 0 = none does
 * @param layers the rule holds for models of that many layers only; 0 = for all
 * @param beyond next-token layers follow the pattern too
 */
record SlidingRule(When when, long window, boolean fixed, int period, First first, Pattern pattern, int layers,
                   boolean beyond) {

    enum When {
        @JsonProperty("with-key") WITH_KEY, @JsonProperty("always") ALWAYS, @JsonProperty("unless-zero") UNLESS_ZERO
    }

    /** What opens each period. */
    enum First { @JsonProperty("sliding") SLIDING, @JsonProperty("full") FULL }

    /** In which form sliding_window_pattern is read; in another form it is passed over (llama-model-loader.cpp). */
    enum Pattern { @JsonProperty("number") NUMBER, @JsonProperty("array") ARRAY, @JsonProperty("either") EITHER }

    SlidingRule {
        when = Objects.requireNonNullElse(when, When.WITH_KEY);
        first = Objects.requireNonNullElse(first, First.SLIDING);
        pattern = Objects.requireNonNullElse(pattern, Pattern.NUMBER);
    }

    /** True if a layer slides by the period alone. */
    boolean slides(int layer, long every) {
        if (every == 0) {
            return true;
        }
        return first == First.FULL ? layer % every != 0 : layer % every < every - 1;
    }
}
