package dev.pitwall.lab.models;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.world.LabModelServer.Installed;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The options of a request that the runner has to have been started with. What is absent differs from 0; a negative
 * {@code num_gpu} and the automatic context count as absent (facts: models.md 5.2, the placement trap).
 *
 * @param values as texts, by name
 */
record RunnerOptions(Map<String, String> values) {
    static final int USUAL_CONTEXT = 4096;
    static final RunnerOptions NONE = new RunnerOptions(Map.of());
    private static final List<String> MATCHED = List.of("main_gpu", "num_ctx", "num_batch", "num_gpu", "use_mmap",
            "num_thread", "draft_num_predict");

    RunnerOptions {
        values = Map.copyOf(values);
    }

    /** @param tag what the model's own parameters say; the request's count more */
    static RunnerOptions of(JsonNode options, Map<String, String> tag) {
        Map<String, String> values = new TreeMap<>();
        MATCHED.forEach(name -> {
            if (tag.containsKey(name)) {
                values.put(name, tag.get(name));
            }
            if (options.hasNonNull(name)) {
                values.put(name, options.get(name).asText());
            }
        });
        values.computeIfPresent("num_gpu", (k, value) -> value.startsWith("-") ? null : value);
        values.remove("num_ctx", String.valueOf(USUAL_CONTEXT));
        return new RunnerOptions(values);
    }

    /** Tokens of context, at most what the model was trained for. */
    int context(Installed model) {
        int wanted = values.containsKey("num_ctx") ? (int) Double.parseDouble(values.get("num_ctx")) : USUAL_CONTEXT;
        return Math.min(wanted, model.contextTokens());
    }

    /** The model with the memory it takes at this context: keys and values of every layer for each token. */
    Installed sized(Installed model, ModelLibrary library) {
        long cell = library.byDigest(model.digest()).map(ModelLibrary.Entry::cacheBytesPerToken).orElse(0L);
        long extra = cell * (context(model) - (long) Math.min(USUAL_CONTEXT, model.contextTokens()));
        return extra == 0 ? model : model.taking(Math.max(model.diskBytes(), model.vramBytes() + extra));
    }

    /** {@code num_gpu} is a number of layers, the output layer included; 0 means the processor alone. */
    double cardShare(Installed model, ModelLibrary library) {
        if (!values.containsKey("num_gpu")) {
            return 1;
        }
        int layers = library.byDigest(model.digest()).map(ModelLibrary.Entry::layers).orElse(0) + 1;
        return Math.clamp(Double.parseDouble(values.get("num_gpu")) / Math.max(1, layers), 0, 1);
    }
}
