package dev.pitwall.link.kube;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

import dev.pitwall.card.PodReport;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.TelemetryReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.TimeLimits;
import dev.pitwall.link.http.HttpAddress;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.http.UrlProbe;
import dev.pitwall.link.models.ModelServerProbe;
import dev.pitwall.link.prometheus.ExporterProbe;
import dev.pitwall.link.prometheus.PrometheusProbe;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Service;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.Probe;
import dev.pitwall.site.Together;

/** Probes of services inside a cluster, each asked through the API server. */
final class InClusterProbes {
    private final OpenServer open;
    private final ClusterState state;
    private final TimeLimits limits;
    private final NetworkTrouble troubles;
    private final InstantSource clock;

    InClusterProbes(OpenServer open, ClusterState state, TimeLimits limits, NetworkTrouble troubles,
                    InstantSource clock) {
        this.open = open;
        this.state = state;
        this.limits = limits;
        this.troubles = troubles;
        this.clock = clock;
    }

    Probe<TelemetryReport> metrics(Endpoint endpoint) {
        return probe(Service.PROMETHEUS, "prometheus", endpoint, limits.metrics(), PrometheusProbe::new);
    }

    Probe<ServerReport> server(String name, Endpoint endpoint) {
        return probe(Service.MODELS, name, endpoint, limits.models(), http -> new ModelServerProbe(name, http));
    }

    private <T> Probe<T> probe(Service service, String name, Endpoint endpoint, Limits limit,
                               Function<HttpReader, Probe<T>> reader) {
        return switch (endpoint) {
            case Endpoint.Url url ->
                    new UrlProbe<>(new HttpAddress(service, name, url.url(), limit, troubles), reader);
            case Endpoint.Service inside -> new ProxiedProbe<>(open,
                    server -> reader.apply(ProxyPath.of(inside).reader(server, service, name, limit)));
            case Endpoint.Pod inside -> new ProxiedProbe<>(open,
                    server -> reader.apply(ProxyPath.of(inside).reader(server, service, name, limit)));
        };
    }

    Probe<TelemetryReport> exporters() {
        return new Exporters();
    }

    /** Every exporter that runs now is asked; one that fails leaves its own node's figures out. */
    private final class Exporters implements Probe<TelemetryReport> {
        @Override
        public TelemetryReport read() throws TroubleException, InterruptedException {
            ApiServer server = open.server();
            List<Callable<Answer>> questions = new ArrayList<>();
            for (PodReport pod : state.exporters()) {
                questions.add(() -> ask(server, pod));
            }
            if (questions.isEmpty()) {
                throw new TroubleException(new Trouble(Trouble.Kind.MISSING, server.where(),
                        "no DCGM exporter pod is ready", "Look at the exporter's DaemonSet: \"kubectl get pods -A "
                        + "-l app=nvidia-dcgm-exporter\"."));
            }
            List<Answer> answers = Together.all(questions);
            if (answers.stream().allMatch(answer -> answer.failure().isPresent())) {
                throw answers.getFirst().failure().orElseThrow();
            }
            return new TelemetryReport(answers.stream().flatMap(answer -> answer.samples().stream()).toList());
        }

        private Answer ask(ApiServer server, PodReport pod) throws InterruptedException {
            int port = state.exporterPort();
            ProxyPath path = new ProxyPath("pods", pod.namespace(), pod.name(), port, "http");
            HttpReader http = path.reader(server, Service.EXPORTER, pod.name(), limits.metrics());
            try (ExporterProbe probe = new ExporterProbe(http, clock)) {
                return new Answer(probe.read().samples(), Optional.empty());
            } catch (TroubleException failed) {
                return new Answer(List.of(), Optional.of(failed));
            }
        }

        @Override
        public void close() {
            // Nothing is kept between two reads.
        }
    }

    private record Answer(List<TelemetryReport.Sample> samples, Optional<TroubleException> failure) {
    }
}
