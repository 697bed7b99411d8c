package dev.pitwall.engine.policy;

import dev.pitwall.engine.Board;
import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Provider;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a decision will have cost a while later: it is made on paper, and the needs that may come are played through with
 * a plain rule. This sees what no sum over victims does: which card is left for what comes and goes, gaps that nothing
 * fits, a large model whose return drives out many. Ways are played through with the same futures, so that they
 * differ only in what they lead to. After each round the dearer half of them is given up, so that most of the time
 * goes into telling the best ones apart.
 */
final class Foresight {
    /** With more cards a decision would take too long. */
    private static final int MOST_PROVIDERS = 16;
    private static final int MOST_MODELS = 200;
    /** Models that are less likely to be needed while it matters are left out. */
    private static final double LEAST_LIKELIHOOD = 0.01;
    /** Futures of each round: more tell ways apart better, and cost time. */
    private static final List<Integer> ROUNDS = List.of(24, 24, 48);

    /** A way to decide. @param seconds what it costs by itself */
    record Way(Provider provider, List<Placement> victims, double seconds) {
    }

    /**
     * A way that was among the best to the end.
     *
     * @param way   its position in what was asked
     * @param later seconds of loading that come later, less what is then there; only differences mean something
     */
    record Foreseen(int way, double later) {
    }

    private final Board board;
    private final Needs needs;
    private final Losses losses;
    private final Futures futures = new Futures();

    Foresight(Board board, Needs needs, Losses losses) {
        this.board = board;
        this.needs = needs;
        this.losses = losses;
    }

    /** The best of the ways to decide about that model; nothing if the fleet is too large. */
    Optional<List<Foreseen>> best(Model model, List<Way> ways, double now) {
        if (board.providers().size() > MOST_PROVIDERS) {
            return Optional.empty();
        }
        int[] models = board.models().stream().filter(m -> m == model || !m.placements().isEmpty()
                || needs.likelihood(m.index(), now, losses.horizonSeconds(now)) >= LEAST_LIKELIHOOD)
                .mapToInt(Model::index).toArray();
        return models.length > MOST_MODELS ? Optional.empty() : Optional.of(play(model, models, ways, now));
    }

    private List<Foreseen> play(Model model, int[] models, List<Way> ways, double now) {
        Outlook[] outlooks = new Outlook[models.length];
        double[] load = new double[models.length];
        boolean[] waits = new boolean[models.length];
        for (int i = 0; i < models.length; i++) {
            outlooks[i] = needs.outlook(models[i], now);
            load[i] = losses.loadSeconds(models[i]);
            Model m = board.models().get(models[i]);
            waits[i] = m != model && !m.line().isEmpty();
        }
        Layout layout = new Layout(board, models, new Worths(outlooks, load, losses.horizonSeconds(now)));
        List<Tried> tried = new ArrayList<>();
        ways.forEach(w -> tried.add(new Tried(tried.size(), w)));
        int played = 0;
        for (int draws : ROUNDS) {
            for (Futures.Future future : futures.draw(outlooks, waits, draws)) {
                tried.forEach(t -> t.play(layout, model.index(), future));
            }
            played += draws;
            giveUp(tried, played);
        }
        int drawn = played;
        return tried.stream().map(t -> new Foreseen(t.number, t.later / drawn)).toList();
    }

    /** The dearer half, but never all but one: two are told apart to the end. */
    private static void giveUp(List<Tried> tried, int played) {
        tried.sort(Comparator.comparingDouble(t -> t.cost(played)));
        tried.subList(Math.min(tried.size(), Math.max(2, (tried.size() + 1) / 2)), tried.size()).clear();
    }

    /** A way, and what came later in the futures so far. */
    private static final class Tried {
        private final int number;
        private final Way way;
        private double later;

        Tried(int number, Way way) {
            this.number = number;
            this.way = way;
        }

        void play(Layout layout, int model, Futures.Future future) {
            layout.begin(model, way.provider(), way.victims());
            for (int n = 0; n < future.models().length; n++) {
                later += layout.needs(future.models()[n], future.at()[n]);
            }
            later -= layout.worth();
        }

        double cost(int futures) {
            return way.seconds() + later / futures;
        }
    }
}
