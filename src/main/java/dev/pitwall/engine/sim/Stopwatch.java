package dev.pitwall.engine.sim;

import dev.pitwall.engine.Board;
import dev.pitwall.engine.Model;
import dev.pitwall.engine.Pin;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Policy;
import dev.pitwall.engine.Refusal;
import dev.pitwall.engine.Verdict;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A policy whose decisions are timed, with all it does about the event that leads to one: what it learns from a request,
 * and the rules it runs beside.
 */
final class Stopwatch implements Policy {
    private final Policy policy;
    private final Tally tally;
    /** Of the present event, outside decisions. */
    private long nanos;

    Stopwatch(Policy policy, Tally tally) {
        this.policy = policy;
        this.tally = tally;
    }

    @Override
    public Verdict decide(Model model, Board board, double now) {
        long before = System.nanoTime();
        Verdict verdict = policy.decide(model, board, now);
        tally.decision(nanos + System.nanoTime() - before);
        nanos = 0;
        return verdict;
    }

    @Override
    public Optional<Beside> beside(Board board, double now) {
        return policy.beside(board, now);
    }

    @Override
    public void refused(long request) {
        policy.refused(request);
    }

    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public void begin(Board board) {
        policy.begin(board);
    }

    @Override
    public List<Pin> initial(Board board) {
        return policy.initial(board);
    }

    @Override
    public Optional<Refusal> refuses(Model model) {
        return policy.refuses(model);
    }

    @Override
    public OptionalDouble idleLimit() {
        return policy.idleLimit();
    }

    @Override
    public void arrived(long request, Model model, double now) {
        long before = System.nanoTime();
        policy.arrived(request, model, now);
        nanos = System.nanoTime() - before;
    }

    @Override
    public void used(Placement placement, double now) {
        long before = System.nanoTime();
        policy.used(placement, now);
        nanos += System.nanoTime() - before;
    }

    @Override
    public void placed(Placement placement, double now) {
        policy.placed(placement, now);
    }

    @Override
    public void evicted(Placement placement, double now) {
        policy.evicted(placement, now);
    }

    @Override
    public void served(long request, Model model, double seconds, double now) {
        long before = System.nanoTime();
        policy.served(request, model, seconds, now);
        nanos = System.nanoTime() - before;
    }

    @Override
    public void waited(long request, double seconds) {
        policy.waited(request, seconds);
    }
}
