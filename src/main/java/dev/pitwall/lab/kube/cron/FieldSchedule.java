package dev.pitwall.lab.kube.cron;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Five fields in a time zone. An hour that the clocks leave out is not waited for; one that they go through twice counts
 * twice. Where both days are narrowed down, one of the two is enough.
 */
record FieldSchedule(Field minutes, Field hours, Field days, Field months, Field weekdays, ZoneId zone)
        implements Schedule {
    private static final int YEARS = 5;
    private static final int SUNDAY = 7;

    static FieldSchedule of(List<String> fields, ZoneId zone) throws ScheduleRefusal {
        return new FieldSchedule(Field.of(fields.get(0), Field.Unit.MINUTE), Field.of(fields.get(1), Field.Unit.HOUR),
                Field.of(fields.get(2), Field.Unit.DAY), Field.of(fields.get(3), Field.Unit.MONTH),
                Field.of(fields.get(4), Field.Unit.WEEKDAY), zone);
    }

    @Override
    public Optional<Instant> next(Instant after) {
        ZonedDateTime moment = after.atZone(zone).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
        int last = moment.getYear() + YEARS;
        while (moment.getYear() <= last) {
            LocalDate date = moment.toLocalDate();
            if (!months.has(date.getMonthValue())) {
                moment = date.withDayOfMonth(1).plusMonths(1).atStartOfDay(zone);
            } else if (!takes(date)) {
                moment = date.plusDays(1).atStartOfDay(zone);
            } else if (!hours.has(moment.getHour())) {
                moment = moment.truncatedTo(ChronoUnit.HOURS).plusHours(1);
            } else if (!minutes.has(moment.getMinute())) {
                moment = moment.plusMinutes(1);
            } else {
                return Optional.of(moment.toInstant());
            }
        }
        return Optional.empty();
    }

    private boolean takes(LocalDate date) {
        boolean day = days.has(date.getDayOfMonth());
        boolean weekday = weekdays.has(date.getDayOfWeek().getValue() % SUNDAY);
        return days.any() || weekdays.any() ? day && weekday : day || weekday;
    }
}
