package dev.pitwall.read;

import java.util.List;

/** Reads the metrics page of the DCGM exporter. */
public final class DcgmReader {

    private final MetricsText metrics = new MetricsText();
    private final DcgmSeries series = new DcgmSeries();

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        double share = text.share(t -> t.startsWith("DCGM_") && t.indexOf('{') > 0 || t.startsWith("# HELP ") || t.startsWith("# TYPE "));
        return text.hits(t -> t.startsWith("DCGM_") && t.indexOf('{') > 0 || t.startsWith("# HELP DCGM_") || t.startsWith("# TYPE DCGM_")) > 0
                ? 0.5 + 0.49 * share : 0;
    }

    /** Reads as far as it goes; never throws. */
    public DcgmMetrics read(Text text) {
        Notes notes = new Notes();
        List<MetricSample> samples = metrics.parse(text, notes::add);
        return new DcgmMetrics(series.devices(samples), notes.list());
    }
}
