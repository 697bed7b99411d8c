package dev.pitwall.engine.sim;

import dev.pitwall.engine.Engine;
import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.Hands;
import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Policy;
import dev.pitwall.engine.Refusal;
import dev.pitwall.engine.Request;
import dev.pitwall.engine.Verdict;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Drives an {@link Engine} through a trace, by events; simulation.md says what is meant. */
public final class Simulator implements Hands {

    /** Seconds from an unload to its memory being free. Source: simulation.md. */
    private static final double VRAM_BACK_SECONDS = 1;

    /** Events of one instant happen in this order; arrivals come after all of them but {@link #WAKE}. */
    private enum Kind { COMPLETED, LOADED, RETURNED, IDLE, ARRIVAL, WAKE }

    private record Event(double at, Kind kind, long order, Runnable happens) {
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>(Comparator.comparingDouble(Event::at)
            .thenComparing(Event::kind).thenComparingLong(Event::order));
    private final Engine engine;
    private final Tally tally;
    private double now;
    private long order;

    public Simulator(Fleet fleet, Policy policy) {
        tally = new Tally(policy.name());
        engine = new Engine(fleet, new Stopwatch(policy, tally), this);
    }

    /** Runs to the end of the last event. @param trace in the order of time */
    public Figures run(List<Request> trace) {
        begin();
        trace.forEach(this::arrives);
        runUntil(Double.POSITIVE_INFINITY);
        engine.board().lines().forEach(m -> tally.leftOver(m.line().size()));
        return tally.figures();
    }

    /** What is there at time 0. */
    public void begin() {
        engine.begin(0);
    }

    /** All that happens before a request, and its arrival. */
    public void arrives(Request request) {
        runUntil(request.at());
        now = request.at();
        tally.request();
        engine.arrived(request, now);
    }

    /** Seconds spent loading so far. */
    public double loadSeconds() {
        return tally.loadSeconds();
    }

    /** Seconds that requests have waited so far, those included that still wait. */
    public double waitSeconds() {
        return tally.waitSeconds();
    }

    /** All events before that time, and those of that instant which come before an arrival. */
    private void runUntil(double time) {
        while (!events.isEmpty() && (events.peek().at() < time
                || events.peek().at() == time && events.peek().kind() != Kind.WAKE)) {
            Event event = events.poll();
            now = event.at();
            event.happens().run();
        }
    }

    private void at(double time, Kind kind, Runnable happens) {
        events.add(new Event(time, kind, order++, happens));
    }

    @Override
    public void load(Placement placement) {
        tally.loads(placement);
        at(now + placement.loadSeconds(), Kind.LOADED, () -> engine.loaded(placement, now));
    }

    @Override
    public void unload(Placement placement) {
        tally.evicts(placement);
        at(now + VRAM_BACK_SECONDS, Kind.RETURNED, () -> engine.returned(placement, now));
    }

    @Override
    public void serve(Request request, Placement placement, Cold cold) {
        tally.serves(request, now, cold);
        at(now + request.serviceSeconds(), Kind.COMPLETED, () -> engine.completed(request, placement, request.serviceSeconds(), now));
    }

    @Override
    public void refuse(Request request, Refusal refusal) {
        tally.refuses(refusal);
    }

    @Override
    public void wakeAt(Model model, double time) {
        at(time, Kind.WAKE, () -> engine.woken(model, now));
    }

    @Override
    public void watchIdle(Placement placement, double time) {
        double idleSince = now;
        at(time, Kind.IDLE, () -> engine.idleLimit(placement, idleSince, now));
    }

    @Override
    public void dropped(Placement placement) {
        tally.drops(placement);
    }

    @Override
    public void decided(Model model, Verdict verdict) {
    }
}
