package dev.pitwall.read;

import java.math.RoundingMode;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Numbers as outside systems print them. What is not a number is empty, never 0. */
public final class Numbers {

    private Numbers() {
    }

    static OptionalInt integer(String text) {
        OptionalLong value = whole(text);
        return value.isPresent() && value.getAsLong() >= Integer.MIN_VALUE && value.getAsLong() <= Integer.MAX_VALUE
                ? OptionalInt.of((int) value.getAsLong()) : OptionalInt.empty();
    }

    static OptionalLong whole(String text) {
        String t = text.strip();
        if (t.isEmpty() || t.length() > 19 || !t.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'))) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(t));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    static OptionalDouble decimal(String text) {
        String t = text.strip();
        if (t.isEmpty() || t.length() > 40) {
            return OptionalDouble.empty();
        }
        char first = t.charAt(0);
        char last = t.charAt(t.length() - 1);
        // Java would also take "1d", "NaN" and hexadecimal forms.
        if (!(Character.isDigit(first) || first == '-' || first == '+' || first == '.') || !Character.isDigit(last)) {
            return OptionalDouble.empty();
        }
        try {
            double value = Double.parseDouble(t);
            return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    /** A Kubernetes quantity, rounded up to a whole number as the scheduler does (apimachinery's Quantity.Value). */
    public static OptionalLong quantity(String text) {
        try {
            return Quantity.of(text).map(v -> OptionalLong.of(v.setScale(0, RoundingMode.CEILING).longValueExact()))
                    .orElse(OptionalLong.empty());
        } catch (ArithmeticException e) {
            return OptionalLong.empty();
        }
    }

    /** The number before a unit, for example of {@code 15360 MiB}; empty for {@code N/A} and the like. */
    static OptionalDouble withUnit(String text, String unit) {
        String t = text.strip();
        return t.endsWith(unit) ? decimal(t.substring(0, t.length() - unit.length())) : OptionalDouble.empty();
    }

    static OptionalLong rounded(OptionalDouble value) {
        return value.isPresent() ? OptionalLong.of(Math.round(value.getAsDouble())) : OptionalLong.empty();
    }

    static OptionalInt narrow(OptionalLong value) {
        return value.isPresent() && value.getAsLong() == (int) value.getAsLong()
                ? OptionalInt.of((int) value.getAsLong()) : OptionalInt.empty();
    }

    static Optional<Integer> boxed(OptionalInt value) {
        return value.isPresent() ? Optional.of(value.getAsInt()) : Optional.empty();
    }
}
