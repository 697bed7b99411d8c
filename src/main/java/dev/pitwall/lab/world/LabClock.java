package dev.pitwall.lab.world;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The lab's time: real time from a start, times a speed, so that a driver that takes three minutes to compile need not.
 */
public final class LabClock implements InstantSource {
    /** A change of speed is noticed within this. */
    private static final Duration LONGEST_NAP = Duration.ofMillis(500);

    private final InstantSource real;
    private Instant realBase;
    private Instant labBase;
    private double speed = 1;

    public LabClock(InstantSource real) {
        this.real = real;
        this.realBase = real.instant();
        this.labBase = realBase;
    }

    @Override
    public synchronized Instant instant() {
        double nanos = Duration.between(realBase, real.instant()).toNanos() * speed;
        return labBase.plusNanos((long) nanos);
    }

    /** @param newSpeed lab seconds a real second, over 0 and at most 1000 */
    public synchronized void speed(double newSpeed) {
        if (!(newSpeed > 0 && newSpeed <= 1000)) {
            throw new IllegalArgumentException("speed must be over 0 and at most 1000, not " + newSpeed);
        }
        labBase = instant();
        realBase = real.instant();
        speed = newSpeed;
    }

    /** How long some lab time takes at the present speed; at least a millisecond. */
    public synchronized Duration realTime(Duration lab) {
        return Duration.ofMillis(Math.max(1, Math.round(lab.toMillis() / speed)));
    }

    /**
     * Waits for a moment of lab time, also when the speed changes meanwhile.
     *
     * @throws InterruptedException if the waiting thread is interrupted
     */
    public void await(Instant moment) throws InterruptedException {
        for (Instant now = instant(); now.isBefore(moment); now = instant()) {
            Thread.sleep(realTime(Duration.between(now, moment)).compareTo(LONGEST_NAP) > 0 ? LONGEST_NAP
                    : realTime(Duration.between(now, moment)));
        }
    }
}
