package dev.pitwall.link.helm;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of a chart by the rules of Semantic Versioning 2.0.0; Helm lets a {@code v} stand before it.
 *
 * @param text as the repository writes it
 */
record ChartVersion(String text, BigInteger major, BigInteger minor, BigInteger patch, String before)
        implements Comparable<ChartVersion> {
    private static final Pattern FORM = Pattern.compile(
            "v?([0-9]+)(?:\\.([0-9]+))?(?:\\.([0-9]+))?(?:-([0-9A-Za-z.-]+))?(?:\\+[0-9A-Za-z.-]+)?");
    private static final Comparator<ChartVersion> ORDER = Comparator.comparing(ChartVersion::major)
            .thenComparing(ChartVersion::minor).thenComparing(ChartVersion::patch)
            .thenComparing(ChartVersion::before, ChartVersion::orderOfPreReleases);

    /** @return empty for a text that is no version: Helm leaves such a chart out */
    static Optional<ChartVersion> of(String text) {
        Matcher parts = FORM.matcher(text);
        return parts.matches() ? Optional.of(new ChartVersion(text, number(parts.group(1)), number(parts.group(2)),
                number(parts.group(3)), parts.group(4) == null ? "" : parts.group(4))) : Optional.empty();
    }

    private static BigInteger number(String digits) {
        return digits == null ? BigInteger.ZERO : new BigInteger(digits);
    }

    boolean preRelease() {
        return !before.isEmpty();
    }

    /** A version is the same with and without the v in front. */
    boolean same(String other) {
        return of(other).filter(o -> compareTo(o) == 0).isPresent();
    }

    @Override
    public int compareTo(ChartVersion other) {
        return ORDER.compare(this, other);
    }

    /** None is above any; numbers are below words and are compared as numbers; more parts are above fewer. */
    private static int orderOfPreReleases(String one, String other) {
        if (one.isEmpty() || other.isEmpty()) {
            return Boolean.compare(one.isEmpty(), other.isEmpty());
        }
        String[] left = one.split("\\.");
        String[] right = other.split("\\.");
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            int order = orderOfParts(left[i], right[i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.length, right.length);
    }

    private static int orderOfParts(String one, String other) {
        boolean number = one.chars().allMatch(Character::isDigit);
        boolean otherNumber = other.chars().allMatch(Character::isDigit);
        return number && otherNumber ? new BigInteger(one).compareTo(new BigInteger(other))
                : number != otherNumber ? (number ? -1 : 1) : one.compareTo(other);
    }
}
