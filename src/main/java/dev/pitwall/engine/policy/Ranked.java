package dev.pitwall.engine.policy;

import dev.pitwall.engine.Board;
import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Policy;
import dev.pitwall.engine.Provider;
import dev.pitwall.engine.Reason;
import dev.pitwall.engine.Verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A baseline: the provider with most free memory, else the one whose victims have the least {@link KeepValue} together. */
final class Ranked implements Policy {

    /** What makes one set of victims cheaper than another. */
    enum Cheapest { LEAST_VALUE, FEWEST_VICTIMS }

    private final String name;
    private final KeepValue keep;
    private final Cheapest cheapest;
    private final OptionalDouble idleLimit;

    Ranked(String name, KeepValue keep, Cheapest cheapest, OptionalDouble idleLimit) {
        this.name = name;
        this.keep = keep;
        this.cheapest = cheapest;
        this.idleLimit = idleLimit;
    }

    Ranked(String name, KeepValue keep) {
        this(name, keep, Cheapest.LEAST_VALUE, OptionalDouble.empty());
    }

    private record Valued(Placement placement, double value) {
    }

    private record Victims(Provider provider, List<Valued> all, double sum) {
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public OptionalDouble idleLimit() {
        return idleLimit;
    }

    @Override
    public Verdict decide(Model model, Board board, double now) {
        Optional<Provider> roomiest = roomiest(model, board);
        if (roomiest.isPresent()) {
            return new Verdict.Load(roomiest.get(), List.of(), Reason.of(Reason.Kind.FITS));
        }
        Victims best = null;
        for (Provider provider : board.providers()) {
            Victims here = victims(model, provider, now);
            if (here != null && (best == null || cheaper(here, best))) {
                best = here;
            }
        }
        return best == null ? new Verdict.Blocked() : load(best, now);
    }

    private static Optional<Provider> roomiest(Model model, Board board) {
        Provider most = null;
        for (Provider p : board.providers()) {
            if (!p.held() && p.spec().needMiB(model.spec()) <= p.freeMiB()
                    && (most == null || p.freeMiB() > most.freeMiB())) {
                most = p;
            }
        }
        return Optional.ofNullable(most);
    }

    private boolean cheaper(Victims a, Victims b) {
        if (cheapest == Cheapest.FEWEST_VICTIMS && a.all().size() != b.all().size()) {
            return a.all().size() < b.all().size();
        }
        return a.sum() < b.sum();
    }

    private Victims victims(Model model, Provider provider, double now) {
        double missing = provider.spec().needMiB(model.spec()) - provider.freeMiB();
        if (provider.held() || provider.spec().needMiB(model.spec()) > provider.spec().capacityMiB()) {
            return null;
        }
        List<Valued> candidates = new ArrayList<>();
        for (Placement p : provider.placements()) {
            if (p.evictable()) {
                candidates.add(new Valued(p, keep.of(p, now)));
            }
        }
        candidates.sort(Comparator.comparingDouble(Valued::value));
        List<Valued> taken = new ArrayList<>();
        for (Valued v : candidates) {
            if (missing <= 0) {
                break;
            }
            taken.add(v);
            missing -= v.placement().needMiB();
        }
        return missing > 0 ? null : spare(provider, taken, -missing);
    }

    /** From the highest value down, whoever need not go stays. */
    private static Victims spare(Provider provider, List<Valued> taken, double over) {
        List<Valued> going = new ArrayList<>(taken);
        for (Valued v : taken.reversed()) {
            if (v.placement().needMiB() <= over) {
                going.remove(v);
                over -= v.placement().needMiB();
            }
        }
        return new Victims(provider, going, going.stream().mapToDouble(Valued::value).sum());
    }

    private static Verdict load(Victims victims, double now) {
        return new Verdict.Load(victims.provider(), victims.all().stream().map(Valued::placement).toList(),
                new Reason(Reason.Kind.LESS_NEEDED, Reason.Costs.NONE, victims.all().stream()
                        .map(v -> new Reason.Going(v.placement().model().spec().name(),
                                now - v.placement().idleSince(), v.placement().loadSeconds())).toList()));
    }

    @Override
    public void arrived(long request, Model model, double now) {
        keep.arrived(model, now);
    }

    @Override
    public void used(Placement placement, double now) {
        keep.used(placement, now);
    }

    @Override
    public void evicted(Placement placement, double now) {
        keep.evicted(placement, now);
    }
}
