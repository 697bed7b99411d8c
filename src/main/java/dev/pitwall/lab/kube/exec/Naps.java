package dev.pitwall.lab.kube.exec;

import java.time.Duration;
import java.util.Optional;

/** How long {@code sleep} and {@code timeout} are told to wait. */
final class Naps {
    /** {@code sleep infinity}: longer than any lab lives. */
    static final Duration FOR_EVER = Duration.ofDays(1_000_000);

    private Naps() {
    }

    /** @return empty if it is no time */
    static Optional<Duration> of(String text) {
        if (text.equals("infinity") || text.equals("inf")) {
            return Optional.of(FOR_EVER);
        }
        if (!text.matches("\\d{1,9}(\\.\\d{1,3})?[smhd]?")) {
            return Optional.empty();
        }
        long unit = switch (text.charAt(text.length() - 1)) {
            case 'm' -> 60;
            case 'h' -> 3600;
            case 'd' -> 86_400;
            default -> 1;
        };
        return Optional.of(Duration.ofMillis(Math.round(Double.parseDouble(text.replaceAll("[smhd]$", "")) * 1000 * unit)));
    }
}
