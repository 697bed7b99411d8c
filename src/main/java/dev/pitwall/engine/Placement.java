package dev.pitwall.engine;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A model on a provider, through its life: loading, ready (busy or idle), unloading. Only the {@link Board} changes it;
 * policies read it.
 */
public final class Placement {

    /** Where a placement is in its life. */
    public enum State { LOADING, READY, UNLOADING }

    /** Whether the engine must keep it. */
    public enum Keeping { FREE, PINNED }

    private final Model model;
    private final Provider provider;
    private final Keeping keeping;
    private final double needMiB;
    private final double loadSeconds;
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private State state = State.LOADING;
    private int inService;
    private double lastUse;
    private double idleSince;
    private long starts;
    private double value;

    Placement(Model model, Provider provider, Keeping keeping) {
        this.model = model;
        this.provider = provider;
        this.keeping = keeping;
        this.needMiB = provider.spec().needMiB(model.spec());
        this.loadSeconds = provider.spec().loadSeconds(model.spec());
    }

    public Model model() {
        return model;
    }

    public Provider provider() {
        return provider;
    }

    public State state() {
        return state;
    }

    public boolean pinned() {
        return keeping == Keeping.PINNED;
    }

    public double needMiB() {
        return needMiB;
    }

    /** Seconds its load takes on this provider. */
    public double loadSeconds() {
        return loadSeconds;
    }

    /** Requests in service. */
    public int inService() {
        return inService;
    }

    /** Requests that wait here. */
    public int queued() {
        return queue.size();
    }

    /** Requests in service and waiting. */
    public int requests() {
        return inService + queue.size();
    }

    /** When a service began here last, or the load ended. */
    public double lastUse() {
        return lastUse;
    }

    /** Since when it has nothing to do; has no meaning while it has. */
    public double idleSince() {
        return idleSince;
    }

    /** Services begun since it was loaded. */
    public long starts() {
        return starts;
    }

    public boolean idle() {
        return state == State.READY && requests() == 0;
    }

    /** May be taken to make room: ready, nothing to do, not pinned, and its card not held. */
    public boolean evictable() {
        return idle() && !pinned() && !provider.held();
    }

    /** What a policy noted at the last use; see {@link #note}. */
    public double value() {
        return value;
    }

    /** Keeps a policy's value with the placement until the next use. */
    public void note(double newValue) {
        value = newValue;
    }

    Deque<Waiting> queue() {
        return queue;
    }

    void ready(double now) {
        state = State.READY;
        lastUse = now;
        idleSince = now;
    }

    void unloading() {
        state = State.UNLOADING;
    }

    void started(double now) {
        inService++;
        starts++;
        lastUse = now;
    }

    void completed(double now) {
        inService--;
        idleSince = now;
    }

    @Override
    public String toString() {
        return model.spec().name() + " on " + provider.spec().id();
    }
}
