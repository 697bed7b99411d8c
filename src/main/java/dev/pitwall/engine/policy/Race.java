package dev.pitwall.engine.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Ways played through the same futures, side by side. Where two sheets have come to hold the same, only one of them is
 * played on; where all do, the future has no more to tell. After each round the ways are given up that are dearer than
 * the best beyond doubt, judged by what the two differ in each future, and the dearest of the others, so that most of
 * the time goes into telling the best ones apart. The race ends when one is left, or when it has taken its steps.
 */
final class Race {
    /** Standard errors of the mean difference to the best by which a way must be dearer to be given up at once. */
    private static final double DOUBT = 3;
    /** Needs played through, of all ways together: what a decision may take. */
    private static final int MOST_STEPS = 6000;
    private static final List<Round> ROUNDS = List.of(new Round(8, 6), new Round(8, 4), new Round(16, 3), new Round(16, 2));
    private static final int MOST_FUTURES = ROUNDS.stream().mapToInt(Round::futures).sum();

    /** @param left ways that are left after it, at most */
    private record Round(int futures, int left) {
    }

    /** A way with what came later in each future so far. */
    private static final class Runner {
        private final int number;
        private final double own;
        private final Sheet sheet;
        private final double[] later = new double[MOST_FUTURES];
        /** Whom it follows in the present future, and what it had paid beyond that one by then. */
        private Runner ahead;
        private double more;
        private double paid;

        Runner(int number, double own, Sheet sheet) {
            this.number = number;
            this.own = own;
            this.sheet = sheet;
        }

        void begin() {
            sheet.begin();
            ahead = null;
        }

        void follow(Runner other) {
            ahead = other;
            more = sheet.seconds() - other.sheet.seconds();
        }

        double total() {
            return ahead == null ? paid : ahead.total() + more;
        }

        double mean(int futures) {
            double sum = 0;
            for (int n = 0; n < futures; n++) {
                sum += later[n];
            }
            return sum / futures;
        }
    }

    private final Moment moment;
    private final int model;
    private final List<Runner> runners = new ArrayList<>();
    /** Those that follow nobody in the present future. */
    private final List<Runner> leading = new ArrayList<>();
    private int played;
    private int steps;

    /** @param model the position of the one that is decided about */
    Race(Layout layout, Worths worths, int model, List<Foresight.Way> ways) {
        this.model = model;
        moment = new Moment(worths, layout.size(), layout.most.length);
        for (Foresight.Way way : ways) {
            runners.add(new Runner(runners.size(), way.seconds(), new Sheet(layout, moment, model, way)));
        }
    }

    /** Those that are left, at most two, with what comes later. */
    List<Foresight.Foreseen> best(Futures futures) {
        for (Round round : ROUNDS) {
            for (int n = 0; n < round.futures() && (steps < MOST_STEPS || played < ROUNDS.getFirst().futures()); n++) {
                play(futures);
            }
            giveUp(round.left());
            if (runners.size() < 2) {
                break;
            }
        }
        return runners.stream().map(r -> new Foresight.Foreseen(r.number, r.mean(played))).toList();
    }

    private void play(Futures futures) {
        futures.another();
        moment.begin(model);
        leading.clear();
        leading.addAll(runners);
        runners.forEach(Runner::begin);
        meet();
        while (leading.size() > 1) {
            int needed = futures.next();
            if (needed == Futures.NONE) {
                break;
            }
            moment.needed(needed, futures.at());
            boolean changed = false;
            for (Runner runner : leading) {
                changed |= runner.sheet.needs(needed);
            }
            steps += leading.size() + 1;
            if (changed) {
                meet();
            }
        }
        for (Runner runner : leading) {
            runner.paid = runner.sheet.seconds() - (leading.size() > 1 ? runner.sheet.worth() : 0);
        }
        for (Runner runner : runners) {
            runner.later[played] = runner.total();
        }
        played++;
    }

    /** Who has come to hold the same as another follows that one from here on. */
    private void meet() {
        for (int i = leading.size() - 1; i > 0; i--) {
            Runner runner = leading.get(i);
            for (int j = 0; j < i; j++) {
                if (leading.get(j).sheet.mark() == runner.sheet.mark()) {
                    runner.follow(leading.get(j));
                    leading.remove(i);
                    break;
                }
            }
        }
    }

    private void giveUp(int most) {
        runners.sort(Comparator.comparingDouble(r -> r.own + r.mean(played)));
        Runner best = runners.getFirst();
        runners.removeIf(r -> r != best && dearer(r, best));
        runners.subList(Math.min(runners.size(), most), runners.size()).clear();
    }

    /** Beyond doubt; the same futures make the same chances for both, so they differ by less than either varies. */
    private boolean dearer(Runner runner, Runner best) {
        double sum = 0;
        double squares = 0;
        for (int n = 0; n < played; n++) {
            double more = runner.own + runner.later[n] - best.own - best.later[n];
            sum += more;
            squares += more * more;
        }
        double mean = sum / played;
        double variance = Math.max(0, squares / played - mean * mean);
        return mean >= DOUBT * Math.sqrt(variance / (played - 1));
    }
}
