package dev.pitwall.link.models;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.engine.live.ServerDriver.Progress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * The messages of a pull, summed over its layers. A total is known only layer by layer, {@code completed} is left out at
 * 0 and may fall when a part is fetched again, and errors come inside a stream that began well (facts: models.md 5.2).
 */
final class PullProgress {
    private final Consumer<Progress> told;
    private final Map<String, Layer> layers = new LinkedHashMap<>();
    private Optional<String> error = Optional.empty();
    private String stage = "";

    private record Layer(long done, long total) {
    }

    PullProgress(Consumer<Progress> told) {
        this.told = told;
    }

    void add(JsonNode message) {
        if (message.path("error").isTextual()) {
            error = Optional.of(message.path("error").asText());
            return;
        }
        stage = message.path("status").asText(stage);
        if (message.path("digest").isTextual() && message.path("total").isNumber()) {
            layers.put(message.path("digest").asText(),
                    new Layer(message.path("completed").asLong(0), message.path("total").asLong()));
        }
        long total = layers.values().stream().mapToLong(Layer::total).sum();
        long done = layers.values().stream().mapToLong(Layer::done).sum();
        told.accept(new Progress(stage, total > 0 ? OptionalDouble.of(Math.clamp((double) done / total, 0, 1))
                : OptionalDouble.empty(), done, total));
    }

    Optional<String> error() {
        return error;
    }

    /** True if the last message said that everything is there. */
    boolean complete() {
        return stage.equals("success");
    }
}
