package dev.pitwall.journey.operator;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of numbers, however many it has: of a chart, of Kubernetes, of Talos.
 *
 * @param numbers for example 26, 3 and 2 of {@code v26.3.2}
 */
record VersionNumber(int[] numbers) implements Comparable<VersionNumber> {
    private static final Pattern NUMBERS = Pattern.compile("v?(\\d{1,6}(?:\\.\\d{1,6})*)");

    /** @return the numbers that a text begins with; a text without any is older than all */
    static VersionNumber of(String text) {
        Matcher m = NUMBERS.matcher(text.strip());
        return new VersionNumber(m.lookingAt() ? Arrays.stream(m.group(1).split("\\.")).mapToInt(Integer::parseInt).toArray()
                : new int[0]);
    }

    /** The first number, which is the year of a GPU Operator; 0 if there is none. */
    int major() {
        return numbers.length == 0 ? 0 : numbers[0];
    }

    /** For example {@code 1.33} of {@code v1.33.5+rke2r1}. */
    VersionNumber minor() {
        return new VersionNumber(Arrays.copyOf(numbers, Math.min(numbers.length, 2)));
    }

    boolean before(VersionNumber other) {
        return compareTo(other) < 0;
    }

    /** A number that is missing counts as 0. */
    @Override
    public int compareTo(VersionNumber other) {
        int longest = Math.max(numbers.length, other.numbers.length);
        return Arrays.compare(Arrays.copyOf(numbers, longest), Arrays.copyOf(other.numbers, longest));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VersionNumber version && compareTo(version) == 0;
    }

    @Override
    public int hashCode() {
        int last = numbers.length;
        while (last > 0 && numbers[last - 1] == 0) {
            last--;
        }
        return Arrays.hashCode(Arrays.copyOf(numbers, last));
    }
}
