package dev.pitwall.engine.policy;

import dev.pitwall.engine.Board;
import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Provider;

import java.util.List;
import java.util.Optional;

/**
 * What a decision will have cost a while later: it is made on paper, and the needs that may come are played through with
 * a plain rule. This sees what no sum over victims does: which card is left for what comes and goes, gaps that nothing
 * fits, a large model whose return drives out many. All ways are played through with the same futures, so that they
 * differ only in what they lead to.
 */
final class Foresight {
    /** With more cards a decision would take too long. */
    private static final int MOST_PROVIDERS = 16;
    private static final int MOST_MODELS = 200;
    /** Models that are less likely to be needed while it matters are left out. */
    private static final double LEAST_LIKELIHOOD = 0.01;

    private final Board board;
    private final Needs needs;
    private final Losses losses;
    private final Futures futures;

    Foresight(Board board, Needs needs, Losses losses) {
        this.board = board;
        this.needs = needs;
        this.losses = losses;
        this.futures = new Futures(needs);
    }

    /** Ahead of a decision about that model; nothing if the fleet is too large. */
    Optional<Ahead> ahead(Model model, double now) {
        if (board.providers().size() > MOST_PROVIDERS) {
            return Optional.empty();
        }
        int[] models = board.models().stream().filter(m -> m == model || !m.placements().isEmpty()
                || needs.likelihood(m.index(), now, losses.horizonSeconds(now)) >= LEAST_LIKELIHOOD)
                .mapToInt(Model::index).toArray();
        if (models.length > MOST_MODELS) {
            return Optional.empty();
        }
        double[] worth = new double[models.length];
        double[] used = new double[models.length];
        for (int i = 0; i < models.length; i++) {
            worth[i] = losses.seconds(models[i], now);
            used[i] = losses.secondsOnceUsed(models[i], now);
        }
        return Optional.of(new Ahead(model, new Layout(board, models, worth, used), futures.draw(models, now)));
    }

    /** The futures of one decision. */
    static final class Ahead {
        private final Model model;
        private final Layout layout;
        private final int[][] rows;

        private Ahead(Model model, Layout layout, int[][] rows) {
            this.model = model;
            this.layout = layout;
            this.rows = rows;
        }

        /** Seconds of loading to come, less what is then there, on average; only differences between ways mean something. */
        double seconds(Provider provider, List<Placement> victims) {
            double sum = 0;
            for (int[] row : rows) {
                layout.begin(model.index(), provider, victims);
                for (int i : row) {
                    sum += layout.needs(i);
                }
                sum -= layout.worth();
            }
            return sum / rows.length;
        }
    }
}
