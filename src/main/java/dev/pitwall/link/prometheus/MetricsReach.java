package dev.pitwall.link.prometheus;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.HopRun;
import dev.pitwall.link.HopRun.Found;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.trust.Words;

import java.util.Optional;

/** The last hops to Prometheus, once there is a way to its port: does it answer as Prometheus, and with DCGM's series. */
public final class MetricsReach {
    private final Words words;

    public MetricsReach(Words words) {
        this.words = words;
    }

    /** Announces the hops. */
    public void plan(HopRun run) {
        run.plan(words.text("hop.prometheus"), words.text("hop.prometheus.then"))
                .plan(words.text("hop.series"), words.text("hop.series.then"));
    }

    /** Goes the hops. */
    public void go(HopRun run, HttpReader http) throws TroubleException, InterruptedException {
        PrometheusApi api = new PrometheusApi(http);
        run.step(words.text("hop.prometheus"), words.text("hop.prometheus.now"), () -> {
            Optional<String> version = api.version();
            api.query("1");
            return new Found<>(true, version.map(v -> words.text("hop.prometheus.ok", "version", v))
                    .orElse(words.text("hop.prometheus.compatible")));
        });
        run.step(words.text("hop.series"), words.text("hop.series.now"), () -> {
            int series = api.query(PrometheusProbe.FIGURES).samples().size();
            if (series == 0) {
                throw words.failure(Kind.MISSING, http.place(), "prometheus.noseries");
            }
            return new Found<>(true, words.text("hop.series.ok", "count", Integer.toString(series)));
        });
    }
}
