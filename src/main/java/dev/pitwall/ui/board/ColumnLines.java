package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.ProviderView.CardView;
import dev.pitwall.engine.live.ProviderView.Foreign;
import dev.pitwall.engine.live.ProviderView.Hold;
import dev.pitwall.engine.live.ProviderView.PlacementView;
import dev.pitwall.engine.live.ProviderView.Room;
import dev.pitwall.engine.live.ProviderView.Standing;
import dev.pitwall.engine.live.ProviderView.State;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Puts a model server into words. Pure: the same view and time give the same column. */
final class ColumnLines {

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM HH:mm", Locale.ROOT);
    private static final double PERCENT = 100;

    private final Texts texts;
    private final PlacementLines placements;

    ColumnLines(Texts texts) {
        this.texts = texts;
        this.placements = new PlacementLines(texts);
    }

    /** @param order the models in the order in which they are drawn */
    ColumnLine of(ProviderView provider, List<ModelName> order, Instant now) {
        return line(provider, order, now, (p, was) -> placements.of(provider, p, was, now));
    }

    /** The same with rows that have no words yet: they stand in their places and are as high. */
    ColumnLine outline(ProviderView provider, List<ModelName> order, Instant now) {
        return line(provider, order, now, (p, was) -> placements.outline(provider, p, was));
    }

    private ColumnLine line(ProviderView provider, List<ModelName> order, Instant now,
                            BiFunction<PlacementView, Boolean, PlacementLine> row) {
        boolean was = switch (provider.standing()) {
            case Standing.Live _, Standing.Hanging _ -> false;
            case Standing.Silent _ -> true;
        };
        List<PlacementView> views = order.stream().flatMap(m -> provider.placement(m).stream()).toList();
        List<PlacementLine> lines = views.stream().map(p -> row.apply(p, was)).toList();
        String free = provider.room().map(r -> texts.get(was ? "board.free.was" : "board.free", Bytes.gib(r.free())))
                .orElse(texts.get("board.free.unknown"));
        return new ColumnLine(provider.id(), group(provider), provider.place(), index(provider), name(provider),
                figures(provider, was), bar(provider, views), free,
                provider.room().map(r -> Bytes.gib(r.total())).orElse(""), lines, others(provider), hold(provider, now),
                trouble(provider, now), provider.room().map(Room::source).orElse(""), spoken(provider, free, lines.size()));
    }

    /** Whether a card has the rows that its line has, in their places and as high. */
    boolean sameRows(ColumnLine line, ProviderView provider, List<ModelName> order) {
        if (order.size() != line.placements().size() || line.hold().isPresent() != provider.hold().isPresent()
                || line.foreign().size() != provider.room().map(r -> r.foreign().size()).orElse(0)
                || line.trouble().isPresent() != troubled(provider.standing())) {
            return false;
        }
        for (int i = 0; i < order.size(); i++) {
            PlacementLine old = line.placements().get(i);
            PlacementView now = provider.placements().get(i);
            PlacementView here = now.model().equals(order.get(i)) ? now : provider.placement(order.get(i)).orElse(now);
            if (!old.id().model().equals(order.get(i)) || old.shape() != PlacementLines.shape(here.state())) {
                return false;
            }
        }
        return true;
    }

    private static boolean troubled(Standing standing) {
        return switch (standing) {
            case Standing.Live _ -> false;
            case Standing.Silent _, Standing.Hanging _ -> true;
        };
    }

    static String group(ProviderView provider) {
        return provider.node().orElse(provider.id().text());
    }

    /** Node and card, as a place in other sentences: {@code gpu-a · 0}. */
    static String place(ProviderView provider) {
        return provider.cards().isEmpty() ? group(provider) : group(provider) + " · " + indexes(provider);
    }

    private static String indexes(ProviderView provider) {
        return provider.cards().stream().map(c -> Integer.toString(c.index())).collect(Collectors.joining(", "));
    }

    private String index(ProviderView provider) {
        return switch (provider.cards().size()) {
            case 0 -> "";
            case 1 -> texts.get("board.card", indexes(provider));
            default -> texts.get("board.cards", indexes(provider));
        };
    }

    private String name(ProviderView provider) {
        List<String> names = provider.cards().stream().map(CardView::name).distinct().toList();
        return switch (names.size()) {
            case 0 -> provider.id().text();
            case 1 -> provider.cards().size() == 1 ? names.getFirst()
                    : texts.get("board.pool", provider.cards().size(), names.getFirst());
            default -> String.join(" + ", names);
        };
    }

