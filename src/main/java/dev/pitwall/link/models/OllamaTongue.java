package dev.pitwall.link.models;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.ServerDriver.Ability;
import dev.pitwall.engine.live.ServerDriver.Installed;
import dev.pitwall.engine.live.ServerDriver.Loaded;
import dev.pitwall.engine.live.ServerDriver.Pace;
import dev.pitwall.engine.live.ServerDriver.Phase;
import dev.pitwall.engine.live.ServerDriver.Progress;
import dev.pitwall.engine.live.ServerDriver.State;
import dev.pitwall.engine.live.ServerDriver.Stay;
import dev.pitwall.engine.live.ServerDriver.Where;
import dev.pitwall.link.http.HttpAnswer;
import dev.pitwall.read.OllamaAnswer;
import dev.pitwall.read.OllamaReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Ollama (facts: models.md 5.1, 5.2). No load carries options: the next client, which does not send them, would make
 * Ollama load the model anew.
 */
final class OllamaTongue implements Tongue {
    private static final Duration PACE = Duration.ofMillis(250);
    /** As a number: the text "-1" lacks a unit and is refused. */
    private static final int FOR_EVER = -1;
    private static final String DEFAULT_STAY = "5m";
    private static final String NO_GENERATE = "does not support generate";

    private static final double NANOS = 1e9;

    private final ServerCalls calls;
    private final OllamaReader reader = new OllamaReader();

    OllamaTongue(ServerCalls calls) {
        this.calls = calls;
    }

    @Override
    public State read() throws TroubleException, InterruptedException {
        String version = calls.get("api/version").path("version").asText();
        List<Loaded> loaded = running().stream().map(OllamaTongue::loaded).toList();
        List<Installed> installed = reader.read(calls.get("api/tags")).models().stream()
                // An entry of the cloud takes no memory here and cannot be placed.
                .filter(m -> m.remoteHost().isEmpty()).map(OllamaTongue::installed).toList();
        return new State("Ollama", Optional.of(version).filter(v -> !v.isEmpty()), loaded, installed,
                Set.of(Ability.LOAD, Ability.PULL, Ability.MEASURE, Ability.MEASURE_PROCESSOR), OptionalInt.empty());
    }

    private List<OllamaAnswer.Model> running() throws TroubleException, InterruptedException {
        return reader.read(calls.get("api/ps")).models();
    }

    private static Loaded loaded(OllamaAnswer.Model model) {
        return new Loaded(new ModelName(model.name().orElse("")), model.digest(), Phase.LOADED, model.sizeBytes(),
                model.vramBytes(), model.expiresAt(), model.contextTokens(), OptionalDouble.empty(), OptionalInt.empty(),
                OptionalDouble.empty());
    }

    private static Installed installed(OllamaAnswer.Model model) {
        return new Installed(new ModelName(model.name().orElse("")), model.digest(), model.sizeBytes(),
                model.quantization());
    }

    /** With every array: those of one value a layer decide the memory of some architectures. */
    @Override
    public Optional<String> show(ModelName model) throws TroubleException, InterruptedException {
        HttpAnswer answer = calls.ask("api/show", calls.body(model).put("verbose", true));
        calls.good(answer, model);
        return Optional.of(answer.body());
    }

    @Override
    public void load(ModelName model, Stay stay, Consumer<Progress> progress)
            throws TroubleException, InterruptedException {
        HttpAnswer answer = calls.askLong("api/generate", staying(model, stay));
        if (answer.status() == ServerCalls.BAD && calls.said(answer).contains(NO_GENERATE)) {
            ObjectNode embed = staying(model, stay);
            embed.putArray("input");
            answer = calls.askLong("api/embed", embed);
        }
        calls.good(answer, model);
        JsonNode said = calls.json(answer.body());
        if (said.path("error").isTextual()) {
            throw calls.failure(Kind.REMOTE, "models.said", "said", ServerCalls.cut(said.path("error").asText()));
        }
    }

    private ObjectNode staying(ModelName model, Stay stay) {
        ObjectNode body = calls.body(model).put("stream", false);
        return switch (stay) {
            case USUAL -> body;
            case ALWAYS -> body.put("keep_alive", FOR_EVER);
            case NO_LONGER -> body.put("keep_alive", DEFAULT_STAY);
        };
    }

    /** The answer of 200 proves nothing: it comes also if nothing was loaded, and before a request in progress is done. */
    @Override
    public void unload(ModelName model, Duration limit) throws TroubleException, InterruptedException {
        HttpAnswer answer = calls.ask("api/generate", calls.body(model).put("stream", false).put("keep_alive", 0));
        calls.good(answer, model);
        boolean gone = ServerCalls.await(() -> running().stream().noneMatch(m -> m.name().filter(model.text()::equals)
                .isPresent()), PACE, limit);
        if (!gone) {
            throw calls.failure(Kind.BUSY, "models.stays", "model", model.text(), "seconds",
                    Long.toString(limit.toSeconds()));
        }
    }

    /** Only {@code num_gpu} makes it load the model anew; what else is said is about sampling (facts: models.md 5.2). */
    @Override
    public Pace measure(ModelName model, Where where) throws TroubleException, InterruptedException {
        ObjectNode body = calls.body(model).put("stream", false).put("prompt", Question.TEXT);
        ObjectNode options = body.putObject("options").put("num_predict", Question.TOKENS).put("temperature", 0);
        switch (where) {
            case AS_LOADED -> { }
            case PROCESSOR -> options.put("num_gpu", 0);
        }
        HttpAnswer answer = calls.askLong("api/generate", body);
        calls.good(answer, model);
        JsonNode said = calls.json(answer.body());
        if (said.path("error").isTextual()) {
            throw calls.failure(Kind.REMOTE, "models.said", "said", ServerCalls.cut(said.path("error").asText()));
        }
        return Question.pace(calls, model, said.path("eval_count").asLong(), said.path("eval_duration").asLong() / NANOS);
    }

    @Override
    public void pull(ModelName model, Consumer<Progress> progress) throws TroubleException, InterruptedException {
        PullProgress lines = new PullProgress(progress);
        HttpAnswer answer = calls.stream("api/pull", calls.body(model), line -> lines.add(calls.json(line)));
        calls.good(answer, model);
        if (lines.error().isPresent()) {
            throw calls.failure(Kind.REMOTE, "models.said", "said", ServerCalls.cut(lines.error().get()));
        }
        if (!lines.complete()) {
            throw calls.failure(Kind.CONNECT, "network.cut");
        }
    }
}
