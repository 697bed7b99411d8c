package dev.pitwall.engine.vram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** Answers of /api/show for tests, read the way the command reads them. */
final class Shown {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final ModelFile FILES = new ModelFile();
    private static final VramEstimator ESTIMATOR = new VramEstimator();

    private final ObjectNode answer = JSON.createObjectNode();
    private final ObjectNode info = answer.putObject("model_info");

    static JsonNode data(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(Shown.class.getResourceAsStream("/engine/" + file), file)) {
            return JSON.readTree(in);
        }
    }

    static Shown of(String architecture) {
        Shown shown = new Shown();
        shown.info.put("general.architecture", architecture);
        return shown;
    }

    /** An entry of architectures.json or a case of measured.json. */
    static Shown of(JsonNode entry) {
        Shown shown = of(entry.path("architecture").asText());
        shown.info.setAll((ObjectNode) entry.path("metadata").deepCopy());
        shown.info.put(entry.path("architecture").asText() + ".vocab_size", entry.path("vocabulary").asLong());
        if (entry.path("parameters").isNumber()) {
            shown.info.put("general.parameter_count", entry.path("parameters").asLong());
        }
        return shown;
    }

    /** A key of the architecture. */
    Shown with(String key, Object value) {
        info.set(info.path("general.architecture").asText() + "." + key, JSON.valueToTree(value));
        return this;
    }

    Shown with(String key, int... values) {
        return with(key, (Object) values);
    }

    /** A key by its full name. */
    Shown key(String key, Object value) {
        info.set(key, JSON.valueToTree(value));
        return this;
    }

    Shown quantised(String level) {
        answer.putObject("details").put("quantization_level", level);
        return this;
    }

    ObjectNode answer() {
        return answer;
    }

    ModelFacts model() throws TroubleException, IOException {
        return FILES.read("test", new ByteArrayInputStream(JSON.writeValueAsBytes(answer)));
    }

    VramEstimate estimate(Use use) throws TroubleException, IOException {
        return ESTIMATOR.estimate(model(), use);
    }

    /** Keys, values and states for one slot as f16. */
    long context(long tokens) throws TroubleException, IOException {
        return estimate(use(tokens, 1)).context().orElseThrow().likely();
    }

    static Use use(long tokens, int slots) {
        return new Use(tokens, slots, Use.Slots.EACH, CacheType.F16, Use.FlashAttention.ON, 512);
    }
}
