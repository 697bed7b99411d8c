package dev.pitwall.lab.world;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The lab's time: real time from a start, times a speed, so that a driver that takes three minutes to compile need not.
 *
 * <p>A clock that is faster than real time waits for its {@linkplain #follow() followers}. On a busy computer it would else
 * run away from what is to happen in the lab: a fifth of a second without processor time is over a minute at a speed of
 * 500, and a pod would be past its deadline before its container could start.
 */
public final class LabClock implements InstantSource {
    /** A change of speed is noticed within this. */
    private static final Duration LONGEST_NAP = Duration.ofMillis(500);
    /** Real time that passes for the lab, at most, since a follower was last up to date. */
    private static final Duration STRIDE = Duration.ofMillis(40);
    /** How often one that follows and has nothing to do says so. */
    private static final Duration BEAT = Duration.ofMillis(10);

    private final InstantSource real;
    private Instant realBase;
    private Instant labBase;
    private double speed = 1;
    private final Set<Follower> followers = new HashSet<>();

    public LabClock(InstantSource real) {
        this.real = real;
        this.realBase = real.instant();
        this.labBase = realBase;
    }

    @Override
    public synchronized Instant instant() {
        Instant now = real.instant();
        Instant reached = followers.isEmpty() || speed <= 1 ? now : earlier(now, slowest().plus(STRIDE));
        if (reached.isAfter(realBase)) {
            labBase = labBase.plusNanos((long) (Duration.between(realBase, reached).toNanos() * speed));
            realBase = now;
        } else if (!followers.isEmpty()) {
            realBase = now;
        }
        return labBase;
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

    private Instant slowest() {
        return followers.stream().map(f -> f.upToDate).min(Instant::compareTo).orElseThrow();
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** Who brings the lab up to date, so that its time waits for that until it is closed. */
    public synchronized Follower follow() {
        Follower follower = new Follower(real.instant());
        followers.add(follower);
        return follower;
    }

    /** One whose work the clock does not run away from. */
    public final class Follower implements AutoCloseable {
        private Instant upToDate;

        private Follower(Instant upToDate) {
            this.upToDate = upToDate;
        }

        /** All that was due has been done. */
        public void keepsUp() {
            synchronized (LabClock.this) {
                instant();
                upToDate = real.instant();
            }
        }

        /**
         * Rests with nothing to do, and keeps up.
         *
         * @param atMost real time
         * @return true if there was a permit to take, before the time was over
         */
        public boolean rest(Semaphore permits, Duration atMost) throws InterruptedException {
            Instant end = real.instant().plus(atMost);
            while (true) {
                keepsUp();
                Duration left = Duration.between(real.instant(), end);
                if (left.isNegative() || left.isZero()) {
                    return permits.tryAcquire();
                }
                Duration nap = left.compareTo(BEAT) < 0 ? left : BEAT;
                if (permits.tryAcquire(nap.toNanos(), TimeUnit.NANOSECONDS)) {
                    return true;
                }
            }
        }

        @Override
        public void close() {
            synchronized (LabClock.this) {
                instant();
                followers.remove(this);
            }
        }
    }
}
