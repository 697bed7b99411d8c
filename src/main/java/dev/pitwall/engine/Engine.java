package dev.pitwall.engine;

import java.util.List;
import java.util.Optional;

/**
 * Keeps the board by events and lets a policy decide. Whoever drives it (the simulator, a live site) hands it what
 * happened with the time, in the order of time, and does what it asks for. It starts no thread and reads no clock. The
 * rules of lines, loads and memory are those of simulation.md.
 */
public final class Engine {
    /** Sums in another order may differ by so much; the policy has the last word. */
    private static final double ROUNDING_MIB = 1e-6;

    /** Lines that are asked for before the time the policy named, at one event; the others have their time coming. */
    private static final int MOST_EARLY = 2;

    private final Board board;
    private final Fleet fleet;
    private final Policy policy;
    private final Hands hands;

    public Engine(Fleet fleet, Policy policy, Hands hands) {
        this.board = new Board(fleet);
        this.fleet = fleet;
        this.policy = policy;
        this.hands = hands;
    }

    public Board board() {
        return board;
    }

    /** Pins are there from the start, ready; what the policy wants at the start is loaded. */
    public void begin(double now) {
        policy.begin(board);
        for (Pin pin : fleet.pins()) {
            Placement placement = place(board.models().get(pin.model()), board.providers().get(pin.provider()),
                    Placement.Keeping.PINNED, now);
            placement.ready(now);
        }
        for (Pin first : policy.initial(board)) {
            load(board.models().get(first.model()), new Verdict.Load(board.providers().get(first.provider()), List.of(),
                    Reason.of(Reason.Kind.FITS)), now);
        }
    }

    public void arrived(Request request, double now) {
        Model model = board.models().get(request.model());
        model.arrived();
        policy.arrived(request.id(), model, now);
        Optional<Refusal> refusal = refusal(model);
        if (refusal.isPresent()) {
            policy.refused(request.id());
            hands.refuse(request, refusal.get());
        } else if (!model.placements().isEmpty()) {
            join(request, least(model), now);
        } else {
            model.wait(request);
            board.want(model);
            decide(model, now);
        }
        beside(now);
    }

    /** @param seconds how long the request was in service */
    public void completed(Request request, Placement placement, double seconds, double now) {
        placement.completed(now);
        policy.served(request.id(), placement.model(), seconds, now);
        startNext(placement, now);
        if (placement.idle()) {
            idle(placement, now);
            look(placement.provider(), now);
        }
        beside(now);
    }

    public void loaded(Placement placement, double now) {
        Provider provider = placement.provider();
        provider.loading().removeFirst();
        placement.ready(now);
        policy.used(placement, now);
        while (placement.queued() > 0 && placement.inService() < provider.spec().maxParallel()) {
            startNext(placement, now);
        }
        beginNextLoad(provider);
        if (placement.idle()) {
            idle(placement, now);
            look(placement.provider(), now);
        }
        beside(now);
    }

    /** The memory of a placement that was unloaded is back. */
    public void returned(Placement placement, double now) {
        Provider provider = placement.provider();
        provider.loading().stream().filter(l -> l.awaits(placement)).forEach(l -> l.cameBack(placement));
        beginNextLoad(provider);
        look(provider, now);
        beside(now);
    }

    /** A placement may have been idle for as long as the policy allows. */
    public void idleLimit(Placement placement, double idleSince, double now) {
        if (placement.evictable() && placement.idleSince() == idleSince) {
            off(placement);
            placement.provider().giveBack(placement.needMiB());
            policy.evicted(placement, now);
            hands.dropped(placement);
            look(placement.provider(), now);
        }
    }

    /** The time has come at which the policy wanted to be asked again about a load. */
    public void woken(Model model, double now) {
        if (board.lines().contains(model) && model.askAgainAt() <= now) {
            decide(model, now);
        }
        beside(now);
    }

    private Optional<Refusal> refusal(Model model) {
        return policy.refuses(model).or(() -> model.placements().isEmpty() ? impossible(model) : Optional.empty());
    }

