package dev.pitwall.engine.vram;

/** Says how a model's context memory is made up. */
final class PlanNotes {
    private final Metadata keys;
    private final ArchitectureRule rule;
    private final Use use;

    PlanNotes(Metadata keys, ArchitectureRule rule, Use use) {
        this.keys = keys;
        this.rule = rule;
        this.use = use;
    }

    void add(LayerPlan plan, Remarks remarks) {
        switch (rule.cache()) {
            case NONE -> remarks.add("an encoder: it keeps no keys and values (llama.cpp since May 2025)");
            case BORROWED -> remarks.add("a draft model: it uses the cache of its main model");
            case COMPRESSED -> remarks.add("keys of a window in every layer, compressed keys beside them");
            case ATTENTION -> attention(plan, remarks);
        }
        if (use.cache().quantised() && plan.attending() > 0) {
            quantised(plan, remarks);
        }
    }

    private void attention(LayerPlan plan, Remarks remarks) {
        long all = plan.attending() - plan.sliding();
        if (plan.sliding() > 0) {
            remarks.add(plan.sliding() + " of " + plan.attending() + " layers with a cache see a window of " + plan.window()
                    + " tokens: " + use.windowCells(plan.window()) + " cells instead of " + use.cells()
                    + ". Ollama from 0.30 reports only one of the two caches in size_vram");
        } else if (keys.own("attention.sliding_window", 0) > 0) {
            remarks.add("the file names a window, llama.cpp does not use it for this architecture: every layer keeps the whole context");
        }
        if (plan.recurrent() > 0) {
            remarks.add(plan.recurrent() + " recurrent layers keep a state for each slot, whatever the context; " + plan.attending()
                    + " layers attend");
        }
        if (keys.own("attention.kv_lora_rank", 0) > 0 && keys.own("attention.key_length_mla", 0) == 0 && all > 0) {
            remarks.add("converted before April 2025: without the *_mla keys the keys and values of all heads are kept; a newer file "
                    + "of this model needs a small part of that");
        }
        if (plan.next() > 0 && rule.nextn() == ArchitectureRule.NextToken.CACHED) {
            remarks.add("layers for next tokens (" + plan.next() + ") have a cache though they are not run");
        }
    }

    private void quantised(LayerPlan plan, Remarks remarks) {
        if (plan.layers().stream().anyMatch(l -> l.keys() % use.cache().block() != 0 || l.values() % use.cache().block() != 0)) {
            remarks.add("heads of this size cannot be stored as " + use.cache().wireName() + ": llama.cpp refuses to load it so");
        }
        if (use.attention() == Use.FlashAttention.OFF) {
            remarks.add("without flash attention values cannot be quantised: llama.cpp refuses to load it so");
        }
    }
}
