package dev.pitwall.engine.vram;

/** What can be taken of an architecture that this version does not know: what its keys say. */
final class UnknownArchitecture {
    /** Of Qwen 3, in the middle of today's models. */
    static final long VOCABULARY = 151_936;
    /** Of Gemma 3, the largest in use. */
    static final long LARGE_VOCABULARY = 262_208;

    private static final int USUAL_INTERVAL = 4;

    private UnknownArchitecture() {
    }

    static ArchitectureRule rule(Metadata keys, Remarks remarks) {
        remarks.add(keys.architecture().isEmpty() ? "the answer names no architecture: the ordinary rules were taken, the margin is wide"
                : "this version does not know the architecture " + keys.architecture() + ": its keys were read by the ordinary rules, "
                + "the margin is wide");
        ArchitectureRule rule = ArchitectureRule.ORDINARY;
        if (keys.has("attention.sliding_window_pattern")) {
            rule = rule.with(new SlidingRule(SlidingRule.When.WITH_KEY, 0, false, 0, SlidingRule.First.SLIDING,
                    SlidingRule.Pattern.EITHER, 0, false));
        } else if (keys.own("attention.sliding_window", 0) > 0) {
            remarks.add("it names a window of " + keys.own("attention.sliding_window", 0)
                    + " tokens but not which layers have one: counted as none");
        }
        if (keys.has("full_attention_interval") || keys.has("attention.recurrent_layers")) {
            return rule.with(ArchitectureRule.Recurrent.INTERVAL, USUAL_INTERVAL);
        }
        boolean states = keys.hasAny("ssm.") || keys.hasAny("wkv.") || keys.hasAny("shortconv.") || keys.hasAny("kda.");
        if (!states) {
            return rule;
        }
        return rule.with(keys.own("attention.head_count", 0) == 0 ? ArchitectureRule.Recurrent.ALL
                : ArchitectureRule.Recurrent.WITHOUT_KV_HEADS, 0);
    }
}