    private Optional<Refusal> impossible(Model model) {
        if (board.providers().stream().noneMatch(p -> p.needMiB(model) <= p.spec().capacityMiB())) {
            return Optional.of(Refusal.TOO_LARGE);
        }
        return board.providers().stream().anyMatch(p -> p.needMiB(model) <= p.mostMiB()) ? Optional.empty()
                : Optional.of(Refusal.PINNED_OUT);
    }

    private static Placement least(Model model) {
        Placement least = model.placements().getFirst();
        for (Placement p : model.placements()) {
            if (p.requests() < least.requests()
                    || p.requests() == least.requests() && p.state().compareTo(least.state()) > 0) {
                least = p;
            }
        }
        return least;
    }

    private void join(Request request, Placement placement, double now) {
        if (placement.state() == Placement.State.READY
                && placement.inService() < placement.provider().spec().maxParallel()) {
            serve(new Waiting(request, Hands.Cold.WARM), placement, now);
        } else {
            placement.queue().addLast(new Waiting(request, placement.state() == Placement.State.READY
                    ? Hands.Cold.WARM : Hands.Cold.COLD));
        }
    }

    private void startNext(Placement placement, double now) {
        if (placement.queued() > 0) {
            serve(placement.queue().removeFirst(), placement, now);
        }
    }

    private void serve(Waiting next, Placement placement, double now) {
        placement.started(now);
        policy.used(placement, now);
        policy.waited(next.request().id(), now - next.request().at());
        hands.serve(next.request(), placement, next.cold());
    }

    private void idle(Placement placement, double now) {
        if (policy.idleLimit().isPresent() && !placement.pinned()) {
            hands.watchIdle(placement, now + policy.idleLimit().getAsDouble());
        }
    }

    /**
     * All loads that are wanted, in the order of their first request; one that cannot be decided holds up no other. Where
     * nothing has changed they cannot be decided now if they could not before, so only the provider is looked at on which
     * something became free: a large fleet in need has hundreds of lines.
     */
    private void look(Provider provider, double now) {
        double there = provider.atOnceMiB();
        int early = 0;
        for (Model model : board.lines().toArray(Model[]::new)) {
            if (provider.needMiB(model) <= there + ROUNDING_MIB && (model.askAgainAt() <= now || early++ < MOST_EARLY)) {
                decide(model, now);
                there = provider.atOnceMiB();
            }
        }
    }

    private void decide(Model model, double now) {
        Verdict verdict = policy.decide(model, board, now);
        switch (verdict) {
            case Verdict.Load load -> {
                hands.decided(model, load);
                board.wanted(model);
                load(model, load, now);
            }
            case Verdict.Defer defer -> {
                hands.decided(model, defer);
                if (model.askAgainAt() <= now || model.askAgainAt() > defer.until()) {
                    model.askAgainAt(defer.until());
                    hands.wakeAt(model, defer.until());
                }
            }
            case Verdict.Blocked _ -> {
            }
        }
    }

    private void beside(double now) {
        policy.beside(board, now).ifPresent(b -> {
            hands.decided(b.model(), b.load());
            load(b.model(), b.load(), now);
        });
    }

    private void load(Model model, Verdict.Load load, double now) {
        load.victims().forEach(v -> {
            off(v);
            v.provider().giveBack(v.needMiB());
            policy.evicted(v, now);
            hands.unload(v);
        });
        Placement placement = place(model, load.provider(), Placement.Keeping.FREE, now);
        model.takeLine().forEach(r -> placement.queue().addLast(new Waiting(r, Hands.Cold.COLD)));
        load.provider().loading().addLast(new Loading(placement, load.victims()));
        beginNextLoad(load.provider());
    }

    private Placement place(Model model, Provider provider, Placement.Keeping keeping, double now) {
        Placement placement = new Placement(model, provider, keeping);
        provider.take(placement);
        model.add(placement);
        policy.placed(placement, now);
        return placement;
    }

    private static void off(Placement placement) {
        placement.unloading();
        placement.provider().leave(placement);
        placement.model().remove(placement);
    }

    private void beginNextLoad(Provider provider) {
        Loading next = provider.loading().peekFirst();
        if (next != null && next.mayBegin()) {
            next.begin();
            hands.load(next.placement());
        }
    }
}
