package dev.pitwall.lab.world;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

class LabClockTest {
    private static final Instant START = Instant.parse("2025-11-20T20:00:00Z");

    private final AtomicReference<Instant> real = new AtomicReference<>(START);
    private final LabClock clock = new LabClock(real::get);

    private void passes(Duration time) {
        real.updateAndGet(now -> now.plus(time));
    }

    private Duration shown() {
        return Duration.between(START, clock.instant());
    }

    @Test
    void runsAtItsSpeedAlsoWhenThatChanges() {
        passes(Duration.ofSeconds(2));
        assertThat(shown()).isEqualTo(Duration.ofSeconds(2));
        clock.speed(100);
        passes(Duration.ofSeconds(1));
        assertThat(shown()).isEqualTo(Duration.ofSeconds(102));
        clock.speed(1);
        passes(Duration.ofSeconds(1));
        assertThat(shown()).isEqualTo(Duration.ofSeconds(103));
    }

    @Test
    void aFastClockDoesNotRunAwayFromWhoFollowsIt() {
        clock.speed(500);
        LabClock.Follower follower = clock.follow();
        passes(Duration.ofMillis(30));
        assertThat(shown()).isEqualTo(Duration.ofSeconds(15));
        passes(Duration.ofSeconds(3));
        assertThat(shown()).as("it stands").isEqualTo(Duration.ofSeconds(20));
        passes(Duration.ofSeconds(3));
        follower.keepsUp();
        assertThat(shown()).isEqualTo(Duration.ofSeconds(20));
        passes(Duration.ofMillis(10));
        assertThat(shown()).as("it goes on, and makes nothing up for").isEqualTo(Duration.ofSeconds(25));
        follower.close();
        passes(Duration.ofSeconds(1));
        assertThat(shown()).isEqualTo(Duration.ofSeconds(525));
    }

    @Test
    void theSlowestOfSeveralIsWaitedFor() {
        clock.speed(10);
        LabClock.Follower quick = clock.follow();
        LabClock.Follower slow = clock.follow();
        for (int i = 0; i < 10; i++) {
            passes(Duration.ofMillis(10));
            quick.keepsUp();
        }
        assertThat(shown()).isEqualTo(Duration.ofMillis(400));
        slow.keepsUp();
        passes(Duration.ofMillis(10));
        assertThat(shown()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void realTimeIsRealTime() {
        clock.follow();
        passes(Duration.ofHours(8));
        assertThat(shown()).isEqualTo(Duration.ofHours(8));
    }
}
