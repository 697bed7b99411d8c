package dev.pitwall.lab.models;

import com.fasterxml.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a model stays after its last request: a number of seconds, or a Go duration. Anything negative means for
 * ever, which Ollama writes as its longest duration, so that {@code expires_at} falls into the year 2318 or so. The
 * text {@code "-1"} has no unit and is refused (facts: models.md 5.2).
 */
record KeepAlive(Duration time) {
    static final KeepAlive USUAL = new KeepAlive(Duration.ofMinutes(5));
    private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);
    private static final Pattern GO_DURATION = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|µs|ms|s|m|h)");

    /** @throws OllamaRefusal 400 with Go's words for a text that is no duration */
    static KeepAlive of(JsonNode value) throws OllamaRefusal {
        if (value.isNumber()) {
            return value.asDouble() < 0 ? new KeepAlive(FOR_EVER)
                    : new KeepAlive(Duration.ofMillis(Math.round(value.asDouble() * 1000)));
        }
        return ofText(value.asText());
    }

    private static KeepAlive ofText(String text) throws OllamaRefusal {
        if (text.equals("0")) {
            return new KeepAlive(Duration.ZERO);
        }
        String unsigned = text.replaceFirst("^[-+]", "");
        Matcher m = GO_DURATION.matcher(unsigned);
        Duration total = Duration.ZERO;
        int end = 0;
        while (m.find() && m.start() == end) {
            total = total.plus(Duration.ofNanos(new BigDecimal(m.group(1)).multiply(BigDecimal.valueOf(
                    unit(m.group(2)))).longValue()));
            end = m.end();
        }
        if (end == 0 || end < unsigned.length()) {
            String why = unsigned.matches("\\d+(\\.\\d+)?") ? "missing unit in duration" : "invalid duration";
            throw OllamaRefusal.bad("time: " + why + " \"" + text + "\"");
        }
        return new KeepAlive(text.startsWith("-") ? FOR_EVER : total);
    }

    private static long unit(String name) {
        return switch (name) {
            case "ns" -> 1L;
            case "us", "µs" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            default -> 3_600_000_000_000L;
        };
    }

    boolean isNow() {
        return time.isZero();
    }

    Instant from(Instant now) {
        return now.plus(time);
    }
}
