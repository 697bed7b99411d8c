package dev.pitwall.read;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The start-up log of the DCGM exporter.
 *
 * @param version     for example {@code 4.2.3-4.1.3}
 * @param dcgmReady   true if a line says so; empty if none does
 * @param nvmlReady   likewise
 * @param listening   likewise: it serves metrics
 * @param metricsFile the list of metrics it uses
 * @param longestWaitSeconds the longest wait between two lines
 * @param longestStep the line after which it came
 */
public record ExporterLog(Optional<String> version, Optional<Boolean> dcgmReady, Optional<Boolean> nvmlReady,
                          Optional<Boolean> listening, Optional<String> metricsFile, OptionalDouble longestWaitSeconds,
                          Optional<String> longestStep, List<Step> steps, List<String> notes) implements Understood {
    public ExporterLog {
        steps = List.copyOf(steps);
        notes = List.copyOf(notes);
    }

    /** @param level lower case, for example {@code info} */
    public record Step(int line, Optional<Instant> at, String level, String message) {
    }

    @Override
    public Kind kind() {
        return Kind.DCGM_EXPORTER_LOG;
    }
}
