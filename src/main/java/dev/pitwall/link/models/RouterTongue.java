package dev.pitwall.link.models;

import com.fasterxml.jackson.databind.JsonNode;
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
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.read.LlamaServerAnswer;
import dev.pitwall.read.LlamaServerReader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A llama-server router (facts: models.md 5.3): a load answers at once and is followed by asking for the list, and
 * by its events, which tell sooner how far it is; no figure of memory anywhere.
 */
final class RouterTongue implements Tongue {
    private static final Duration PACE = Duration.ofMillis(500);
    private static final Duration LONGEST_LOAD = Duration.ofMinutes(30);
    private static final Duration LONGEST_PULL = Duration.ofHours(24);
    /** A router ends a process that does not stop after 10 s (facts: models.md 2.3, stop-timeout). */
    private static final Duration STOPS = Duration.ofSeconds(12);
    private static final String RUNNING = "already running";
    private static final String NOT_RUNNING = "not running";

    private static final SlotPace.Look ASLEEP = new SlotPace.Look(OptionalInt.of(0), OptionalDouble.of(0));

    private final ServerCalls calls;
    private final InstantSource clock;
    private final Map<String, SlotPace> paces = new ConcurrentHashMap<>();
    private final LlamaServerReader reader = new LlamaServerReader();

    RouterTongue(ServerCalls calls, InstantSource clock) {
        this.calls = calls;
        this.clock = clock;
    }

    @Override
    public State read() throws TroubleException, InterruptedException {
        LlamaServerAnswer props = reader.read(calls.get("props"));
        List<Loaded> loaded = new ArrayList<>();
        List<Installed> installed = new ArrayList<>();
        for (LlamaServerAnswer.Model model : models()) {
            switch (model.state().orElse("")) {
                case "loading" -> loaded.add(loaded(model, Phase.LOADING, SlotPace.Look.NOTHING));
                case "loaded" -> loaded.add(loaded(model, Phase.LOADED, slots(model.id())));
                // Asking it for its slots would wake it.
                case "sleeping" -> loaded.add(loaded(model, Phase.SLEEPING, ASLEEP));
                default -> {
                }
            }
            if (!model.state().orElse("").equals("downloading")) {
                installed.add(new Installed(new ModelName(model.id()), Optional.empty(), model.fileBytes(), Optional.empty()));
            }
        }
        return new State("llama-server", props.build(), loaded, installed, Set.of(Ability.LOAD, Ability.PULL, Ability.MEASURE),
                most(props));
    }

    /** {@code --models-max 0} is no limit. */
    private static OptionalInt most(LlamaServerAnswer props) {
        return props.maxModels().stream().filter(most -> most > 0).mapToObj(OptionalInt::of).findFirst()
                .orElse(OptionalInt.empty());
    }

    private static Loaded loaded(LlamaServerAnswer.Model model, Phase phase, SlotPace.Look slots) {
        return new Loaded(new ModelName(model.id()), Optional.empty(), phase, OptionalLong.empty(), OptionalLong.empty(),
                Optional.empty(), model.contextTokens(), model.progress(), slots.requests(), slots.tokensPerSecond());
    }

    private List<LlamaServerAnswer.Model> models() throws TroubleException, InterruptedException {
        return reader.read(calls.get("models")).models();
    }

    private Optional<LlamaServerAnswer.Model> model(ModelName name) throws TroubleException, InterruptedException {
        return models().stream().filter(m -> m.id().equals(name.text())).findFirst();
    }

    /** Slots at work; a server that was started without that page does not tell. */
    private SlotPace.Look slots(String model) throws InterruptedException, TroubleException {
        try (HttpReader http = calls.reading()) {
            HttpAnswer answer = http.send(new okhttp3.Request.Builder().url(http.at("slots")
                    .addQueryParameter("model", model).addQueryParameter("autoload", "false").build()).build());
            return paces.computeIfAbsent(model, _ -> new SlotPace()).look(calls.json(answer.ok() ? answer.body() : "{}"),
                    clock.instant());
        }
    }

    @Override
    public Optional<String> show(ModelName model) {
        return Optional.empty();
    }

    @Override
    public void load(ModelName model, Stay stay, Consumer<Progress> progress)
            throws TroubleException, InterruptedException {
        LoadEvents events = new LoadEvents(calls, model, progress);
        try {
            follow(model, events, progress);
        } finally {
            events.close();
        }
    }

