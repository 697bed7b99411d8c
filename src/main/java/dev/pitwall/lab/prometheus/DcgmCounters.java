package dev.pitwall.lab.prometheus;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The fields an exporter is told to collect, from {@code resources/lab/prometheus/dcgm-counters.csv}. */
final class DcgmCounters {
    /** @param type {@code gauge} or {@code counter} */
    record Counter(String name, String type, String help) {
    }

    private final List<Counter> all;

    DcgmCounters() {
        try (InputStream in = DcgmCounters.class.getResourceAsStream("/lab/prometheus/dcgm-counters.csv")) {
            all = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(l -> !l.startsWith("#") && !l.isBlank()).map(l -> l.split(",\\s*", 3))
                    .map(p -> new Counter(p[0].strip(), p[1].strip(), p[2])).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("dcgm-counters.csv is not readable", e);
        }
    }

    List<Counter> all() {
        return all;
    }
}
