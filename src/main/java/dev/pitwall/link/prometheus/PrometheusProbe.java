package dev.pitwall.link.prometheus;

import dev.pitwall.card.TelemetryReport;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.read.DcgmMetrics;
import dev.pitwall.read.MetricSample;
import dev.pitwall.read.PrometheusAnswer;
import dev.pitwall.site.Probe;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads DCGM's latest figures from Prometheus in two instant queries: the figures, and when they were scraped. The time
 * beside an instant query's value is the query's own, not the sample's.
 */
public final class PrometheusProbe implements Probe<TelemetryReport> {
    static final String FIGURES = "{__name__=~\"DCGM_FI_DEV_(GPU_UTIL|FB_USED|FB_FREE|FB_RESERVED|FB_TOTAL|GPU_TEMP"
            + "|POWER_USAGE|XID_ERRORS)\"}";
    /** Every exporter has this one; the largest is the newest of a GPU's series. */
    static final String TIMES = "max by (UUID) (timestamp(DCGM_FI_DEV_FB_USED))";

    private final HttpReader http;
    private final PrometheusApi api;

    /** @param http reaches Prometheus, straight or through the API server's proxy; closed with the probe */
    public PrometheusProbe(HttpReader http) {
        this.http = http;
        this.api = new PrometheusApi(http);
    }

    @Override
    public TelemetryReport read() throws TroubleException, InterruptedException {
        PrometheusAnswer figures = api.query(FIGURES);
        Map<String, Instant> times = times();
        Map<String, Instant> evaluated = new HashMap<>();
        figures.samples().forEach(sample -> sample.label("UUID").ifPresent(uuid -> evaluated.put(uuid, at(sample))));
        return new TelemetryReport(figures.devices().stream()
                .map(device -> device.sample(time(device, times, evaluated))).toList());
    }

    /** Empty for a store that does not know {@code timestamp()}; the query's time is the best there is then. */
    private Map<String, Instant> times() throws TroubleException, InterruptedException {
        try {
            Map<String, Instant> times = new HashMap<>();
            for (MetricSample sample : api.query(TIMES).samples()) {
                sample.label("UUID").ifPresent(uuid ->
                        times.put(uuid, Instant.ofEpochMilli(Math.round(sample.value() * 1000))));
            }
            return times;
        } catch (TroubleException e) {
            if (e.trouble().kind() == Kind.REMOTE) {
                return Map.of();
            }
            throw e;
        }
    }

    private static Instant time(DcgmMetrics.Device device, Map<String, Instant> times, Map<String, Instant> evaluated) {
        String uuid = device.gpu().uuid().orElse("");
        return times.getOrDefault(uuid, evaluated.getOrDefault(uuid, Instant.EPOCH));
    }

    private static Instant at(MetricSample sample) {
        return Instant.ofEpochMilli(sample.timestampMs().orElse(0));
    }

    @Override
    public void close() {
        http.close();
    }
}
