package dev.pitwall.lab.kube.cron;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * One field of a schedule: which numbers it takes.
 *
 * @param any it takes all of them because it says so with a star or a question mark
 */
record Field(BitSet numbers, boolean any) {

    /** What a field may say. */
    enum Unit {
        MINUTE(0, 59, List.of()), HOUR(0, 23, List.of()), DAY(1, 31, List.of()),
        MONTH(1, 12, List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")),
        WEEKDAY(0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat"));

        private final int least;
        private final int most;
        private final List<String> names;

        Unit(int least, int most, List<String> names) {
            this.least = least;
            this.most = most;
            this.names = names;
        }

        private int number(String text) throws ScheduleRefusal {
            int named = names.indexOf(text.toLowerCase(Locale.ROOT));
            return named >= 0 ? named + least : whole(text);
        }
    }

    /** Ranges between commas. */
    static Field of(String text, Unit unit) throws ScheduleRefusal {
        BitSet numbers = new BitSet();
        boolean any = false;
        for (String range : text.split(",")) {
            if (!range.isEmpty()) {
                any |= range(range, unit, numbers);
            }
        }
        return new Field(numbers, any);
    }

    boolean has(int number) {
        return numbers.get(number);
    }

    /** A number, {@code 1-5}, {@code *}, and each of them with a step after a slash. @return true for all of them */
    private static boolean range(String text, Unit unit, BitSet numbers) throws ScheduleRefusal {
        String[] parts = text.split("/", -1);
        String[] ends = parts[0].split("-", -1);
        if (parts.length > 2) {
            throw new ScheduleRefusal("too many slashes: " + text);
        }
        boolean star = ends[0].equals("*") || ends[0].equals("?");
        if (!star && ends.length > 2) {
            throw new ScheduleRefusal("too many hyphens: " + text);
        }
        int first = star ? unit.least : unit.number(ends[0]);
        int last = star ? unit.most : ends.length == 1 ? first : unit.number(ends[1]);
        int step = parts.length == 1 ? 1 : whole(parts[1]);
        // "5/15" goes on to the greatest number there is.
        last = parts.length == 2 && ends.length == 1 ? unit.most : last;
        check(text, unit, first, last, step);
        for (int number = first; number <= last; number += step) {
            numbers.set(number);
        }
        return star && step == 1;
    }

    private static void check(String text, Unit unit, int first, int last, int step) throws ScheduleRefusal {
        if (first < unit.least) {
            throw new ScheduleRefusal("beginning of range (" + first + ") below minimum (" + unit.least + "): " + text);
        }
        if (last > unit.most) {
            throw new ScheduleRefusal("end of range (" + last + ") above maximum (" + unit.most + "): " + text);
        }
        if (first > last) {
            throw new ScheduleRefusal("beginning of range (" + first + ") beyond end of range (" + last + "): " + text);
        }
        if (step == 0) {
            throw new ScheduleRefusal("step of range should be a positive number: " + text);
        }
    }

    private static int whole(String text) throws ScheduleRefusal {
        int number;
        try {
            number = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new ScheduleRefusal("failed to parse int from " + text + ": strconv.Atoi: parsing \"" + text
                    + "\": invalid syntax");
        }
        if (number < 0) {
            throw new ScheduleRefusal("negative number (" + number + ") not allowed: " + text);
        }
        return number;
    }
}
