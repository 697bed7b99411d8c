package dev.pitwall.link.models;

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
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/** A llama-server that was started with one model: it has that and no other, so it is only looked at. */
final class OneModelTongue implements Tongue {
    /** Asking it for its slots would wake it. */
    private static final SlotPace.Look ASLEEP = new SlotPace.Look(OptionalInt.of(0), OptionalDouble.of(0));

    private final ServerCalls calls;
    private final InstantSource clock;
    private final SlotPace pace = new SlotPace();
    private final LlamaServerReader reader = new LlamaServerReader();

    OneModelTongue(ServerCalls calls, InstantSource clock) {
        this.calls = calls;
        this.clock = clock;
    }

    @Override
    public State read() throws TroubleException, InterruptedException {
        LlamaServerAnswer props = reader.read(calls.get("props"));
        List<LlamaServerAnswer.Model> models = reader.read(calls.get("v1/models")).models();
        boolean sleeps = props.models().stream().anyMatch(m -> m.state().filter("sleeping"::equals).isPresent());
        OptionalLong context = props.models().stream().map(LlamaServerAnswer.Model::contextTokens).findFirst()
                .orElse(OptionalLong.empty());
        SlotPace.Look slots = sleeps ? ASLEEP : slots();
        return new State("llama-server", props.build(), models.stream().map(m -> new Loaded(new ModelName(m.id()),
                Optional.empty(), sleeps ? Phase.SLEEPING : Phase.LOADED, OptionalLong.empty(), OptionalLong.empty(),
                Optional.empty(), context, OptionalDouble.empty(), slots.requests(), slots.tokensPerSecond())).toList(),
                models.stream().map(m -> new Installed(new ModelName(m.id()), Optional.empty(), m.fileBytes(),
                        Optional.empty())).toList(), Set.of(Ability.MEASURE), OptionalInt.empty());
    }

    /** A server that was started without that page does not tell. */
    private SlotPace.Look slots() throws TroubleException, InterruptedException {
        try (HttpReader http = calls.reading()) {
            HttpAnswer answer = http.get("slots");
            return pace.look(calls.json(answer.ok() ? answer.body() : "{}"), clock.instant());
        }
    }

    @Override
    public Optional<String> show(ModelName model) {
        return Optional.empty();
    }

    @Override
    public void load(ModelName model, Stay stay, Consumer<Progress> progress) throws TroubleException {
        throw readOnly();
    }

    @Override
    public void unload(ModelName model, Duration limit) throws TroubleException {
        throw readOnly();
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
    public void pull(ModelName model, Consumer<Progress> progress) throws TroubleException {
        throw readOnly();
    }

    private TroubleException readOnly() throws TroubleException {
        return calls.failure(Kind.RIGHTS, "models.onemodel");
    }
}
