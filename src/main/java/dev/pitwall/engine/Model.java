package dev.pitwall.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A model of the fleet with its placements and the requests that wait for a first one. Only the {@link Board} changes it. */
public final class Model {
    private final int index;
    private final ModelSpec spec;
    private final List<Placement> placements = new ArrayList<>(1);
    private final List<Request> line = new ArrayList<>();
    private long arrivals;
    private double askAgainAt = Double.NEGATIVE_INFINITY;

    Model(int index, ModelSpec spec) {
        this.index = index;
        this.spec = spec;
    }

    public int index() {
        return index;
    }

    public ModelSpec spec() {
        return spec;
    }

    /** Where it is ready or loading, in the order of the providers. */
    public List<Placement> placements() {
        return Collections.unmodifiableList(placements);
    }

    /** The requests that wait for a load to be decided, oldest first. */
    public List<Request> line() {
        return Collections.unmodifiableList(line);
    }

    /** Requests for it so far. */
    public long arrivals() {
        return arrivals;
    }

    /** When the policy wants to be asked about its line again; in the past if it does not. */
    double askAgainAt() {
        return askAgainAt;
    }

    void askAgainAt(double time) {
        askAgainAt = time;
    }

    void arrived() {
        arrivals++;
    }

    void add(Placement placement) {
        int at = 0;
        while (at < placements.size() && placements.get(at).provider().index() < placement.provider().index()) {
            at++;
        }
        placements.add(at, placement);
    }

    void remove(Placement placement) {
        placements.remove(placement);
    }

    void wait(Request request) {
        line.add(request);
    }

    List<Request> takeLine() {
        List<Request> waiting = List.copyOf(line);
        line.clear();
        return waiting;
    }

    @Override
    public String toString() {
        return spec.name();
    }
}
