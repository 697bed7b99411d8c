package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.ModelAsk;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Asks a model, and sees where it was loaded. */
final class ModelAskMaking implements Making {
    /** Its answer is short, and what it says does not matter. */
    private static final String PROMPT = "Say hello in one short sentence.";
    private static final int MOST_SHOWN = 120;

    private final ModelAsk ask;
    private final ModelServer server;
    private final Patience patience;

    ModelAskMaking(ModelAsk ask, Cluster cluster, Patience patience) {
        this.ask = ask;
        this.server = new ModelServer(cluster, ask.service(), ask.port());
        this.patience = patience;
    }

    /** What it answered before proves nothing now. */
    @Override
    public Standing standing(Optional<String> mark) {
        return Standing.BEFORE;
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        Instant began = patience.now();
        server.awake(patience, ask.limit());
        JsonNode answer = server.generate(ask.model(), PROMPT);
        Duration took = Duration.between(began, patience.now());
        String said = answer.path("response").asText("").strip();
        if (answer.has("error") || said.isEmpty()) {
            throw Refusal.failed(ask.target(), answer.path("error").asText("it answered nothing"),
                    "Choose another model, or see the log of the server's pod.");
        }
        return "answered in " + Spans.words(took) + ", " + place() + ": " + shown(said);
    }

    /** Both numbers count the same buffers, so they are equal if all of it is on the card (facts: models.md 5.1). */
    private String place() throws TroubleException, InterruptedException {
        Optional<JsonNode> loaded = server.loaded(ask.model());
        long size = loaded.map(m -> m.path("size").asLong()).orElse(0L);
        long card = loaded.map(m -> m.path("size_vram").asLong()).orElse(0L);
        if (loaded.isEmpty() || size == 0) {
            return "and the server does not tell where it was loaded";
        }
        if (card == 0) {
            throw Refusal.failed(ask.target(), "it runs on the processor: nothing of it is on the card",
                    "See the log of the server's pod: it says which card it found.");
        }
        return card >= size ? "all of it on the card"
                : "partly on the processor, " + 100 * card / size + " % of it on the card";
    }

    private static String shown(String said) {
        String line = said.replaceAll("\\s+", " ");
        return line.length() > MOST_SHOWN ? line.substring(0, MOST_SHOWN) + "…" : line;
    }
}