    private String figures(ProviderView provider, boolean was) {
        OptionalDouble hottest = values(provider, CardView::celsius).mapToDouble(d -> d).max();
        List<Double> watts = values(provider, CardView::watts).toList();
        List<String> parts = new ArrayList<>();
        hottest.ifPresent(c -> parts.add(Math.round(c) + " °C"));
        if (!watts.isEmpty()) {
            parts.add(Math.round(watts.stream().mapToDouble(d -> d).sum()) + " W");
        }
        mean(provider, CardView::utilisation).ifPresent(u -> parts.add(Math.round(u * PERCENT) + " %"));
        if (parts.isEmpty()) {
            return texts.get("board.figures.none");
        }
        String all = String.join("  ", parts);
        return was ? texts.get("board.was", all) : all;
    }

    private static Stream<Double> values(ProviderView provider, Function<CardView, OptionalDouble> figure) {
        return provider.cards().stream().map(figure).filter(OptionalDouble::isPresent).map(OptionalDouble::getAsDouble);
    }

    private static OptionalDouble mean(ProviderView provider, Function<CardView, OptionalDouble> figure) {
        return values(provider, figure).mapToDouble(d -> d).average();
    }

    private static Bar bar(ProviderView provider, List<PlacementView> placements) {
        if (provider.room().isEmpty()) {
            return Bar.UNKNOWN;
        }
        Room room = provider.room().get();
        List<Bar.Part> parts = new ArrayList<>();
        placements.stream().filter(p -> takesRoom(p.state())).forEach(p -> parts.add(new Bar.Part(
                Fill.of(p.state(), p.memory()), p.memory().bytes(), Optional.of(p.model()))));
        room.foreign().forEach(f -> parts.add(new Bar.Part(Fill.FOREIGN, f.bytes(), Optional.empty())));
        return new Bar(room.total(), parts, room.reserve());
    }

    /** What waits, has failed or is gone is a row, but no memory. */
    static boolean takesRoom(State state) {
        return switch (state) {
            case State.Loading _, State.Busy _, State.Idle _, State.Unloading _ -> true;
            case State.Asked _, State.Failed _, State.Lost _ -> false;
        };
    }

    private List<ColumnLine.Others> others(ProviderView provider) {
        return provider.room().map(Room::foreign).orElse(List.of()).stream().map(this::other).toList();
    }

    private ColumnLine.Others other(Foreign foreign) {
        return new ColumnLine.Others(texts.get("board.foreign", foreign.owner()), Bytes.gib(foreign.bytes()));
    }

    private Optional<Remark> hold(ProviderView provider, Instant now) {
        return provider.hold().map(h -> new Remark(Mark.LOCK, Tone.BLOCKED, held(h, now),
                texts.get("board.held.text", h.by(), Ages.brief(Duration.between(h.since(), now)))));
    }

    private String held(Hold hold, Instant now) {
        return hold.until().map(until -> texts.get("board.held.until", time(until, now))).orElse(texts.get("board.held"));
    }

    /** The time of day, with the day where it is not today's. */
    static String time(Instant at, Instant now) {
        ZoneId here = ZoneId.systemDefault();
        boolean today = at.atZone(here).toLocalDate().equals(now.atZone(here).toLocalDate());
        return (today ? CLOCK : DAY).format(at.atZone(here));
    }

    private Optional<Remark> trouble(ProviderView provider, Instant now) {
        return switch (provider.standing()) {
            case Standing.Live _ -> Optional.empty();
            case Standing.Silent s -> Optional.of(new Remark(Mark.QUESTION, Tone.GREY,
                    texts.get("board.silent", Ages.brief(Duration.between(s.since(), now))),
                    s.trouble().sentence() + ". " + s.trouble().next()));
            case Standing.Hanging h -> Optional.of(new Remark(Mark.TRIANGLE, Tone.BLOCKED,
                    texts.get("board.hanging", h.load(), Ages.brief(Duration.between(h.since(), now))),
                    texts.get("board.hanging.text")));
        };
    }

    private String spoken(ProviderView provider, String free, int models) {
        return texts.get("board.spoken.card", index(provider) + " " + name(provider), group(provider), free,
                texts.count("board.models", models));
    }
}
