package dev.pitwall.ui.board;

import dev.pitwall.engine.charge.Charge;
import dev.pitwall.engine.figure.Figures;
import dev.pitwall.engine.live.Entry;
import dev.pitwall.engine.live.LiveEngine;
import dev.pitwall.engine.live.Memory;
import dev.pitwall.engine.live.Mode;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.Preview;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.ProviderView.By;
import dev.pitwall.engine.live.ProviderView.Hold;
import dev.pitwall.engine.live.ProviderView.Pinning;
import dev.pitwall.engine.live.ProviderView.PlacementView;
import dev.pitwall.engine.live.ProviderView.Room;
import dev.pitwall.engine.live.ProviderView.Standing;
import dev.pitwall.engine.live.ProviderView.State;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.SampleSite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A small engine in memory. It does at once what can be done at once, by the room there is; a load stays a load. */
public final class SampleEngine implements LiveEngine {

    public static final Instant NOW = SampleSite.NOW;

    public final List<Wish> asked = new CopyOnWriteArrayList<>();
    private final List<Consumer<WallView>> listeners = new CopyOnWriteArrayList<>();
    public volatile Figures figures = SampleFigures.until(NOW);
    private volatile WallView view;

    public SampleEngine(WallView view) {
        this.view = view;
    }

    /** What the picture of the Board shows. */
    public static SampleEngine picture() {
        return new SampleEngine(SampleWall.view());
    }

    /** Lets something change. */
    public synchronized void change(UnaryOperator<WallView> how) {
        view = how.apply(view);
        listeners.forEach(l -> l.accept(view));
    }

    @Override
    public WallView view() {
        return view;
    }

    @Override
    public Charge.State charge() {
        return new Charge.State.Here();
    }

    @Override
    public Figures figures() {
        return figures;
    }

    @Override
    public void listen(Consumer<WallView> listener) {
        listeners.add(listener);
    }

    @Override
    public Preview preview(Wish wish) {
        return switch (wish) {
            case Wish.Place(ModelName model, ProviderId to) -> room(model, to);
            case Wish.Move(PlacementId what, ProviderId to) -> room(what.model(), to);
            case Wish.Evict(PlacementId what) -> new Preview.Possible(Optional.empty(), List.of(), Optional.empty(),
                    placement(what).map(PlacementView::state).filter(s -> s instanceof State.Busy)
                            .map(_ -> List.of(what.model() + " is answering")).orElse(List.of()));
            case Wish.All(List<Wish> all) -> all.stream().map(this::preview).filter(p -> p instanceof Preview.Refused)
                    .findFirst().orElseGet(() -> new Preview.Possible(Optional.empty(), List.of(), Optional.empty(), all.stream()
                            .map(this::preview).flatMap(p -> ((Preview.Possible) p).interrupts().stream()).toList()));
            case Wish.Cancel(PlacementId what) when placement(what).filter(p -> p.state() instanceof State.Idle
                    || p.state() instanceof State.Busy).isPresent() -> new Preview.Refused(Preview.Why.NOT_THERE,
                    what.model() + " is not being loaded.", Optional.empty());
            case Wish.Pin _, Wish.Unpin _, Wish.Hold _, Wish.Release _, Wish.Cancel _, Wish.Pull _, Wish.CancelPull _,
                    Wish.MeasureSpeed _, Wish.SetMode _ -> new Preview.Possible(Optional.empty(), List.of(), Optional.empty(), List.of());
        };
    }

    private Optional<PlacementView> placement(PlacementId id) {
        return view.provider(id.provider()).flatMap(p -> p.placement(id.model()));
    }

