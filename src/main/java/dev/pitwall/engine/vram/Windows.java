package dev.pitwall.engine.vram;

import java.util.List;
import java.util.Optional;

/** Which layers look back a window only, and how far. */
final class Windows {
    private static final String PATTERN = "attention.sliding_window_pattern";

    private final Optional<SlidingRule> rule;
    private final long tokens;
    private final long every;
    private final List<Double> listed;
    private final int covered;

    /** @param trunk layers without those for next tokens */
    Windows(Metadata keys, Optional<SlidingRule> stated, int layers, int trunk, PerLayer.Guess guess, Remarks remarks) {
        this.rule = stated.filter(r -> r.layers() == 0 || r.layers() == trunk).filter(r -> applies(keys, r, remarks));
        this.tokens = rule.map(r -> r.fixed() ? r.window() : keys.own("attention.sliding_window", r.window())).orElse(0L);
        this.listed = rule.map(r -> listed(keys, r)).orElse(List.of());
        this.every = rule.map(r -> every(keys, r, guess, remarks)).orElse(0L);
        this.covered = rule.map(r -> r.beyond() ? layers : trunk).orElse(0);
    }

    private static boolean applies(Metadata keys, SlidingRule rule, Remarks remarks) {
        long stated = keys.own("attention.sliding_window", -1);
        if (keys.hidden("attention.sliding_window")) {
            remarks.add("attention.sliding_window is hidden in this answer; counted as if no layer had a window");
        }
        if (rule.when() == SlidingRule.When.ALWAYS && stated <= 0 && rule.window() == 0) {
            remarks.add("this architecture has layers with a window, but how long it is is not told (attention.sliding_window); counted as if "
                    + "every layer kept the whole context, which is the most it can be");
        }
        return switch (rule.when()) {
            case WITH_KEY -> stated > 0;
            case UNLESS_ZERO -> stated != 0;
            case ALWAYS -> stated > 0 || rule.window() > 0;
        };
    }

    private static List<Double> listed(Metadata keys, SlidingRule rule) {
        return switch (keys.ownValue(PATTERN).orElse(null)) {
            case Metadata.Numbers(List<Double> flags) when rule.pattern() != SlidingRule.Pattern.NUMBER -> flags;
            case null, default -> List.of();
        };
    }

    private long every(Metadata keys, SlidingRule rule, PerLayer.Guess guess, Remarks remarks) {
        boolean number = keys.ownValue(PATTERN).filter(Metadata.Number.class::isInstance).isPresent();
        if (number && rule.pattern() == SlidingRule.Pattern.ARRAY) {
            // One number for an array fills it: every layer slides, or none.
            return keys.own(PATTERN, 0) == 0 ? 1 : 0;
        }
        boolean array = rule.pattern() == SlidingRule.Pattern.ARRAY || keys.hidden(PATTERN);
        if (rule.pattern() != SlidingRule.Pattern.NUMBER && array && listed.isEmpty() && rule.period() > 0) {
            remarks.add("which layers have a window is not in this answer (" + PATTERN + "); counted as every "
                    + rule.period() + "th layer without one, as in published models. Ask with \"verbose\": true");
            return guessed(rule.period(), guess);
        }
        return number ? keys.own(PATTERN, rule.period()) : rule.period();
    }

    /** Published models of one architecture differ by a layer or two in their period (Gemma 4: 5 and 6). */
    private static long guessed(long period, PerLayer.Guess guess) {
        return switch (guess) {
            case LEAST -> period + 2;
            case TYPICAL -> period;
            case MOST -> Math.max(2, period - 2);
        };
    }

    /** 0 if no layer has a window. */
    long tokens() {
        return tokens;
    }

    Layer.Reach reach(int layer) {
        if (rule.isEmpty() || layer >= covered) {
            return Layer.Reach.ALL;
        }
        boolean slides = listed.isEmpty() ? rule.get().slides(layer, every) : layer < listed.size() && listed.get(layer) != 0;
        return slides ? Layer.Reach.WINDOW : Layer.Reach.ALL;
    }
}
