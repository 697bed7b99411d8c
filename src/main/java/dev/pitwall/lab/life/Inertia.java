package dev.pitwall.lab.life;

/** First-order lag: a value moves towards its target and covers 63 % of the way in one time constant. */
final class Inertia {
    private Inertia() {
    }

    /** Right for any step length, so that a fast lab behaves like a slow one. */
    static double towards(double value, double target, double seconds, double timeConstantSeconds) {
        return target + (value - target) * Math.exp(-seconds / timeConstantSeconds);
    }
}
