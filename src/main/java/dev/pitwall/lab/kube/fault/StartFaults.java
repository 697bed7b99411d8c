package dev.pitwall.lab.kube.fault;

import dev.pitwall.card.TroubleException;
import dev.pitwall.lab.fault.FaultBoard;
import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The faults that are there from the lab's start: they come a while before its present, while the cluster's past is
 * lived through, so that what they lead to has come about when the first client looks. It also does what was planned in
 * the world for moments of that past. Once the present has come it never acts again.
 */
public final class StartFaults implements Controller {
    private final World world;
    private final FaultBoard board;
    private final ClusterClock clock;
    private final List<Start> starts = new ArrayList<>();
    private int next;
    private Optional<TroubleException> trouble = Optional.empty();

    /** A fault to begin with. */
    private record Start(String trap, Optional<String> card, Instant at) {
    }

    /**
     * @param faults  each {@code TRAP} or {@code TRAP@CARD}
     * @param present the lab's, up to which the past is lived through
     * @throws TroubleException if there is no such fault or card, or the scene cannot express it
     */
    public StartFaults(World world, FaultBoard board, ClusterClock clock, List<String> faults, Instant present)
            throws TroubleException {
        this.world = world;
        this.board = board;
        this.clock = clock;
        for (String fault : faults) {
            int at = fault.indexOf('@');
            String trap = at < 0 ? fault : fault.substring(0, at);
            Optional<String> card = at < 0 ? Optional.empty() : Optional.of(fault.substring(at + 1));
            starts.add(new Start(trap, card, present.minus(board.lead(trap, card))));
        }
        starts.sort(Comparator.comparing(Start::at));
    }

    @Override
    public Set<Resource> watches() {
        return Set.of();
    }

    @Override
    public Instant act(Instant now) {
        if (!clock.isPast()) {
            return Instant.MAX;
        }
        for (; next < starts.size() && !starts.get(next).at().isAfter(now); next++) {
            begin(starts.get(next));
        }
        if (world.<Boolean>read(w -> w.nextPlan().filter(at -> !at.isAfter(now)).isPresent())) {
            world.change(w -> w.runDue(now));
        }
        Instant planned = world.<Optional<Instant>>read(World::nextPlan).orElse(Instant.MAX);
        Instant start = next < starts.size() ? starts.get(next).at() : Instant.MAX;
        return start.isBefore(planned) ? start : planned;
    }

    private void begin(Start start) {
        try {
            board.on(start.trap(), start.card());
        } catch (TroubleException e) {
            trouble = trouble.or(() -> Optional.of(e));
        }
    }

    /** Why a fault could not be switched on, when its time had come; empty if all are on. */
    public Optional<TroubleException> trouble() {
        return trouble;
    }
}