    private Preview room(ModelName model, ProviderId to) {
        ProviderView provider = view.provider(to).orElseThrow();
        if (provider.standing() instanceof Standing.Silent) {
            return new Preview.Refused(Preview.Why.SERVER_DOWN, "It does not answer, so nobody knows what is on it.", Optional.empty());
        }
        if (provider.hold().isPresent()) {
            return new Preview.Refused(Preview.Why.HELD, "Held by " + provider.hold().get().by() + ".", Optional.empty());
        }
        if (provider.placement(model).isPresent()) {
            return new Preview.Refused(Preview.Why.ALREADY_THERE, model + " is on this card.", Optional.empty());
        }
        Memory need = view.shelf().stream().filter(m -> m.name().equals(model)).map(WallView.ShelfModel::need).findFirst()
                .or(() -> view.providers().stream().flatMap(p -> p.placement(model).stream()).map(PlacementView::memory).findFirst())
                .orElse(SampleWall.estimated(4));
        Room room = provider.room().orElseThrow();
        List<Preview.Victim> victims = new ArrayList<>();
        long free = room.free();
        for (PlacementView p : provider.placements().stream().filter(p -> p.state() instanceof State.Idle && p.pinned() == Pinning.NONE)
                .sorted(Comparator.comparing(p -> ((State.Idle) p.state()).since())).toList()) {
            if (free >= need.bytes()) {
                break;
            }
            free += p.memory().bytes();
            victims.add(new Preview.Victim(p.model(), p.memory().bytes(),
                    Optional.of(Duration.between(((State.Idle) p.state()).since(), NOW))));
        }
        if (free < need.bytes()) {
            return new Preview.Refused(Preview.Why.TOO_LARGE, "Needs " + Bytes.gib(need.bytes()) + " GiB. This card can give "
                    + Bytes.gib(free) + ".", Optional.empty());
        }
        return new Preview.Possible(Optional.of(new Preview.Figures(need, room.free(), Math.max(0, need.bytes() - room.free()),
                free - need.bytes())), victims, Optional.of(Duration.ofSeconds(victims.isEmpty() ? 8 : 9)), List.of());
    }

    @Override
    public synchronized Entry ask(Wish wish, Set<ModelName> mayGo) {
        asked.add(wish);
        Preview preview = preview(wish);
        if (preview instanceof Preview.Refused refused) {
            return log(Entry.Kind.REFUSED, Optional.empty(), "Refused", refused.words(), wish);
        }
        List<ModelName> gone = preview instanceof Preview.Possible p ? p.victims().stream().map(Preview.Victim::model).toList() : List.of();
        return switch (wish) {
            case Wish.Place(ModelName model, ProviderId to) -> {
                at(to, p -> with(p, gone, Optional.of(model)));
                yield log(Entry.Kind.LOADING, Optional.of(new PlacementId(to, model)), "Loading " + model, "A person put it here.", wish);
            }
            case Wish.Move(PlacementId what, ProviderId to) -> {
                at(to, p -> with(p, gone, Optional.of(what.model())));
                at(what.provider(), p -> with(p, List.of(what.model()), Optional.empty()));
                yield log(Entry.Kind.MOVED, Optional.of(what), "Moved " + what.model(), "A person moved it.", wish);
            }
            case Wish.Evict(PlacementId what) -> out(what, Entry.Kind.EVICTED, "Evicted ", wish);
            case Wish.Cancel(PlacementId what) -> out(what, Entry.Kind.EVICTED, "Cancelled ", wish);
            case Wish.Pin(PlacementId what) -> pin(what, Pinning.PINNED, "You pinned ", wish);
            case Wish.Unpin(PlacementId what) -> pin(what, Pinning.NONE, "You unpinned ", wish);
            case Wish.Hold(ProviderId id, Optional<Instant> until) -> {
                at(id, p -> SampleWall.held(p, Optional.of(new Hold(NOW, until, "you"))));
                yield log(Entry.Kind.HELD, Optional.empty(), "You hold " + id, "", wish);
            }
            case Wish.Release(ProviderId id) -> {
                at(id, p -> SampleWall.held(p, Optional.empty()));
                yield log(Entry.Kind.HELD, Optional.empty(), "You released " + id, "", wish);
            }
            case Wish.Pull(ModelName model, ProviderId to) -> {
                change(v -> SampleWall.pulls(v, List.of(new WallView.Pulling(model, to, "pulling", 1L << 30, 4L << 30))));
                yield log(Entry.Kind.PULLED, Optional.empty(), "Pulling " + model, "", wish);
            }
            case Wish.CancelPull(ModelName model, ProviderId _) -> {
                change(v -> SampleWall.pulls(v, List.of()));
                yield log(Entry.Kind.PULLED, Optional.empty(), "Stopped pulling " + model, "", wish);
            }
            case Wish.MeasureSpeed(PlacementId what) -> log(Entry.Kind.MEASURED, Optional.of(what),
                    "Measuring how fast " + what.model() + " is", "A person wanted to know.", wish);
            case Wish.SetMode(Mode mode) -> {
                change(v -> SampleWall.mode(v, mode));
                yield log(Entry.Kind.MODE, Optional.empty(), "You decide: " + mode, "", wish);
            }
            case Wish.All(List<Wish> all) -> all.stream().map(this::ask).toList().getLast();
        };
    }

