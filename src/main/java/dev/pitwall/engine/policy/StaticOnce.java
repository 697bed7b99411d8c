package dev.pitwall.engine.policy;

import dev.pitwall.engine.Board;
import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.Model;
import dev.pitwall.engine.Pin;
import dev.pitwall.engine.Policy;
import dev.pitwall.engine.Provider;
import dev.pitwall.engine.Refusal;
import dev.pitwall.engine.Request;
import dev.pitwall.engine.Verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code static}: the models with most requests in the trace that fit are placed once; the rest are refused. */
final class StaticOnce implements Policy {
    private final int[] requests;
    private final Set<Integer> placed = new HashSet<>();

    StaticOnce(Fleet fleet, List<Request> trace) {
        requests = new int[fleet.models().size()];
        trace.forEach(r -> requests[r.model()]++);
    }

    @Override
    public String name() {
        return "static";
    }

    @Override
    public List<Pin> initial(Board board) {
        board.models().stream().filter(m -> !m.placements().isEmpty()).forEach(m -> placed.add(m.index()));
        double[] free = board.providers().stream().mapToDouble(Provider::freeMiB).toArray();
        List<Pin> places = new ArrayList<>();
        board.models().stream().filter(m -> requests[m.index()] > 0 && !placed.contains(m.index()))
                .sorted(Comparator.comparingInt(m -> -requests[m.index()]))
                .forEach(m -> roomiest(m, board, free).ifPresent(p -> {
                    free[p.index()] -= p.spec().needMiB(m.spec());
                    placed.add(m.index());
                    places.add(new Pin(m.index(), p.index()));
                }));
        return places;
    }

    private static Optional<Provider> roomiest(Model model, Board board, double[] free) {
        return board.providers().stream().filter(p -> p.spec().needMiB(model.spec()) <= free[p.index()])
                .max(Comparator.comparingDouble((Provider p) -> free[p.index()]).thenComparing(p -> -p.index()));
    }

    @Override
    public Optional<Refusal> refuses(Model model) {
        return placed.contains(model.index()) ? Optional.empty() : Optional.of(Refusal.NOT_PLACED);
    }

    @Override
    public Verdict decide(Model model, Board board, double now) {
        return new Verdict.Blocked();
    }
}
