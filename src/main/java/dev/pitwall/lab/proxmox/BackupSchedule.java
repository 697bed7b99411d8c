package dev.pitwall.lab.proxmox;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a backup job runs: {@code 02:30}, {@code sat 02:30}, {@code mon..fri 21:00} and {@code mon,wed 21:00}. Proxmox's
 * calendar events say more; the lab refuses what it does not understand. Times are UTC.
 */
final class BackupSchedule {
    private static final Pattern FORM = Pattern.compile("(?:([a-z.,]+) )?(\\d{1,2}):(\\d{2})");
    private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

    private final Set<DayOfWeek> days;
    private final LocalTime time;

    private BackupSchedule(Set<DayOfWeek> days, LocalTime time) {
        this.days = days;
        this.time = time;
    }

    /** Empty if the text says something else. */
    static Optional<BackupSchedule> of(String text) {
        Matcher matcher = FORM.matcher(text.strip().toLowerCase());
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > 23 || Integer.parseInt(matcher.group(3)) > 59) {
            return Optional.empty();
        }
        Optional<Set<DayOfWeek>> days = Optional.ofNullable(matcher.group(1)).map(BackupSchedule::days)
                .orElse(Optional.of(EnumSet.allOf(DayOfWeek.class)));
        return days.map(set -> new BackupSchedule(set,
                LocalTime.of(Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)))));
    }

    /** The first time it runs after a moment. */
    Instant next(Instant after) {
        ZonedDateTime at = after.atZone(ZoneOffset.UTC).with(time).truncatedTo(ChronoUnit.MINUTES);
        while (!at.toInstant().isAfter(after) || !days.contains(at.getDayOfWeek())) {
            at = at.plusDays(1);
        }
        return at.toInstant();
    }

    private static Optional<Set<DayOfWeek>> days(String text) {
        Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
        for (String part : text.split(",")) {
            int[] ends = Arrays.stream(part.split("\\.\\.", 2)).mapToInt(DAYS::indexOf).toArray();
            if (Arrays.stream(ends).anyMatch(day -> day < 0)) {
                return Optional.empty();
            }
            for (int day = ends[0]; day <= ends[ends.length - 1]; day++) {
                days.add(DayOfWeek.of(day + 1));
            }
        }
        return Optional.of(days);
    }
}
