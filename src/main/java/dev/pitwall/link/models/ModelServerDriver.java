package dev.pitwall.link.models;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.ServerDriver;
import dev.pitwall.link.http.HttpAnswer;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.http.Limits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One model server, whichever it is: Ollama answers {@code /api/version}, llama-server {@code /props}, and a router says
 * there that it is one. It is found out at the first call, and again after a read that failed: another program may
 * listen there since.
 */
public final class ModelServerDriver implements ServerDriver {
    private final ServerCalls calls;
    private final InstantSource clock;
    private volatile Optional<Tongue> tongue = Optional.empty();

    /** @param reading time limits of a short question: a poll can stall while a model loads (facts: models.md 5.1) */
    public ModelServerDriver(ServerWay way, Limits reading, InstantSource clock) {
        this.calls = new ServerCalls(way, reading);
        this.clock = clock;
    }

    @Override
    public State read() throws TroubleException, InterruptedException {
        try {
            return tongue().read();
        } catch (TroubleException missed) {
            tongue = Optional.empty();
            throw missed;
        }
    }

    @Override
    public Optional<String> show(ModelName model) throws TroubleException, InterruptedException {
        return tongue().show(model);
    }

    @Override
    public void load(ModelName model, Stay stay, Consumer<Progress> progress)
            throws TroubleException, InterruptedException {
        tongue().load(model, stay, progress);
    }

    @Override
    public void unload(ModelName model, Duration limit) throws TroubleException, InterruptedException {
        tongue().unload(model, limit);
    }

    @Override
    public Pace measure(ModelName model, Where where) throws TroubleException, InterruptedException {
        return tongue().measure(model, where);
    }

    @Override
    public void pull(ModelName model, Consumer<Progress> progress) throws TroubleException, InterruptedException {
        tongue().pull(model, progress);
    }

    private Tongue tongue() throws TroubleException, InterruptedException {
        Optional<Tongue> known = tongue;
        if (known.isEmpty()) {
            known = Optional.of(found());
            tongue = known;
        }
        return known.get();
    }

    private Tongue found() throws TroubleException, InterruptedException {
        try (HttpReader http = calls.reading()) {
            HttpAnswer version = http.get("api/version");
            if (version.ok() && !version.page() && http.json(version).path("version").isTextual()) {
                return new OllamaTongue(calls);
            }
            HttpAnswer answer = http.get("props");
            if (answer.status() == ServerCalls.BUSY) {
                throw calls.failure(http, Kind.REMOTE, "models.loading");
            }
            if (answer.page() || answer.redirect() || answer.status() == ServerCalls.UNKNOWN) {
                throw calls.failure(http, Kind.PROTOCOL, "models.foreign", "said",
                        (version.status() + " " + version.reason()).strip());
            }
            JsonNode props = http.json(calls.good(http, answer, "props"));
            if (!props.has("role") && !props.has("default_generation_settings") && !props.has("build_info")) {
                throw calls.failure(http, Kind.PROTOCOL, "models.foreign", "said", "other JSON");
            }
            return props.path("role").asText().equals("router") ? new RouterTongue(calls, clock)
                    : new OneModelTongue(calls, clock);
        }
    }

    @Override
    public void close() {
        calls.close();
    }
}
