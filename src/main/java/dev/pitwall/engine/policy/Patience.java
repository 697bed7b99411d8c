package dev.pitwall.engine.policy;

import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.Model;

import java.util.Optional;

/**
 * How much loading a second of a request's wait is worth. It moves so that requests wait on average no longer than they
 * would with the best of the known rules: dear when they do, cheap when there is time to spare.
 */
final class Patience {
    /** Below the least, waiting no longer saved loads; above the most, it no longer fell, while loads rose. */
    private static final double FIRST_PRICE = 0.1;
    private static final double LEAST_PRICE = 0.03;
    private static final double MOST_PRICE = 0.3;
    private static final double DEARER = 1.1;
    private static final double CHEAPER = 0.98;
    /** How much of the best rule's wait may be used before waiting gets dearer. */
    private static final double SPARE = 0.95;
    /** With more cards the shadows cost more time than a decision has; the price then stays. */
    private static final int MOST_PROVIDERS = 64;

    private final Optional<Shadows> shadows;
    private double price;

    Patience(Fleet fleet, Services services) {
        shadows = fleet.providers().size() > MOST_PROVIDERS ? Optional.empty() : Optional.of(new Shadows(fleet, services));
        price = FIRST_PRICE;
    }

    void arrived(long request, Model model, double now) {
        shadows.ifPresent(s -> {
            s.arrived(request, model.index(), now);
            double own = s.ownWaitSeconds(now);
            double allowed = SPARE * s.bestWaitSeconds();
            if (own > allowed) {
                price = Math.min(MOST_PRICE, price * DEARER);
            } else {
                price = Math.max(LEAST_PRICE, price * CHEAPER);
            }
        });
    }

    void refused(long request) {
        shadows.ifPresent(s -> s.refused(request));
    }

    void waited(long request, double seconds) {
        shadows.ifPresent(s -> s.waited(request, seconds));
    }

    void served(long request, double seconds) {
        shadows.ifPresent(s -> s.served(request, seconds));
    }

    /** Seconds of loading that a second of one request's wait may save. */
    double price() {
        return price;
    }
}
