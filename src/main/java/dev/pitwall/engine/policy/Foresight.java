package dev.pitwall.engine.policy;

import dev.pitwall.engine.Board;
import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Provider;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What a decision will have cost a while later: it is made on paper, and the needs that may come are played through with
 * a plain rule. This sees what no sum over victims does: which card is left for what comes and goes, gaps that nothing
 * fits, a large model whose return drives out many. Ways are compared in a {@link Race} over the same futures, so that
 * they differ only in what they lead to.
 */
final class Foresight {
    /** With more cards a decision would take too long. */
    private static final int MOST_PROVIDERS = 16;
    private static final int MOST_MODELS = 200;
    /** Models that are less likely to be needed while it matters are left out. */
    private static final double LEAST_LIKELIHOOD = 0.01;
    /** Needs of a future, for each model that matters: what is decided now shows until most have been needed a few times. */
    private static final int NEEDS_PER_MODEL = 4;
    private static final int FEWEST_NEEDS = 40;
    private static final int MOST_NEEDS = 100;
    private static final int FIRST_NEEDS = 8;

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
    /** Always begins alike: the same events give the same decisions. */
    private final SplittableRandom random = new SplittableRandom(1);

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
        Layout layout = new Layout(board, models);
        Race race = new Race(layout, new Worths(outlooks, load, losses.horizonSeconds(now)), layout.position(model), ways);
        return race.best(new Futures(random, outlooks, waits, far(models.length)));
    }

    /** Needs ahead that are worth playing through: no more than there were so far, as little was learned from few. */
    private int far(int models) {
        int most = Math.clamp(NEEDS_PER_MODEL * models, FEWEST_NEEDS, MOST_NEEDS);
        return Math.clamp(needs.seen(), FIRST_NEEDS, most);
    }
}
