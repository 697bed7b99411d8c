package dev.pitwall.link.prometheus;

import dev.pitwall.card.TelemetryReport;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.HttpAnswer;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.read.DcgmMetrics;
import dev.pitwall.read.DcgmReader;
import dev.pitwall.read.Text;
import dev.pitwall.site.Probe;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Reads one DCGM exporter's metrics page, for clusters without Prometheus. The page has no times; the figures are up to
 * 30 s older than the read, the exporter's own interval (facts: cluster 3).
 */
public final class ExporterProbe implements Probe<TelemetryReport> {
    private final HttpReader http;
    private final InstantSource clock;
    private final DcgmReader reader = new DcgmReader();

    /** @param http reaches the exporter, straight or through the API server's proxy; closed with the probe */
    public ExporterProbe(HttpReader http, InstantSource clock) {
        this.http = http;
        this.clock = clock;
    }

    @Override
    public TelemetryReport read() throws TroubleException, InterruptedException {
        HttpAnswer answer = http.get("metrics");
        Instant now = clock.instant();
        if (!answer.ok()) {
            throw http.troubles().words().failure(Kind.REMOTE, http.place(), "exporter.error", "said",
                    (answer.status() + " " + answer.reason()).strip());
        }
        if (answer.page()) {
            throw http.troubles().words().failure(Kind.PROTOCOL, http.place(), "exporter.foreign");
        }
        // The HTTP layer has checked the length, so the text is whole.
        DcgmMetrics metrics = reader.read(Text.of(answer.body(), Text.Ending.WHOLE));
        return new TelemetryReport(metrics.devices().stream().map(device -> device.sample(now)).toList());
    }

    @Override
    public void close() {
        http.close();
    }
}
