package dev.pitwall.read;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers as outside systems print them. What is not a number is empty, never 0. */
public final class Numbers {

    private static final Pattern QUANTITY =
            Pattern.compile("([+-]?(?:\\d{1,30}(?:\\.\\d{0,30})?|\\.\\d{1,30}))(m|k|K|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?\\d{1,2})?");
    private static final Map<String, BigDecimal> FACTORS = Map.ofEntries(
            Map.entry("m", new BigDecimal("0.001")),
            Map.entry("k", BigDecimal.valueOf(1000L)), Map.entry("K", BigDecimal.valueOf(1000L)),
            Map.entry("M", BigDecimal.TEN.pow(6)), Map.entry("G", BigDecimal.TEN.pow(9)),
            Map.entry("T", BigDecimal.TEN.pow(12)), Map.entry("P", BigDecimal.TEN.pow(15)),
            Map.entry("E", BigDecimal.TEN.pow(18)),
            Map.entry("Ki", BigDecimal.valueOf(1L << 10)), Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
            Map.entry("Gi", BigDecimal.valueOf(1L << 30)), Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
            Map.entry("Pi", BigDecimal.valueOf(1L << 50)), Map.entry("Ei", BigDecimal.valueOf(1L << 60)));

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

    /**
     * A Kubernetes quantity: {@code 1}, {@code 1k}, {@code 500m}, {@code 16312140Ki}. Rounded up to a whole number as
     * the scheduler does (facts: apimachinery's resource.Quantity.Value).
     */
    public static OptionalLong quantity(String text) {
        Matcher m = QUANTITY.matcher(text.strip());
        if (!m.matches()) {
            return OptionalLong.empty();
        }
        BigDecimal value = new BigDecimal(m.group(1));
        String suffix = m.group(2);
        if (suffix != null) {
            BigDecimal factor = FACTORS.get(suffix);
            value = factor != null ? value.multiply(factor)
                    : value.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1).replace("+", "")));
        }
        try {
            return OptionalLong.of(value.setScale(0, java.math.RoundingMode.CEILING).longValueExact());
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
