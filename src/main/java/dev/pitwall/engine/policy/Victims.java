package dev.pitwall.engine.policy;

import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Provider;
import dev.pitwall.engine.Reason;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds which placements of a provider could go, and at what expected cost. Up to {@value #EXACT} candidates all sets are
 * looked at from which nobody can be spared; beyond, they are taken by cost for their size.
 */
final class Victims {
    private static final int EXACT = 10;

    /**
     * A set that makes enough room.
     *
     * @param reload  seconds that loading them again is expected to cost
     * @param seconds until the last of them has done its work; 0 if all are idle
     */
    record Chosen(List<Candidate> candidates, double reload, double seconds) {
        private static final Chosen NOBODY = new Chosen(List.of(), 0, 0);

        Chosen {
            candidates = List.copyOf(candidates);
        }

        /** None of them has work. */
        boolean atOnce() {
            return candidates.stream().allMatch(c -> c.placement().evictable());
        }

        List<Placement> placements() {
            return candidates.stream().map(Candidate::placement).toList();
        }

        List<Reason.Going> going(double now) {
            return candidates.stream().map(c -> new Reason.Going(c.placement().model().spec().name(),
                    c.placement().idle() ? now - c.placement().idleSince() : 0, c.reload())).toList();
        }
    }

    /** A placement that could go, what that costs, and how long it is busy. */
    record Candidate(Placement placement, double reload, double seconds) {
        double density(double secondPrice) {
            return (reload + seconds * secondPrice) / placement.needMiB();
        }
    }

    private final Losses losses;
    private final Services services;
    private final Subsets subsets = new Subsets(EXACT);

    Victims(Losses losses, Services services) {
        this.losses = losses;
        this.services = services;
    }

    /**
     * The cheapest sets, those among them whose work would have to be waited for, and the cheapest that is idle. Empty if
     * the room cannot be made.
     *
     * @param most        sets, besides the one that is idle
     * @param secondPrice what a second until a set is idle costs
     */
    List<Chosen> ways(Model model, Provider provider, int most, double secondPrice, double now) {
        double missing = provider.needMiB(model) - provider.freeMiB();
        if (missing <= 0) {
            return List.of(Chosen.NOBODY);
        }
        List<Candidate> idle = candidates(provider, true, now);
        List<Candidate> busy = candidates(provider, false, now);
        List<Candidate> all = new ArrayList<>(idle);
        all.addAll(busy);
        if (all.stream().mapToDouble(c -> c.placement().needMiB()).sum() < missing) {
            return List.of();
        }
        if (all.size() > EXACT) {
            List<Chosen> ways = new ArrayList<>();
            ways.add(greedy(all, missing, secondPrice));
            atOnce(idle, missing).ifPresent(ways::add);
            return ways;
        }
        return subsets.cheapest(all, idle.size(), missing, most, secondPrice).stream().map(Victims::chosen).toList();
    }

    /** The cheapest set of placements that are idle. */
    Optional<Chosen> atOnce(Model model, Provider provider, double now) {
        double missing = provider.needMiB(model) - provider.freeMiB();
        return missing <= 0 ? Optional.of(Chosen.NOBODY) : atOnce(candidates(provider, true, now), missing);
    }

    private Optional<Chosen> atOnce(List<Candidate> idle, double missing) {
        if (idle.stream().mapToDouble(c -> c.placement().needMiB()).sum() < missing) {
            return Optional.empty();
        }
        return Optional.of(idle.size() > EXACT ? greedy(idle, missing, 0)
                : chosen(subsets.cheapest(idle, idle.size(), missing, 1, 0).getFirst()));
    }

    private List<Candidate> candidates(Provider provider, boolean evictable, double now) {
        List<Candidate> candidates = new ArrayList<>();
        for (Placement p : provider.placements()) {
            if (p.evictable() == evictable && !p.pinned() && !provider.held()) {
                candidates.add(new Candidate(p, losses.seconds(p, now), evictable ? 0 : services.workSeconds(p)));
            }
        }
        return candidates;
    }

    private static Chosen greedy(List<Candidate> candidates, double missing, double secondPrice) {
        List<Candidate> going = new ArrayList<>();
        double over = -missing;
        for (Candidate c : candidates.stream().sorted(Comparator.comparingDouble(c -> c.density(secondPrice))).toList()) {
            if (over < 0) {
                going.add(c);
                over += c.placement().needMiB();
            }
        }
        for (Candidate c : List.copyOf(going).reversed()) {
            if (c.placement().needMiB() <= over) {
                going.remove(c);
                over -= c.placement().needMiB();
            }
        }
        return chosen(going);
    }

    private static Chosen chosen(List<Candidate> going) {
        return new Chosen(going, going.stream().mapToDouble(Candidate::reload).sum(),
                going.stream().mapToDouble(Candidate::seconds).max().orElse(0));
    }
}
