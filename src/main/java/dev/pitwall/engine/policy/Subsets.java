package dev.pitwall.engine.policy;

import dev.pitwall.engine.policy.Victims.Candidate;

import java.util.ArrayList;
import java.util.List;

/** All sets of a few candidates, each made from a smaller one. Its arrays are used again, as a decision must be quick. */
final class Subsets {
    private final double[] room;
    private final double[] smallest;
    private final double[] reload;
    private final double[] seconds;

    /** @param most candidates */
    Subsets(int most) {
        room = new double[1 << most];
        smallest = new double[1 << most];
        reload = new double[1 << most];
        seconds = new double[1 << most];
        smallest[0] = Double.POSITIVE_INFINITY;
    }

    /**
     * The cheapest sets that make the room and from which nobody can be spared, the cheapest first, and at the end the
     * cheapest that is idle, if it is not among them.
     *
     * @param idle how many of the candidates, the first ones, have no work
     * @param most sets wanted, at least 1
     */
    List<List<Candidate>> cheapest(List<Candidate> candidates, int idle, double missing, int most, double secondPrice) {
        int[] best = new int[most];
        double[] costs = new double[most];
        int found = 0;
        int bestIdle = 0;
        double leastIdle = Double.POSITIVE_INFINITY;
        for (int set = 1; set < 1 << candidates.size(); set++) {
            make(set, candidates);
            if (room[set] < missing || room[set] - smallest[set] >= missing) {
                continue;
            }
            double cost = reload[set] + seconds[set] * secondPrice;
            if (set < 1 << idle && cost < leastIdle) {
                leastIdle = cost;
                bestIdle = set;
            }
            if (found < most || cost < costs[most - 1]) {
                int place = Math.min(found, most - 1);
                for (; place > 0 && costs[place - 1] > cost; place--) {
                    costs[place] = costs[place - 1];
                    best[place] = best[place - 1];
                }
                costs[place] = cost;
                best[place] = set;
                found = Math.min(most, found + 1);
            }
        }
        List<List<Candidate>> sets = new ArrayList<>();
        for (int i = 0; i < found; i++) {
            sets.add(members(best[i], candidates));
            bestIdle = best[i] < 1 << idle ? 0 : bestIdle;
        }
        if (bestIdle != 0) {
            sets.add(members(bestIdle, candidates));
        }
        return sets;
    }

    private void make(int set, List<Candidate> candidates) {
        Candidate c = candidates.get(Integer.numberOfTrailingZeros(set));
        int others = set & set - 1;
        room[set] = room[others] + c.placement().needMiB();
        smallest[set] = Math.min(smallest[others], c.placement().needMiB());
        reload[set] = reload[others] + c.reload();
        seconds[set] = Math.max(seconds[others], c.seconds());
    }

    private static List<Candidate> members(int set, List<Candidate> candidates) {
        List<Candidate> members = new ArrayList<>();
        for (int rest = set; rest != 0; rest &= rest - 1) {
            members.add(candidates.get(Integer.numberOfTrailingZeros(rest)));
        }
        return members;
    }
}
