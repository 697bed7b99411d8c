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
 * Finds which placements of a provider go at the least expected cost. Up to {@value #EXACT} candidates all sets are
 * looked at; beyond, they are taken by cost for their size, and who need not go is spared.
 */
final class Victims {
    private static final int EXACT = 10;

    /** Whether placements that have work may be waited for. */
    enum Waiting { NONE, FOR_WORK }

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

        double cost(double secondPrice) {
            return reload + seconds * secondPrice;
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

    Victims(Losses losses, Services services) {
        this.losses = losses;
        this.services = services;
    }

    /**
     * The cheapest set, if any makes enough room for the model.
     *
     * @param secondPrice what a second until it is idle costs
     */
    Optional<Chosen> choose(Model model, Provider provider, Waiting waiting, double secondPrice, double now) {
        double missing = provider.spec().needMiB(model.spec()) - provider.freeMiB();
        if (missing <= 0) {
            return Optional.of(Chosen.NOBODY);
        }
        List<Candidate> candidates = new ArrayList<>();
        double there = 0;
        for (Placement p : provider.placements()) {
            if (p.evictable() || waiting == Waiting.FOR_WORK && !p.pinned()) {
                candidates.add(new Candidate(p, losses.seconds(p, now),
                        p.evictable() ? 0 : services.workSeconds(p)));
                there += p.needMiB();
            }
        }
        if (there < missing) {
            return Optional.empty();
        }
        return Optional.of(candidates.size() <= EXACT ? exact(candidates, missing, secondPrice)
                : greedy(candidates, missing, secondPrice));
    }

    private static Chosen exact(List<Candidate> candidates, double missing, double secondPrice) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int set = 1; set < 1 << candidates.size(); set++) {
            double room = 0;
            double cost = 0;
            double seconds = 0;
            for (int rest = set; rest != 0; rest &= rest - 1) {
                Candidate c = candidates.get(Integer.numberOfTrailingZeros(rest));
                room += c.placement().needMiB();
                cost += c.reload();
                seconds = Math.max(seconds, c.seconds());
            }
            if (room >= missing && cost + seconds * secondPrice < least) {
                least = cost + seconds * secondPrice;
                best = set;
            }
        }
        List<Candidate> going = new ArrayList<>();
        for (int rest = best; rest != 0; rest &= rest - 1) {
            going.add(candidates.get(Integer.numberOfTrailingZeros(rest)));
        }
        return chosen(going);
    }

    private static Chosen greedy(List<Candidate> candidates, double missing, double secondPrice) {
        List<Candidate> going = new ArrayList<>();
        double over = -missing;
        candidates.sort(Comparator.comparingDouble(c -> c.density(secondPrice)));
        for (Candidate c : candidates) {
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
