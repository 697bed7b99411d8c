package dev.pitwall.link.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

import dev.pitwall.card.ServerReport;
import dev.pitwall.card.TelemetryReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.TimeLimits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.Hop;
import dev.pitwall.site.Probe;
import dev.pitwall.site.Reachability.Outcome;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InClusterTest {
    private static final Endpoint OLLAMA = new Endpoint.Service("models", "ollama", 11434, "http");
    private static final String PROXY = "/api/v1/namespaces/models/services/ollama:11434/proxy/";

    @TempDir
    private Path folder;
    private final TestApi api = new TestApi();
    private ClusterAccess access;
    private ClusterWatch watch;

    @BeforeEach
    void open() {
        access = KubeconfigText.access(folder, "server: http://127.0.0.1:" + api.port(), "token: t");
        watch = new ClusterWatch(access, TimeLimits.usual(), new NetworkTrouble(new Words()), InstantSource.system(),
                ClusterWatchTest.FAST);
    }

    @AfterEach
    void close() {
        watch.close();
        api.close();
    }

    private void serveOllama() {
        api.answers.put(PROXY + "api/version", "{\"version\":\"0.33.0\"}");
        api.answers.put(PROXY + "api/ps", "{\"models\":[]}");
        api.answers.put(PROXY + "api/tags", "{\"models\":[]}");
    }

    private static Trouble trouble(Probe<?> probe) {
        return catchThrowableOfType(TroubleException.class, probe::read).trouble();
    }

    @Test
    void aModelServerIsReadThroughTheApiServerWithItsSignIn() throws Exception {
        serveOllama();
        try (Probe<ServerReport> probe = watch.server("ollama-a", OLLAMA)) {
            assertThat(probe.read().version()).contains("0.33.0");
        }
        assertThat(api.authorizations).containsOnly("Bearer t");
    }

    @Test
    void theApiServersOwnRefusalsAreTyped() {
        Probe<ServerReport> probe = watch.server("ollama-a", OLLAMA);
        api.once("list", PROXY + "api/version", exchange -> TestApi.status(exchange, 503, "ServiceUnavailable",
                "no endpoints available for service \"ollama\""));
        Trouble nobody = trouble(probe);
        assertThat(nobody.kind()).isEqualTo(Trouble.Kind.REMOTE);
        assertThat(nobody.where()).isEqualTo("models/ollama:11434");
        assertThat(nobody.what()).isEqualTo("the service has no pod that is ready");
        assertThat(nobody.next()).contains("kubectl -n models get pods");

        api.once("list", PROXY + "api/version", exchange -> TestApi.status(exchange, 503, "ServiceUnavailable",
                "error trying to reach service: dial tcp 10.42.0.9:11434: connect: connection refused"));
        assertThat(trouble(probe)).satisfies(silent -> {
            assertThat(silent.what()).contains("nothing listens on port 11434");
            assertThat(silent.next()).contains("kubectl -n models get pods").doesNotContain("OLLAMA_HOST");
        });
        api.once("list", PROXY + "api/version", exchange -> TestApi.status(exchange, 403, "Forbidden", "forbidden"));
        assertThat(trouble(probe).what()).isEqualTo("not allowed to get services/proxy in namespace models");
        assertThat(trouble(probe).what()).isEqualTo("there is no such service in the cluster");
        probe.close();
    }

    @Test
    void everyReadyExporterIsAsked() throws Exception {
        String page = Files.readString(Path.of("src/test/resources/link/kube/dcgm-busy.prom"), StandardCharsets.UTF_8);
        api.put(TestApi.PODS, TestApi.pod("gpu-operator", "nvidia-dcgm-exporter", "gpu-1", 0));
        api.answers.put("/api/v1/namespaces/gpu-operator/pods/nvidia-dcgm-exporter:9400/proxy/metrics", page);
        try (Probe<TelemetryReport> probe = watch.exporters()) {
            assertThat(trouble(probe).what()).isEqualTo("no DCGM exporter pod is ready");
            watch.start(() -> { });
            await().until(() -> watch.current().live());
            assertThat(probe.read().samples()).isNotEmpty();
        }
    }

    @Test
    void aServiceIsTestedThroughTheCluster() {
        serveOllama();
        ClusterReach reach = new ClusterReach(TimeLimits.usual(), new NetworkTrouble(new Words()),
                InstantSource.system());
        Outcome outcome = reach.server("ollama-a", OLLAMA, access, hops -> { });
        assertThat(outcome.passed()).isTrue();
        assertThat(outcome.hops().getFirst().text()).contains("Kubernetes v1.33.5+rke2r1 at basement");
        Outcome absent = reach.metrics(new Endpoint.Service("monitoring", "prometheus", 9090, "http"), access,
                hops -> { });
        assertThat(absent.hops()).extracting(Hop::state).contains(Hop.State.REFUSED);
        assertThat(absent.hops().get(1).trouble().orElseThrow().what()).isEqualTo(
                "there is no such service in the cluster");
    }
}