    private Entry out(PlacementId what, Entry.Kind kind, String title, Wish wish) {
        at(what.provider(), p -> with(p, List.of(what.model()), Optional.empty()));
        return log(kind, Optional.of(what), title + what.model(), "A person wanted it so.", wish);
    }

    private Entry pin(PlacementId what, Pinning pinning, String title, Wish wish) {
        at(what.provider(), p -> SampleWall.placements(p, p.placements().stream().map(m -> m.model().equals(what.model())
                ? new PlacementView(m.model(), m.state(), m.memory(), m.onCpu(), pinning, m.by(), m.notes(), m.speed()) : m).toList()));
        return log(Entry.Kind.PINNED, Optional.of(what), title + what.model(), "The engine keeps it.", wish);
    }

    private ProviderView with(ProviderView provider, List<ModelName> gone, Optional<ModelName> fresh) {
        List<PlacementView> then = new ArrayList<>(provider.placements().stream().filter(p -> !gone.contains(p.model())).toList());
        fresh.ifPresent(m -> then.add(new PlacementView(m, new State.Loading(NOW, OptionalDouble.of(0.1), Optional.of(Duration.ofSeconds(8))),
                view.shelf().stream().filter(s -> s.name().equals(m)).map(WallView.ShelfModel::need).findFirst()
                        .orElse(SampleWall.estimated(4)), 0, Pinning.NONE, By.PERSON, List.of(), Optional.empty())));
        return SampleWall.placements(provider, then);
    }

    private void at(ProviderId id, UnaryOperator<ProviderView> how) {
        change(v -> SampleWall.provider(v, id, how));
    }

    private Entry log(Entry.Kind kind, Optional<PlacementId> placement, String title, String words, Wish wish) {
        Entry entry = new Entry(view.log().stream().mapToLong(Entry::number).max().orElse(0) + 1, NOW, kind, Optional.empty(),
                placement, title, words, Optional.of(wish));
        change(v -> SampleWall.logged(v, entry));
        return entry;
    }

    @Override
    public Optional<Wish> undo(Entry entry) {
        return entry.wish().flatMap(w -> switch (w) {
            case Wish.Pin(PlacementId what) -> Optional.<Wish>of(new Wish.Unpin(what));
            case Wish.Evict(PlacementId what) -> Optional.<Wish>of(new Wish.Place(what.model(), what.provider()));
            case Wish.Place _, Wish.Move _, Wish.Unpin _, Wish.Hold _, Wish.Release _, Wish.Cancel _, Wish.Pull _, Wish.CancelPull _,
                    Wish.MeasureSpeed _, Wish.SetMode _, Wish.All _ -> Optional.<Wish>empty();
        });
    }

    @Override
    public void close() {
        listeners.clear();
    }
}
