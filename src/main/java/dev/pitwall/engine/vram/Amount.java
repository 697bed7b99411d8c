package dev.pitwall.engine.vram;

/**
 * Bytes that are not known exactly.
 *
 * @param low    it will hardly be less
 * @param likely the figure to count with
 * @param high   it will hardly be more
 */
public record Amount(long low, long likely, long high) {
    /** Nothing, and that is certain. */
    public static final Amount ZERO = exactly(0);

    public Amount {
        if (low < 0 || low > likely || likely > high) {
            throw new IllegalArgumentException("not in order: " + low + ", " + likely + ", " + high);
        }
    }

    public static Amount exactly(long bytes) {
        return new Amount(bytes, bytes, bytes);
    }

    /** @param share of the figure, on either side, for example 0.03 */
    public static Amount about(long bytes, double share) {
        long margin = Math.min(bytes, Math.round(bytes * share));
        return new Amount(bytes - margin, bytes, bytes + margin);
    }

    /** The likely figure with limits that are moved where they would not hold it. */
    public static Amount between(long low, long likely, long high) {
        return new Amount(Math.clamp(low, 0, likely), likely, Math.max(likely, high));
    }

    public Amount plus(Amount other) {
        return new Amount(low + other.low, likely + other.likely, high + other.high);
    }

    public boolean exact() {
        return low == high;
    }
}