    private void follow(ModelName model, LoadEvents events, Consumer<Progress> progress)
            throws TroubleException, InterruptedException {
        HttpAnswer answer = calls.ask("models/load", calls.body(model));
        if (!(answer.status() == ServerCalls.BAD && calls.said(answer).contains(RUNNING))) {
            calls.good(answer, model);
        }
        try {
            if (!ServerCalls.await(() -> ready(model, events.heard() ? _ -> { } : progress), PACE, LONGEST_LOAD)) {
                throw calls.failure(Kind.TIMEOUT, "models.endless", "model", model.text(), "minutes",
                        Long.toString(LONGEST_LOAD.toMinutes()));
            }
        } catch (InterruptedException cancelled) {
            giveUp(model);
            throw cancelled;
        } catch (LoadEnded ended) {
            throw ended.trouble;
        }
    }

    /** Unchecked, so that waiting does not take it for a question that was not answered. */
    private static final class LoadEnded extends RuntimeException {
        private final transient TroubleException trouble;

        LoadEnded(TroubleException trouble) {
            super(trouble);
            this.trouble = trouble;
        }
    }

    private boolean ready(ModelName name, Consumer<Progress> progress) throws TroubleException, InterruptedException {
        Optional<LlamaServerAnswer.Model> model = model(name);
        String state = model.flatMap(LlamaServerAnswer.Model::state).orElse("unloaded");
        switch (state) {
            case "loaded", "sleeping" -> {
                return true;
            }
            case "loading", "downloading", "downloaded" -> progress.accept(new Progress(state,
                    model.map(LlamaServerAnswer.Model::progress).orElse(OptionalDouble.empty()), 0, 0));
            default -> throw new LoadEnded(calls.failure(Kind.REMOTE, "models.loadfailed", "model", name.text(), "code",
                    model.map(LlamaServerAnswer.Model::exitCode).filter(OptionalInt::isPresent)
                            .map(code -> "exit code " + code.getAsInt()).orElse("without an exit code")));
        }
        return false;
    }

    /** It is refused for a model that does not run, which is what was wanted. */
    @Override
    public void unload(ModelName model, Duration limit) throws TroubleException, InterruptedException {
        HttpAnswer answer = calls.ask("models/unload", calls.body(model));
        if (!(answer.status() == ServerCalls.BAD && calls.said(answer).contains(NOT_RUNNING))) {
            calls.good(answer, model);
        }
        if (!ServerCalls.await(() -> gone(model), PACE, limit)) {
            throw calls.failure(Kind.BUSY, "models.stays", "model", model.text(), "seconds",
                    Long.toString(limit.toSeconds()));
        }
    }

    /** It computes as it was started: layers cannot be taken from the card for one request. */
    @Override
    public Pace measure(ModelName model, Where where) throws TroubleException, InterruptedException {
        return switch (where) {
            case AS_LOADED -> Question.ofChat(calls, model);
            case PROCESSOR -> throw calls.failure(Kind.RIGHTS, "models.processor");
        };
    }

    @Override
    public void pull(ModelName model, Consumer<Progress> progress) throws TroubleException, InterruptedException {
        calls.good(calls.ask("models", calls.body(model)), model);
        try {
            if (!ServerCalls.await(() -> fetched(model, progress), PACE, LONGEST_PULL)) {
                throw calls.failure(Kind.TIMEOUT, "models.endless", "model", model.text(), "minutes",
                        Long.toString(LONGEST_PULL.toMinutes()));
            }
        } catch (InterruptedException cancelled) {
            giveUp(model);
            throw cancelled;
        } catch (LoadEnded ended) {
            throw ended.trouble;
        }
    }

    /**
     * Until its process is gone the router takes a model for running, and would let a load that is asked for meanwhile end
     * with it (seen with build 11669).
     */
    private void giveUp(ModelName model) throws InterruptedException {
        try {
            calls.ask("models/unload", calls.body(model));
            ServerCalls.await(() -> gone(model), PACE, STOPS);
        } catch (TroubleException silent) {
            // Who is not heard is asked again by the next look at it.
        }
    }

    private boolean gone(ModelName model) throws TroubleException, InterruptedException {
        return model(model).flatMap(LlamaServerAnswer.Model::state)
                .filter(state -> !state.equals("unloaded") && !state.equals("downloaded")).isEmpty();
    }

    private boolean fetched(ModelName name, Consumer<Progress> progress) throws TroubleException, InterruptedException {
        for (JsonNode entry : calls.get("models").path("data")) {
            if (entry.path("id").asText().equals(name.text())) {
                JsonNode status = entry.path("status");
                if (!status.path("value").asText().equals("downloading")) {
                    return true;
                }
                long done = status.path("progress").valueStream().mapToLong(p -> p.path("done").asLong()).sum();
                long total = status.path("progress").valueStream().mapToLong(p -> p.path("total").asLong()).sum();
                progress.accept(new Progress("downloading", total > 0 ? OptionalDouble.of((double) done / total)
                        : OptionalDouble.empty(), done, total));
                return false;
            }
        }
        throw new LoadEnded(calls.failure(Kind.REMOTE, "models.pullended", "model", name.text()));
    }
}
