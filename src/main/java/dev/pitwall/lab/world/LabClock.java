package dev.pitwall.lab.world;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The lab's time: real time from a start, times a speed, so that a driver that takes three minutes to compile need not.
 */
public final class LabClock implements InstantSource {
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
}
