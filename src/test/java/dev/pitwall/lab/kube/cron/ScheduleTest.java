package dev.pitwall.lab.kube.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "*/5 * * * *       | 2026-09-01T08:02:30Z | 2026-09-01T08:05:00Z",
            "*/5 * * * *       | 2026-09-01T08:05:00Z | 2026-09-01T08:10:00Z",
            "0 3 * * *         | 2026-09-01T08:00:00Z | 2026-09-02T03:00:00Z",
            "30 8-10,14 * * *  | 2026-09-01T10:30:00Z | 2026-09-01T14:30:00Z",
            "10/20 * * * *     | 2026-09-01T08:31:00Z | 2026-09-01T08:50:00Z",
            "5-20/5 * * * *    | 2026-09-01T08:16:00Z | 2026-09-01T08:20:00Z",
            "0 0 ? * mon-FRI   | 2026-09-04T00:00:00Z | 2026-09-07T00:00:00Z",
            "0 0 1 JAN,jul *   | 2026-09-01T00:00:00Z | 2027-01-01T00:00:00Z",
            "0 12 13 * 5       | 2026-09-01T00:00:00Z | 2026-09-04T12:00:00Z",
            "0 12 13 * *       | 2026-09-01T00:00:00Z | 2026-09-13T12:00:00Z",
            "0 0 29 2 *        | 2026-09-01T00:00:00Z | 2028-02-29T00:00:00Z",
            "@hourly           | 2026-09-01T08:00:00Z | 2026-09-01T09:00:00Z",
            "@daily            | 2026-09-01T08:00:00Z | 2026-09-02T00:00:00Z",
            "@midnight         | 2026-09-01T08:00:00Z | 2026-09-02T00:00:00Z",
            "@weekly           | 2026-09-01T08:00:00Z | 2026-09-06T00:00:00Z",
            "@monthly          | 2026-09-01T08:00:00Z | 2026-10-01T00:00:00Z",
            "@yearly           | 2026-09-01T08:00:00Z | 2027-01-01T00:00:00Z",
            "@every 1h30m      | 2026-09-01T08:00:10Z | 2026-09-01T09:30:10Z",
            "@every 100ms      | 2026-09-01T08:00:10Z | 2026-09-01T08:00:11Z"})
    void comesNext(String text, Instant after, Instant next) throws ScheduleRefusal {
        assertThat(Schedule.parse(text, ZoneOffset.UTC).next(after)).contains(next);
    }

    @Test
    void hoursAreToldInItsZone() throws ScheduleRefusal {
        Schedule schedule = Schedule.parse("30 6 * * *", ZoneId.of("Europe/Berlin"));

        assertThat(schedule.next(Instant.parse("2026-09-01T00:00:00Z"))).contains(Instant.parse("2026-09-01T04:30:00Z"));
        assertThat(schedule.next(Instant.parse("2026-12-01T00:00:00Z"))).contains(Instant.parse("2026-12-01T05:30:00Z"));
    }

    @Test
    void anHourTheClocksLeaveOutIsNotWaitedForAndOneTheyRepeatCountsTwice() throws ScheduleRefusal {
        Schedule schedule = Schedule.parse("30 2 * * *", ZoneId.of("Europe/Berlin"));

        assertThat(schedule.next(Instant.parse("2026-03-28T12:00:00Z"))).contains(Instant.parse("2026-03-30T00:30:00Z"));
        List<Instant> autumn = new ArrayList<>();
        Instant moment = Instant.parse("2026-10-24T12:00:00Z");
        for (int i = 0; i < 3; i++) {
            moment = schedule.next(moment).orElseThrow();
            autumn.add(moment);
        }
        assertThat(autumn).containsExactly(Instant.parse("2026-10-25T00:30:00Z"), Instant.parse("2026-10-25T01:30:00Z"),
                Instant.parse("2026-10-26T01:30:00Z"));
    }

    @Test
    void aDayThatNeverComesHasNoNext() throws ScheduleRefusal {
        assertThat(Schedule.parse("59 23 31 2 *", ZoneOffset.UTC).next(Instant.parse("2026-09-01T00:00:00Z"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "every day      | expected exactly 5 fields, found 2: [every day]",
            "60 * * * *     | end of range (60) above maximum (59): 60",
            "* * 0 * *      | beginning of range (0) below minimum (1): 0",
            "* * * * 7      | end of range (7) above maximum (6): 7",
            "9-5 * * * *    | beginning of range (9) beyond end of range (5): 9-5",
            "1-2-3 * * * *  | too many hyphens: 1-2-3",
            "1/2/3 * * * *  | too many slashes: 1/2/3",
            "*/0 * * * *    | step of range should be a positive number: */0",
            "x * * * *      | failed to parse int from x: strconv.Atoi: parsing \"x\": invalid syntax",
            "@reboot        | unrecognized descriptor: @reboot",
            "@every soon    | failed to parse duration @every soon: time: invalid duration \"soon\""})
    void saysWhyATextIsNoSchedule(String text, String message) {
        assertThatThrownBy(() -> Schedule.parse(text, ZoneOffset.UTC)).isInstanceOf(ScheduleRefusal.class)
                .hasMessage(message);
    }

    @Test
    void nothingIsNoSchedule() {
        assertThatThrownBy(() -> Schedule.parse("", ZoneOffset.UTC)).hasMessage("empty spec string");
    }
}
