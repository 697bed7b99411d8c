package dev.pitwall.ui.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AgesTest {

    @Test
    void anAgeHasOneUnitRoundedDown() {
        assertThat(Ages.brief(Duration.ofMillis(1999))).isEqualTo("1 s");
        assertThat(Ages.brief(Duration.ofSeconds(59))).isEqualTo("59 s");
        assertThat(Ages.brief(Duration.ofSeconds(60))).isEqualTo("1 min");
        assertThat(Ages.brief(Duration.ofMinutes(119))).isEqualTo("1 h");
        assertThat(Ages.brief(Duration.ofDays(17))).isEqualTo("17 d");
    }

    @Test
    void aClockThatRunsAheadIsNeverNegative() {
        assertThat(Ages.brief(Duration.ofSeconds(-3))).isEqualTo("0 s");
    }

    @Test
    void aLongSpanHasTwoUnits() {
        assertThat(Ages.full(Duration.ofMinutes(112))).isEqualTo("1 h 52 min");
        assertThat(Ages.full(Duration.ofMinutes(3))).isEqualTo("3 min");
        assertThat(Ages.full(Duration.ofHours(2))).isEqualTo("2 h");
        assertThat(Ages.full(Duration.ofHours(76))).isEqualTo("3 d 4 h");
    }
}
