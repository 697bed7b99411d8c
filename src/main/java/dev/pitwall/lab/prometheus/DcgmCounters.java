package dev.pitwall.lab.prometheus;

import dev.pitwall.lab.data.DataFile;
import java.util.List;

/** The fields an exporter is told to collect, from {@code resources/lab/prometheus/dcgm-counters.csv}. */
final class DcgmCounters {
    /** @param type {@code gauge} or {@code counter} */
    record Counter(String name, String type, String help) {
    }

    private final List<Counter> all;

    DcgmCounters() {
        all = DataFile.text("prometheus/dcgm-counters.csv").lines()
                .filter(l -> !l.startsWith("#") && !l.isBlank()).map(l -> l.split(",\\s*", 3))
                .map(p -> new Counter(p[0].strip(), p[1].strip(), p[2])).toList();
    }

    List<Counter> all() {
        return all;
    }
}
