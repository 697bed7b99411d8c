package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.custom.QuantityFormatException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Quantities such as {@code 500m} and {@code 2Gi}. */
public final class Quantities {
    private Quantities() {
    }

    /** @return empty for what is no quantity */
    public static Optional<BigDecimal> parse(String quantity) {
        try {
            return Optional.of(Quantity.fromString(quantity).getNumber());
        } catch (QuantityFormatException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** @return zero for what is no quantity; validation refuses such an object elsewhere */
    public static BigDecimal of(JsonNode quantity) {
        return quantity.isMissingNode() || quantity.isNull() ? BigDecimal.ZERO
                : parse(quantity.asText()).orElse(BigDecimal.ZERO);
    }

    /** @return bytes, rounded up; 0 for what is no quantity */
    public static long bytes(JsonNode quantity) {
        return ceiling(of(quantity));
    }

    /** In the whole units that are counted in: CPU in millicores, everything else in its own unit, rounded up. */
    public static long units(String resource, BigDecimal amount) {
        boolean cpu = resource.equals("cpu") || resource.endsWith(".cpu");
        return ceiling(cpu ? amount.movePointRight(3) : amount);
    }

    /** Amounts by resource, in {@link #units(String, BigDecimal) whole units}; one that cannot be read counts as 0. */
    public static Map<String, Long> units(JsonNode list) {
        Map<String, Long> found = new TreeMap<>();
        list.properties().forEach(entry -> found.put(entry.getKey().intern(),
                units(entry.getKey(), of(entry.getValue()))));
        return found;
    }

    /** As Kubernetes prints it: in the usual unit of the resource. */
    public static String text(String resource, BigDecimal amount) {
        boolean bytes = resource.contains("memory") || resource.contains("storage") || resource.contains("hugepages");
        Quantity.Format format = bytes ? Quantity.Format.BINARY_SI : Quantity.Format.DECIMAL_SI;
        return new Quantity(amount, format).toSuffixedString();
    }

    private static long ceiling(BigDecimal amount) {
        return amount.setScale(0, RoundingMode.CEILING).longValue();
    }
}
