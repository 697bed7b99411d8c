package dev.pitwall.link.prometheus;

import dev.pitwall.card.TelemetryReport;
import dev.pitwall.card.TelemetryReport.Sample;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.link.ScriptedServer;
import dev.pitwall.link.ScriptedServer.Reply;
import dev.pitwall.link.ScriptedServer.Request;
import dev.pitwall.link.TestCertificate;
import dev.pitwall.link.Troubles;
import dev.pitwall.link.http.HttpAddress;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.http.TestLimits;
import dev.pitwall.link.http.UrlProbe;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Service;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.Probe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;

import static org.assertj.core.api.Assertions.assertThat;

/** Reads DCGM's figures from Prometheus and from an exporter over real sockets. */
class PrometheusProbeTest {
    private static final String LABELS = """
            "UUID":"GPU-1","gpu":"0","Hostname":"node-a","modelName":"NVIDIA RTX A1000","pci_bus_id":"00000000:01:00.0",
            "pod":"nvidia-dcgm-exporter-5tq2r","namespace":"gpu-operator"\
            """;

    private final NetworkTrouble troubles = new NetworkTrouble(new Words());
    private ScriptedServer server;
    private Limits limits = TestLimits.PATIENT;
    private Probe<TelemetryReport> probe;

    @AfterEach
    void close() {
        if (probe != null) {
            probe.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private Probe<TelemetryReport> open(URI uri) {
        return probe = new UrlProbe<>(new HttpAddress(Service.PROMETHEUS, "prometheus", uri,
                limits, troubles), PrometheusProbe::new);
    }

    private Probe<TelemetryReport> serve(Function<Request, Reply> script) {
        server = ScriptedServer.plain(script);
        return open(server.uri());
    }

    private static Reply vector(String... results) {
        return Reply.json("{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":["
                + String.join(",", results) + "]}}");
    }

    private static String result(String metric, String more, String value) {
        return "{\"metric\":{\"__name__\":\"" + metric + "\"," + LABELS + more + "},\"value\":[1787300000.5,\"" + value + "\"]}";
    }

    @Test
    void aSharedCardIsOneSampleWithTheDevicesFiguresAndItsOwnTime() throws Exception {
        Probe<TelemetryReport> prometheus = serve(request -> request.path().contains("timestamp")
                ? vector("{\"metric\":{\"UUID\":\"GPU-1\"},\"value\":[1787300000.5,\"1787299970\"]}")
                : vector(result("DCGM_FI_DEV_GPU_UTIL", "", "71"),
                        result("DCGM_FI_DEV_GPU_UTIL", ",\"exported_pod\":\"nb-a\",\"exported_namespace\":\"alice\"", "40"),
                        result("DCGM_FI_DEV_GPU_UTIL", ",\"exported_pod\":\"nb-b\",\"exported_namespace\":\"bob\"", "31"),
                        result("DCGM_FI_DEV_GPU_TEMP", ",\"exported_pod\":\"nb-a\",\"exported_namespace\":\"alice\"", "66"),
                        result("DCGM_FI_DEV_POWER_USAGE", "", "9223372036854775794"),
                        result("DCGM_FI_DEV_FB_USED", "", "3902")));
        Sample sample = prometheus.read().samples().getFirst();
        assertThat(sample.node()).isEqualTo("node-a");
        assertThat(sample.gpu().utilizationPercent()).hasValue(71);
        assertThat(sample.gpu().temperatureC()).hasValue(66);
        assertThat(sample.gpu().memoryUsedMiB()).hasValue(3902);
        assertThat(sample.gpu().powerW()).isEmpty();
        assertThat(sample.workload()).contains("alice/nb-a");
        assertThat(sample.sampledAt()).isEqualTo(Instant.ofEpochSecond(1787299970));
    }

    @Test
    void aStoreWithoutTimestampsGivesTheTimeOfTheQuery() throws Exception {
        Probe<TelemetryReport> prometheus = serve(request -> request.path().contains("timestamp")
                ? Reply.of(400, "Bad Request", "application/json",
                        "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"unknown function\"}")
                : vector(result("DCGM_FI_DEV_FB_USED", "", "1")));
        assertThat(prometheus.read().samples().getFirst().sampledAt()).isEqualTo(Instant.ofEpochMilli(1787300000500L));
    }

    @Test
    void grafanaIsRecognisedByItsLoginPage() {
        Trouble trouble = Troubles.of(serve(request ->
                Reply.of(302, "Found", "text/html", "<a href=\"/login\">Found</a>").with("Location: /login"))::read);
        assertThat(trouble.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(trouble.what()).isEqualTo("answers, but is Grafana");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void grafanaIsRecognisedByItsRefusal() {
        Trouble trouble = Troubles.of(serve(request -> Reply.of(401, "Unauthorized", "application/json",
                "{\"message\":\"Unauthorized\",\"messageId\":\"auth.unauthorized\",\"statusCode\":401}"))::read);
        assertThat(trouble.what()).isEqualTo("answers, but is Grafana");
    }

    @Test
    void aWebPageIsNoPrometheus() {
        assertThat(Troubles.of(serve(request -> Reply.html("<html>hello</html>"))::read).kind()).isEqualTo(Kind.PROTOCOL);
    }

    @Test
    void aLoginBeforePrometheusIsSaid() {
        assertThat(Troubles.of(serve(request -> Reply.of(401, "Unauthorized", "text/plain", "no"))::read).kind())
                .isEqualTo(Kind.CREDENTIALS);
    }

    @Test
    void anErrorOfPrometheusKeepsItsWords() {
        Trouble trouble = Troubles.of(serve(request -> Reply.of(503, "Service Unavailable", "application/json",
                "{\"status\":\"error\",\"errorType\":\"unavailable\",\"error\":\"TSDB not ready\"}"))::read);
        assertThat(trouble.kind()).isEqualTo(Kind.REMOTE);
        assertThat(trouble.what()).contains("TSDB not ready");
    }

    @Test
    void halfAJsonIsSaid() {
        assertThat(Troubles.of(serve(request -> Reply.json("{\"status\":\"succ"))::read).kind())
                .isEqualTo(Kind.UNREADABLE);
    }

    @Test
    void aSlowPrometheusEndsAtTheTimeLimit() {
        limits = TestLimits.BRIEF;
        assertThat(Troubles.of(serve(request -> Reply.stalling())::read).kind()).isEqualTo(Kind.TIMEOUT);
    }

    @Test
    void tlsWithAnUnknownAuthorityIsSaid() {
        server = ScriptedServer.tls(TestCertificate.valid("127.0.0.1", "Nobody"), request -> vector());
        assertThat(Troubles.of(open(server.uri())::read).kind()).isEqualTo(Kind.TLS);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void plainHttpToATlsPortIsSaid() {
        server = ScriptedServer.tls(TestCertificate.valid("127.0.0.1", "Nobody"), request -> vector());
        Trouble trouble = Troubles.of(open(URI.create("http://127.0.0.1:" + server.port()))::read);
        assertThat(trouble.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(trouble.next()).contains("https://");
    }

    @Test
    void anAddressThatIsNoneIsSaid() {
        assertThat(Troubles.of(open(URI.create("prometheus.lan:9090"))::read).kind()).isEqualTo(Kind.PROTOCOL);
    }

    @Test
    void anExportersPageIsReadStraight() throws Exception {
        server = ScriptedServer.plain(request -> Reply.of(200, "OK", "text/plain", """
                # TYPE DCGM_FI_DEV_GPU_TEMP gauge
                DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-1",pci_bus_id="00000000:01:00.0",hostname="node-b"} 41
                """));
        HttpAddress address = new HttpAddress(Service.EXPORTER, "exporter", server.uri(),
                limits, troubles);
        Instant now = Instant.parse("2026-11-30T12:00:00Z");
        probe = new UrlProbe<>(address, http -> new ExporterProbe(http, InstantSource.fixed(now)));
        Sample sample = probe.read().samples().getFirst();
        assertThat(sample.node()).isEqualTo("node-b");
        assertThat(sample.gpu().temperatureC()).hasValue(41);
        assertThat(sample.sampledAt()).isEqualTo(now);
    }
}
