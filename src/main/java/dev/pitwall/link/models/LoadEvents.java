package dev.pitwall.link.models;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.ServerDriver.Progress;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to a router's events for how far one load is, on a thread of its own (facts: models.md 5.3). They come sooner than
 * the list is asked for, and name the stages. A router that has no events is followed by its list alone, which also says
 * when a load has ended.
 */
final class LoadEvents implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoadEvents.class);
    private static final String DATA = "data:";
    /** Builds differ in the name, and one may use both. */
    private static final Set<String> NAMES = Set.of("model_status", "status_change");

    private final ServerCalls calls;
    private final ModelName model;
    private final Consumer<Progress> progress;
    private final Thread thread;
    private volatile boolean heard;
    private volatile boolean closed;

    LoadEvents(ServerCalls calls, ModelName model, Consumer<Progress> progress) {
        this.calls = calls;
        this.model = model;
        this.progress = progress;
        this.thread = Thread.ofVirtual().name("events of " + model).start(this::listen);
    }

    /** Whether it has told how far the load is: then older news from elsewhere is not wanted. */
    boolean heard() {
        return heard;
    }

    private void listen() {
        try {
            calls.follow("models/sse", this::line);
        } catch (TroubleException e) {
            LOG.debug("no events of {}: {}", model, e.trouble().sentence());
        } catch (InterruptedException e) {
            LOG.debug("{} is listened to no more", model);
        }
    }

    private void line(String line) {
        if (!line.startsWith(DATA)) {
            return;
        }
        JsonNode event = calls.json(line.substring(DATA.length()));
        JsonNode far = event.path("data").path("progress");
        boolean ours = event.path("model").asText().equals(model.text()) && NAMES.contains(event.path("event").asText());
        if (ours && far.path("value").isNumber() && !closed) {
            heard = true;
            progress.accept(new Progress(far.path("current").asText("loading"), OptionalDouble.of(share(far)), 0, 0));
        }
    }

    /** Each stage goes from 0 to 1; how long each takes is told nowhere, so they count alike. */
    private static double share(JsonNode far) {
        List<String> stages = far.path("stages").valueStream().map(JsonNode::asText).toList();
        int at = Math.max(0, stages.indexOf(far.path("current").asText()));
        return Math.clamp((at + far.path("value").asDouble()) / Math.max(1, stages.size()), 0, 1);
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.interrupt();
        thread.join();
    }
}
