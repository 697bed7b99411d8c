package dev.pitwall.engine.policy;

import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Policy.Beside;
import dev.pitwall.engine.Provider;
import dev.pitwall.engine.Reason;
import dev.pitwall.engine.Verdict;
import dev.pitwall.engine.policy.Victims.Chosen;

import java.util.Collection;
import java.util.Optional;

/** A second placement for a model whose queue is so long that a load now saves more waiting than it costs. */
final class Replicas {
    /** Seconds of loading that a second of waiting may cost. */
    private static final double PRICE = 0.05;
    private static final int SHORTEST_QUEUE = 2;

    private final Services services;
    private final Victims victims;

    Replicas(Services services, Victims victims) {
        this.services = services;
        this.victims = victims;
    }

    private record Best(Provider provider, Chosen victims, double gain) {
    }

    Optional<Beside> of(Model model, Collection<Provider> providers, double now) {
        int queued = model.placements().stream().mapToInt(Placement::queued).sum();
        if (queued < SHORTEST_QUEUE
                || model.placements().stream().anyMatch(p -> p.state() != Placement.State.READY)) {
            return Optional.empty();
        }
        Best best = null;
        for (Provider p : providers) {
            if (!p.held() && p.loads() == 0 && model.placements().stream().noneMatch(x -> x.provider() == p)) {
                double most = PRICE * saved(model, queued, p) - p.spec().loadSeconds(model.spec());
                double least = best == null ? 0 : best.gain();
                best = most <= least ? best : victims.atOnce(model, p, now).filter(c -> most - c.reload() > least)
                        .map(c -> new Best(p, c, most - c.reload())).orElse(best);
            }
        }
        return Optional.ofNullable(best).map(b -> new Beside(model, load(model, b, now)));
    }

    /** Seconds of waiting that go if so many more are served at once, for those who still wait when the load is done. */
    private double saved(Model model, int queued, Provider provider) {
        double service = services.seconds(model.index());
        double slots = model.placements().stream().mapToInt(p -> p.provider().spec().maxParallel()).sum();
        double left = Math.max(0, queued - slots * provider.spec().loadSeconds(model.spec()) / service);
        return left * left * service / 2 * (1 / slots - 1 / (slots + provider.spec().maxParallel()));
    }

    private static Verdict.Load load(Model model, Best best, double now) {
        return new Verdict.Load(best.provider(), best.victims().placements(), new Reason(Reason.Kind.REPLICA,
                new Reason.Costs(best.provider().spec().loadSeconds(model.spec()), best.victims().reload(), 0),
                best.victims().going(now)));
    }
}
