package dev.pitwall.ui.board;

import dev.pitwall.engine.live.MeasuredSpeed;
import dev.pitwall.engine.live.Memory;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.ProviderView.Pinning;
import dev.pitwall.engine.live.ProviderView.PlacementView;
import dev.pitwall.engine.live.ProviderView.State;
import dev.pitwall.ui.board.PlacementLine.Quick;
import dev.pitwall.ui.board.PlacementLine.Shape;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Puts a model on a card into words. Pure. */
final class PlacementLines {

    private static final double PERCENT = 100;

    private final Texts texts;

    PlacementLines(Texts texts) {
        this.texts = texts;
    }

    /** @param was its server is silent: what is shown was so */
    PlacementLine of(ProviderView provider, PlacementView placement, boolean was, Instant now) {
        State state = placement.state();
        String word = word(state, now);
        String shown = was ? texts.get("board.was", word) : word;
        String size = Bytes.gib(placement.memory());
        String pinned = placement.pinned() == Pinning.PINNED ? texts.get("board.spoken.pinned") : "";
        return new PlacementLine(new PlacementId(provider.id(), placement.model()), was ? Mark.QUESTION : mark(state),
                was ? Tone.GREY : tone(state), progress(state), shape(state), shown, Fill.of(state, placement.memory()), size,
                placement.pinned(), quick(state), more(placement, now), warning(placement),
                texts.get("board.spoken.placement", placement.model(), shown, size, pinned));
    }

    /** The row without its words. */
    PlacementLine outline(ProviderView provider, PlacementView placement, boolean was) {
        State state = placement.state();
        return new PlacementLine(new PlacementId(provider.id(), placement.model()), was ? Mark.QUESTION : mark(state),
                was ? Tone.GREY : tone(state), progress(state), shape(state), "", Fill.of(state, placement.memory()), "",
                placement.pinned(), quick(state), "", Optional.empty(), "");
    }

    private String word(State state, Instant now) {
        return switch (state) {
            case State.Asked a -> texts.get("board.state.asked", age(a.since(), now));
            case State.Loading l -> loading(l);
            case State.Busy b -> busy(b);
            case State.Idle i -> texts.get("board.state.idle", age(i.since(), now));
            case State.Unloading _ -> texts.get("board.state.unloading");
            case State.Failed f -> texts.get("board.state.failed", f.why());
            case State.Lost l -> texts.get("board.state.lost", age(l.at(), now));
        };
    }

    private String loading(State.Loading loading) {
        String left = loading.left().map(l -> texts.get("board.state.left", left(l))).orElse("");
        return loading.progress().isPresent()
                ? texts.get("board.state.loading", Math.round(loading.progress().getAsDouble() * PERCENT), left)
                : texts.get("board.state.loading.unknown", left);
    }

    /** Tenths of a second where that tells something. */
    private static String left(Duration left) {
        return left.compareTo(Duration.ofSeconds(10)) < 0 ? Ages.took(left) : Ages.span(left);
    }

    private String busy(State.Busy busy) {
        String word = busy.requests() > 0 ? texts.get("board.state.busy", busy.requests()) : texts.get("board.state.busy.some");
        return busy.tokensPerSecond().isPresent()
                ? texts.get("board.state.rate", word, Math.round(busy.tokensPerSecond().getAsDouble())) : word;
    }

    private static String age(Instant since, Instant now) {
        return Ages.brief(Duration.between(since, now));
    }

    private static Mark mark(State state) {
        return switch (state) {
            case State.Asked _ -> Mark.CLOCK;
            case State.Loading _ -> Mark.RING;
            case State.Busy _ -> Mark.BUSY;
            case State.Idle _ -> Mark.IDLE;
            case State.Unloading _ -> Mark.LEAVES;
            case State.Failed _ -> Mark.FAILING;
            case State.Lost _ -> Mark.TRIANGLE;
        };
    }

    private static Tone tone(State state) {
        return switch (state) {
            case State.Asked _, State.Loading _ -> Tone.ACT;
            case State.Busy _ -> Tone.OK;
            case State.Idle _, State.Unloading _ -> Tone.GREY;
            case State.Failed _ -> Tone.FAILING;
            case State.Lost _ -> Tone.BLOCKED;
        };
    }

    private static OptionalDouble progress(State state) {
        return switch (state) {
            case State.Loading l -> l.progress();
            case State.Asked _, State.Busy _, State.Idle _, State.Unloading _, State.Failed _, State.Lost _ ->
                    OptionalDouble.empty();
        };
    }

    static Shape shape(State state) {
        return switch (state) {
            case State.Loading _ -> Shape.LOADING;
            case State.Asked _, State.Busy _, State.Idle _, State.Unloading _, State.Failed _, State.Lost _ -> Shape.PLAIN;
        };
    }

    private static Quick quick(State state) {
        return switch (state) {
            case State.Asked _, State.Loading _ -> Quick.CANCEL;
            case State.Busy _, State.Idle _ -> Quick.EVICT;
            case State.Unloading _ -> Quick.NONE;
            case State.Failed _, State.Lost _ -> Quick.AGAIN;
        };
    }

    /** What there is to say of it besides, in lines. */
    private String more(PlacementView placement, Instant now) {
        List<String> lines = new ArrayList<>();
        lines.add(figure(placement.memory(), now));
        lines.add(texts.get("board.by." + placement.by().name().toLowerCase(Locale.ROOT)));
        placement.speed().map(s -> speed(s, now)).ifPresent(lines::add);
        switch (placement.state()) {
            case State.Idle i -> lines.add(i.expires().map(e -> texts.get("board.expires", ColumnLines.time(e, now)))
                    .orElse(texts.get("board.expires.never")));
            case State.Asked _, State.Loading _, State.Busy _, State.Unloading _, State.Failed _, State.Lost _ -> { }
        }
        return String.join("\n", lines);
    }

    /** What was measured here, and when. */
    private String speed(MeasuredSpeed speed, Instant now) {
        String at = ColumnLines.time(speed.at(), now);
        return speed.onProcessor().isPresent()
                ? texts.get("board.speed.both", Curves.rate(speed.here()), Curves.rate(speed.onProcessor().getAsDouble()), at)
                : texts.get("board.speed.here", Curves.rate(speed.here()), at);
    }

    /** An amount with what it rests on. */
    String figure(Memory memory, Instant now) {
        String amount = Bytes.gib(memory);
        String basis = texts.get("board.basis." + memory.basis().name().toLowerCase(Locale.ROOT));
        return memory.at().map(at -> texts.get("board.figure.at", amount, basis, age(at, now)))
                .orElse(texts.get("board.figure", amount, basis));
    }

    private Optional<String> warning(PlacementView placement) {
        List<String> lines = new ArrayList<>();
        if (placement.onCpu() > 0) {
            lines.add(texts.get("board.cpu", Math.max(1, Math.round(placement.onCpu() * PERCENT))));
        }
        lines.addAll(placement.notes());
        return lines.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", lines));
    }
}
