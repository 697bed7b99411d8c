package dev.pitwall.ui.board;

import dev.pitwall.engine.live.Entry;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.ProviderView.State;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** The shelf in lines: what is on disk, what is on a card, what waits and what is on its way. Pure. */
final class ShelfLines {

    private static final double PERCENT = 100;

    private final Texts texts;
    private final PlacementLines figures;

    ShelfLines(Texts texts) {
        this.texts = texts;
        this.figures = new PlacementLines(texts);
    }

    /** @param filter part of a name, any case */
    List<ShelfLine> of(WallView view, String filter, Instant now) {
        String wanted = filter.strip().toLowerCase(Locale.ROOT);
        List<ShelfLine> lines = new ArrayList<>();
        section(lines, "board.shelf.pulls", "", pulls(view, wanted));
        section(lines, "board.shelf.queue", "", queue(view, wanted));
        section(lines, "board.shelf.disk", texts.get("board.shelf.unit"), onDisk(view, wanted, now));
        section(lines, "board.shelf.cards", "", onCards(view, wanted));
        if (lines.isEmpty()) {
            lines.add(new ShelfLine.Nothing(wanted.isEmpty() ? texts.get("board.shelf.empty")
                    : texts.get("board.shelf.none", filter.strip())));
        }
        return lines;
    }

    private void section(List<ShelfLine> lines, String title, String unit, List<? extends ShelfLine> content) {
        if (!content.isEmpty()) {
            lines.add(new ShelfLine.Head(texts.get(title), unit));
            lines.addAll(content);
        }
    }

    private static boolean matches(ModelName name, String wanted) {
        return name.text().toLowerCase(Locale.ROOT).contains(wanted);
    }

    private List<ShelfLine> onDisk(WallView view, String wanted, Instant now) {
        Set<ModelName> placed = view.providers().stream().flatMap(p -> p.placements().stream())
                .map(ProviderView.PlacementView::model).collect(Collectors.toSet());
        return view.shelf().stream().filter(m -> !placed.contains(m.name()) && matches(m.name(), wanted))
                .map(m -> onDisk(m, now)).toList();
    }

    private ShelfLine onDisk(WallView.ShelfModel model, Instant now) {
        String at = model.at().isEmpty() ? texts.get("board.shelf.nowhere")
                : texts.get("board.shelf.at", model.at().stream().map(ProviderId::text).collect(Collectors.joining(", ")));
        String figure = figures.figure(model.need(), now);
        return new ShelfLine.OnDisk(model.name(), Fill.of(model.need()), Bytes.gib(model.need()), figure + "\n" + at,
                texts.get("board.spoken.shelf", model.name(), figure));
    }

    private List<ShelfLine> onCards(WallView view, String wanted) {
        List<ShelfLine> result = new ArrayList<>();
        for (ProviderView provider : view.providers()) {
            String place = ColumnLines.place(provider);
            provider.placements().stream().filter(p -> isOnCard(p.state()) && matches(p.model(), wanted)).forEach(p -> result.add(
                    new ShelfLine.OnCard(new PlacementId(provider.id(), p.model()), place,
                            texts.get("board.spoken.placed", p.model(), place))));
        }
        return result;
    }

    /** What waits stands among what waits. */
    private static boolean isOnCard(State state) {
        return switch (state) {
            case State.Loading _, State.Busy _, State.Idle _, State.Unloading _, State.Failed _, State.Lost _ -> true;
            case State.Asked _ -> false;
        };
    }

    private List<ShelfLine> queue(WallView view, String wanted) {
        return view.queue().stream().filter(q -> matches(q.model(), wanted))
                .map(q -> (ShelfLine) new ShelfLine.Waiting(q.model(), q.why())).toList();
    }

    private List<ShelfLine> pulls(WallView view, String wanted) {
        List<ShelfLine> result = new ArrayList<>();
        view.pulls().stream().filter(p -> matches(p.model(), wanted)).forEach(p -> result.add(pull(view, p)));
        cut(view).stream().filter(p -> matches(p.model(), wanted)).forEach(p -> result.add(new ShelfLine.Pull(p.model(),
                where(view, p.to()), texts.get("board.pull.cut"), OptionalDouble.empty(), texts.get("board.pull.resume"), p)));
        return result;
    }

    private ShelfLine pull(WallView view, WallView.Pulling pull) {
        OptionalDouble share = pull.total() > 0 ? OptionalDouble.of(pull.done() / (double) pull.total()) : OptionalDouble.empty();
        String word = share.isPresent() ? texts.get("board.pull.share", Math.round(share.getAsDouble() * PERCENT),
                Bytes.gib(pull.done()), Bytes.gib(pull.total())) : pull.stage();
        return new ShelfLine.Pull(pull.model(), where(view, pull.to()), word, share, texts.get("board.pull.stop"),
                new Wish.CancelPull(pull.model(), pull.to()));
    }

    private static String where(WallView view, ProviderId to) {
        return view.provider(to).map(ColumnLines::place).orElse(to.text());
    }

    /** Pulls that were stopped or failed, by the log: its newest word about each counts. */
    private static List<Wish.Pull> cut(WallView view) {
        Map<Wish.Pull, Boolean> newest = new LinkedHashMap<>();
        for (Entry entry : view.log()) {
            entry.wish().ifPresent(wish -> {
                switch (wish) {
                    case Wish.CancelPull(ModelName model, ProviderId to) -> newest.putIfAbsent(new Wish.Pull(model, to), true);
                    case Wish.Pull pull -> newest.putIfAbsent(pull, entry.kind() == Entry.Kind.FAILED);
                    case Wish.Place _, Wish.Move _, Wish.Evict _, Wish.Pin _, Wish.Unpin _, Wish.Hold _, Wish.Release _,
                            Wish.Cancel _, Wish.MeasureSpeed _, Wish.SetMode _, Wish.All _ -> { }
                }
            });
        }
        Set<Wish.Pull> there = new HashSet<>();
        view.pulls().forEach(p -> there.add(new Wish.Pull(p.model(), p.to())));
        view.shelf().forEach(m -> m.at().forEach(at -> there.add(new Wish.Pull(m.name(), at))));
        return newest.entrySet().stream().filter(e -> e.getValue() && !there.contains(e.getKey())).map(Map.Entry::getKey).toList();
    }
}
