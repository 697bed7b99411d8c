package dev.pitwall.read;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Kubernetes quantity: {@code 1}, {@code 1k}, {@code 500m}, {@code 16312140Ki} (facts: apimachinery's resource.Quantity). */
public final class Quantity {
    private static final Pattern FORM =
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

    private Quantity() {
    }

    /** @return its exact value, of memory in bytes and of processors in whole ones; empty if it is no quantity */
    public static Optional<BigDecimal> of(String text) {
        Matcher m = FORM.matcher(text.strip());
        if (!m.matches()) {
            return Optional.empty();
        }
        BigDecimal value = new BigDecimal(m.group(1));
        String suffix = m.group(2);
        if (suffix == null) {
            return Optional.of(value);
        }
        BigDecimal factor = FACTORS.get(suffix);
        return Optional.of(factor != null ? value.multiply(factor)
                : value.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1).replace("+", ""))));
    }
}
