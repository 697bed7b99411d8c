package dev.pitwall.ui.board;

import dev.pitwall.engine.live.LiveEngine;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.Preview;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.scene.Node;
import javafx.scene.input.Clipboard;
import javafx.scene.input.DataFormat;

/** What buttons, menus and keys of the Board do: each ends in a wish, or in a dialog that ends in one. */
final class BoardActions implements BoardMenus.Actions, ColumnCard.Handler {

    private final Desk desk;
    private final Texts texts;
    private final BoardModel model;
    private final Answers answers;
    private final Supplier<Optional<LiveEngine>> engine;
    private final BiConsumer<Wish, Set<ModelName>> ask;
    private final Asking asking;
    private final InstantSource clock;
    private final BoardMenus menus;

    /** @param ask asks the engine for a wish whose victims were shown, and first the person where there are others or it would break off work */
    BoardActions(Desk desk, BoardModel model, Answers answers, Supplier<Optional<LiveEngine>> engine,
                 BiConsumer<Wish, Set<ModelName>> ask, Asking asking, InstantSource clock) {
        this.desk = desk;
        this.texts = desk.texts();
        this.model = model;
        this.answers = answers;
        this.engine = engine;
        this.ask = ask;
        this.asking = asking;
        this.clock = clock;
        this.menus = new BoardMenus(texts, this);
    }

    /** For what nobody was shown to go for. */
    private void ask(Wish wish) {
        ask.accept(wish, Set.of());
    }

    BoardMenus menus() {
        return menus;
    }

    @Override
    public void pin(PlacementLine line) {
        pin(List.of(line.id()));
    }

    /** All of them; if all are pinned, none any more. */
    @Override
    public void pin(List<PlacementId> placements) {
        boolean off = allPinned(placements);
        all(placements.stream().filter(p -> off || !model.isPinned(p))
                .map(p -> off ? (Wish) new Wish.Unpin(p) : new Wish.Pin(p)).toList());
    }

    @Override
    public boolean allPinned(List<PlacementId> placements) {
        return placements.stream().allMatch(model::isPinned);
    }

    @Override
    public void quick(PlacementLine line) {
        all(out(line).toList());
    }

    /** Unloads what is loaded and gives up what loads. */
    @Override
    public void evict(List<PlacementId> placements) {
        all(placements.stream().flatMap(p -> model.column(p.provider()).flatMap(c -> c.placement(p.model())).stream())
                .filter(l -> l.quick() != PlacementLine.Quick.AGAIN).flatMap(BoardActions::out).toList());
    }

    private static Stream<Wish> out(PlacementLine line) {
        return switch (line.quick()) {
            case EVICT -> Stream.of(new Wish.Evict(line.id()));
            case CANCEL -> Stream.of(new Wish.Cancel(line.id()));
            case AGAIN -> Stream.of(new Wish.Place(line.id().model(), line.id().provider()));
            case NONE -> Stream.empty();
        };
    }

    private void all(List<Wish> wishes) {
        if (!wishes.isEmpty()) {
            ask(Carry.one(wishes));
        }
    }

    @Override
    public void hold(ColumnLine column, Optional<Duration> howLong) {
        ask(new Wish.Hold(column.id(), howLong.map(model.now()::plus)));
    }

    @Override
    public void release(ColumnLine column) {
        ask(new Wish.Release(column.id()));
    }

    /** Holds the card, or releases it. */
    void toggleHold(ColumnLine column) {
        if (column.hold().isPresent()) {
            release(column);
        } else {
            hold(column, Optional.empty());
        }
    }

    @Override
    public void chooseTarget(Carry carry) {
        engine.get().ifPresent(e -> {
            List<TargetDialog.Target> targets = model.columns().stream().map(c -> new TargetDialog.Target(c,
                    answers.of(e.preview(carry.onto(c.id())), carry, c))).toList();
            String name = carry.models().size() == 1 ? carry.models().getFirst().text()
                    : texts.get("board.drag.many", carry.models().getFirst(), carry.models().size() - 1);
            boolean load = switch (carry) {
                case Carry.OfShelf _ -> true;
                case Carry.OfCards _ -> false;
            };
            new TargetDialog(desk).show(texts.get(load ? "board.target.load" : "board.target.move", name),
                    asking.name(carry.onto(model.columns().getFirst().id())), targets, to -> ask.accept(carry.onto(to), shown(targets, to)));
        });
    }

    private static Set<ModelName> shown(List<TargetDialog.Target> targets, ProviderId to) {
        return targets.stream().filter(t -> t.column().id().equals(to)).flatMap(t -> t.answer().victims().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public void pull(Optional<ColumnLine> to, String name) {
        new PullDialog(desk).show(model.columns(), to.map(ColumnLine::id), name, this::whyNot, this::ask);
    }

    @Override
    public void figures(ColumnLine column) {
        engine.get().ifPresent(e -> model.view().flatMap(v -> v.provider(column.id())).ifPresent(provider ->
                new FiguresDialog(desk, e.figures(), clock).show(provider, texts.get("board.figures.title", column.called(),
                        column.group()))));
    }

    @Override
    public void measure(PlacementId placement) {
        ask(new Wish.MeasureSpeed(placement));
    }

    @Override
    public void stopMeasuring(PlacementId placement) {
        ask(new Wish.Cancel(placement));
    }

    /** Of a model that is loaded nothing but a measurement can be given up. */
    @Override
    public boolean isMeasured(PlacementId placement) {
        return whyNot(new Wish.Cancel(placement)).isEmpty();
    }

    private Optional<String> whyNot(Wish wish) {
        return engine.get().flatMap(e -> switch (e.preview(wish)) {
            case Preview.Possible _ -> Optional.<String>empty();
            case Preview.Refused r -> Optional.of(r.words());
        });
    }

    @Override
    public void copy(String text) {
        Clipboard.getSystemClipboard().setContent(Map.of(DataFormat.PLAIN_TEXT, text));
        desk.notices().tell(texts.get("notice.copied", text));
    }

    @Override
    public void cardMenu(ColumnLine column, Node beside) {
        menus.show(menus.card(column), beside);
    }
}
