package dev.pitwall.link.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.pitwall.card.ClusterReport;
import dev.pitwall.card.NodeReport;
import dev.pitwall.card.PodReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.link.TimeLimits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterWatchTest {
    static final Pace FAST = new Pace(Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofMillis(150),
            Duration.ofMillis(100), Duration.ofSeconds(20), Duration.ofMillis(50), Duration.ofMillis(100));

    @TempDir
    private Path folder;
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private TestApi api() {
        TestApi api = new TestApi();
        open.add(api);
        return api;
    }

    private ClusterWatch watch(int port, String user) {
        ClusterWatch watch = new ClusterWatch(KubeconfigText.access(folder(port),
                "server: http://127.0.0.1:" + port, user), TimeLimits.usual(), new NetworkTrouble(new Words()),
                InstantSource.system(), FAST);
        open.add(watch);
        return watch;
    }

    private Path folder(int port) {
        try {
            return Files.createDirectories(folder.resolve(Integer.toString(port)));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private ClusterWatch started(TestApi api) {
        ClusterWatch watch = watch(api.port(), "token: t");
        watch.start(() -> { });
        return watch;
    }

    private static ClusterReport report(ClusterWatch watch) {
        return watch.current().value().orElseThrow();
    }

    private static void awaitLive(ClusterWatch watch) {
        await().until(() -> watch.current().live());
    }

    @Test
    void nodesAndPodsAppearAndFollowTheCluster() {
        TestApi api = api();
        ObjectNode pod = TestApi.pod("ml", "trainer", "gpu-1", 1);
        api.put(TestApi.NODES, TestApi.node("gpu-1", true));
        api.put(TestApi.PODS, pod);
        ClusterWatch watch = started(api);
        awaitLive(watch);

        ClusterReport first = report(watch);
        assertThat(first.version()).isEqualTo("v1.33.5+rke2r1");
        NodeReport node = first.nodes().getFirst();
        assertThat(node.systemUuid()).contains("4c4c4544-0042-3510-8054-b4c04f4d4e32");
        assertThat(node.capacity()).isEqualTo(Map.of("nvidia.com/gpu", 1L));
        assertThat(node.labels()).containsOnlyKeys("kubernetes.io/hostname", "nvidia.com/gpu.present");
        assertThat(node.internalIp()).contains("10.0.0.7");
        PodReport seen = first.pods().getFirst();
        assertThat(seen.owner()).contains("ReplicaSet/rs");
        assertThat(seen.gpuRequests()).isEqualTo(Map.of("nvidia.com/gpu", 1L));
        assertThat(seen.ready()).isTrue();
        assertThat(seen.containers().getFirst().restarts()).isEqualTo(2);
        assertThat(seen.containers().getFirst().state()).isEqualTo("running");
        assertThat(watch.current().value().get()).as("cached until something changes").isSameAs(first);

        api.put(TestApi.PODS, TestApi.pod("ml", "second", "gpu-1", 0));
        await().until(() -> report(watch).pods().size() == 2);
        api.delete(TestApi.PODS, pod);
        await().until(() -> report(watch).pods().size() == 1);
        assertThat(api.asked("list", TestApi.PODS)).as("changes come by watch").isEqualTo(1);
    }

    @Test
    void podsThatDoNotMatterAreCountedAndListedAgainWhenTheyDo() {
        TestApi api = api();
        api.put(TestApi.NODES, TestApi.node("plain", false));
        api.put(TestApi.PODS, TestApi.pod("web", "a", "plain", 0));
        api.put(TestApi.PODS, TestApi.pod("web", "b", "plain", 0));
        ClusterWatch watch = started(api);
        awaitLive(watch);
        assertThat(report(watch).pods()).isEmpty();
        assertThat(report(watch).podCount()).isEqualTo(2);

        api.put(TestApi.NODES, TestApi.node("plain", true));
        await().until(() -> report(watch).pods().size() == 2);
        assertThat(report(watch).podCount()).isEqualTo(2);
        assertThat(watch.current().trouble()).isEmpty();
    }

    @Test
    void aLongListIsReadPageByPage() {
        TestApi api = api();
        for (int i = 0; i < 1201; i++) {
            api.put(TestApi.PODS, TestApi.pod("web", "pod-" + i, "x", i % 2));
        }
        ClusterWatch watch = started(api);
        awaitLive(watch);
        assertThat(report(watch).podCount()).isEqualTo(1201);
        assertThat(report(watch).pods()).hasSize(600);
        assertThat(api.asked("list", TestApi.PODS)).isEqualTo(3);
    }

    @Test
    void aPageThatExpiredStartsTheListAgainAndLosesNothing() {
        TestApi api = api();
        for (int i = 0; i < 700; i++) {
            api.put(TestApi.PODS, TestApi.pod("web", "pod-" + i, "x", 1));
        }
        TestApi.Answer expired = exchange -> TestApi.status(exchange, 410, "Expired", "continue token expired");
        ClusterWatch watch = started(api);
        awaitLive(watch);
        awaitWatches(api);
        api.once("list", TestApi.PODS, expired);
        api.once("list", TestApi.PODS, expired);
        api.send(TestApi.PODS, error410());
        await().until(() -> api.asked("list", TestApi.PODS) >= 5);
        await().until(() -> watch.current().live());
        assertThat(report(watch).pods()).hasSize(700);
    }

    /** What is sent by a watch reaches only who has one open; a watch is live before that. */
    private static void awaitWatches(TestApi api) {
        await().until(() -> api.openWatches() >= 4);
    }

    private static String error410() {
        return "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\","
                + "\"message\":\"too old resource version\"}}\n";
    }

    @Test
    void aStormOf410KeepsTheLastValuesSaysSoAndIsNotHammered() {
        TestApi api = api();
        api.put(TestApi.NODES, TestApi.node("gpu-1", true));
        for (int i = 0; i < 12; i++) {
            api.once("watch", TestApi.NODES, i % 2 == 0
                    ? exchange -> TestApi.status(exchange, 410, "Expired", "too old resource version: 1 (9)")
                    : exchange -> TestApi.json(exchange, 200, error410()));
        }
        ClusterWatch watch = started(api);
        await().until(() -> watch.current().trouble().isPresent());
        Trouble trouble = watch.current().trouble().get();
        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.REMOTE);
        assertThat(trouble.what()).contains("410 Gone");
        assertThat(trouble.next()).contains("last known state");
        assertThat(report(watch).nodes()).hasSize(1);
        long began = System.nanoTime();
        long before = api.asked("list", TestApi.NODES);
        await().until(() -> watch.current().live());
        long lists = api.asked("list", TestApi.NODES) - before;
        long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
        assertThat(lists).as("lists in %d ms", millis).isLessThanOrEqualTo(3 + millis / 80);
        assertThat(report(watch).nodes()).hasSize(1);
    }

    @Test
    void aCutWatchGoesOnWhereItWas() {
        TestApi api = api();
        api.put(TestApi.NODES, TestApi.node("gpu-1", true));
        ClusterWatch watch = started(api);
        awaitLive(watch);
        awaitWatches(api);
        api.put(TestApi.PODS, TestApi.pod("ml", "before", "gpu-1", 1));
        await().until(() -> report(watch).pods().size() == 1);
        api.cut(TestApi.PODS);
        await().until(() -> api.asked("watch", TestApi.PODS) == 2);
        await().until(() -> api.openWatches() >= 4);
        api.put(TestApi.PODS, TestApi.pod("ml", "after", "gpu-1", 1));
        await().until(() -> report(watch).pods().size() == 2);
        assertThat(api.asked("list", TestApi.PODS)).isEqualTo(1);
    }

    @Test
    void halfAnEventIsDroppedAndTheWatchGoesOn() {
        TestApi api = api();
        api.put(TestApi.NODES, TestApi.node("gpu-1", true));
        ClusterWatch watch = started(api);
        awaitLive(watch);
        awaitWatches(api);
        String whole = "{\"type\":\"ADDED\",\"object\":" + TestApi.pod("ml", "half", "gpu-1", 1) + "}\n";
        api.send(TestApi.PODS, whole.substring(0, whole.length() / 2));
        api.cut(TestApi.PODS);
        await().until(() -> api.asked("watch", TestApi.PODS) >= 2 && api.openWatches() >= 4);
        api.put(TestApi.PODS, TestApi.pod("ml", "whole", "gpu-1", 1));
        await().until(() -> report(watch).pods().size() == 1);
        assertThat(report(watch).pods().getFirst().name()).isEqualTo("whole");
        assertThat(watch.current().trouble()).isEmpty();
    }

    @Test
    void halfAListChangesNothingAndIsReported() {
        TestApi api = api();
        api.put(TestApi.NODES, TestApi.node("gpu-1", true));
        ClusterWatch watch = started(api);
        awaitLive(watch);
        String half = "{\"kind\":\"NodeList\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[{\"metadata\":{\"na";
        for (int i = 0; i < 3; i++) {
            api.once("list", TestApi.NODES, exchange -> TestApi.json(exchange, 200, half));
        }
        awaitWatches(api);
        api.send(TestApi.NODES, error410());
        await().until(() -> watch.current().trouble().isPresent());
        Trouble trouble = watch.current().trouble().get();
        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.UNREADABLE);
        assertThat(trouble.where()).isEqualTo("basement (127.0.0.1:" + api.port() + ")");
        assertThat(trouble.what()).isEqualTo("its answer ends in the middle");
        assertThat(report(watch).nodes()).hasSize(1);
        await().until(() -> watch.current().live());
    }

    @Test
    void aMissingRightStopsOnlyItsResource() {
        TestApi api = api();
        api.put(TestApi.NODES, TestApi.node("gpu-1", true));
        api.forbidden.add(TestApi.PODS);
        ClusterWatch watch = started(api);
        await().until(() -> watch.current().value().isPresent());
        assertThat(report(watch).nodes()).hasSize(1);
        Trouble one = watch.current().trouble().orElseThrow();
        assertThat(one.kind()).isEqualTo(Trouble.Kind.RIGHTS);
        assertThat(one.what()).isEqualTo("not allowed to list pods in all namespaces");
        assertThat(watch.current().live()).as("the nodes are as fresh as ever").isTrue();
        assertThat(report(watch).unseen()).containsExactly(ClusterReport.Part.PODS);

        api.forbidden.clear();
        await().until(() -> watch.current().trouble().isEmpty());
        assertThat(report(watch).unseen()).isEmpty();
    }

    @Test
    void severalMissingRightsAreOneSentence() {
        TestApi api = api();
        api.put(TestApi.NODES, TestApi.node("gpu-1", true));
        api.forbidden.addAll(Set.of(TestApi.PODS, TestApi.DAEMON_SETS));
        ClusterWatch watch = started(api);
        await().until(() -> watch.current().value().isPresent());
        await().untilAsserted(() -> assertThat(watch.current().trouble().orElseThrow().what()).isEqualTo(
                "not allowed to list and watch daemonsets.apps in all namespaces and pods in all namespaces"));
    }

    @Test
    void aWrongTokenIsRefusedCredentials() {
        TestApi api = api();
        api.token = "right";
        ClusterWatch watch = started(api);
        await().until(() -> watch.current().trouble().isPresent());
        Trouble trouble = watch.current().trouble().get();
        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.CREDENTIALS);
        assertThat(trouble.what()).isEqualTo("it does not accept the sign-in (token)");
        assertThat(trouble.next()).contains("Put a valid token");
        assertThat(watch.current().value()).isEmpty();
    }

    @Test
    void aMendedKubeconfigIsReadAgain() {
        TestApi api = api();
        api.token = "right";
        ClusterWatch watch = started(api);
        await().until(() -> watch.current().trouble().isPresent());
        KubeconfigText.access(folder(api.port()), "server: http://127.0.0.1:" + api.port(), "token: right");
        await().until(() -> watch.current().live());
    }

    @Test
    void aClosedPortIsSaidWithWhatToDoOnACopiedKubeconfig() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        ClusterWatch watch = watch(port, "token: t");
        watch.start(() -> { });
        await().until(() -> watch.current().trouble().isPresent());
        Trouble trouble = watch.current().trouble().get();
        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.CONNECT);
        assertThat(trouble.what()).contains("connection refused");
        assertThat(trouble.next()).contains("replace 127.0.0.1 in the kubeconfig");
        assertThat(watch.current().since()).isPresent();
    }

    @Test
    void anExpiredServerCertificateIsSaidAndNoTokenIsSent() throws Exception {
        TestAuthority authority = new TestAuthority();
        TestApi api = new TestApi(authority.context(authority.server(Duration.ofDays(-1), "127.0.0.1")), 0);
        open.add(api);
        ClusterWatch watch = tls(authority, api);
        watch.start(() -> { });
        await().until(() -> watch.current().trouble().isPresent());
        Trouble trouble = watch.current().trouble().get();
        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.TLS);
        assertThat(trouble.what()).contains("has expired");
        assertThat(trouble.next()).contains("kubeadm certs renew");
        assertThat(api.authorizations).isEmpty();
    }

    @Test
    void overTlsTooACloseLeavesNoConnection() throws Exception {
        TestAuthority authority = new TestAuthority();
        TestApi api = new TestApi(authority.context(authority.server(Duration.ofDays(1), "127.0.0.1")), 0);
        open.add(api);
        ClusterWatch watch = tls(authority, api);
        watch.start(() -> { });
        awaitLive(watch);
        await().until(() -> api.openWatches() == 4);
        assertThat(api.connections()).isPositive();
        watch.close();
        await().until(() -> api.connections() == 0 && api.openWatches() == 0);
    }

    private ClusterWatch tls(TestAuthority authority, TestApi api) {
        ClusterWatch watch = new ClusterWatch(KubeconfigText.access(folder(api.port()), "server: https://127.0.0.1:"
                + api.port() + "\ncertificate-authority-data: " + TestAuthority.base64(authority.pem()), "token: t"),
                TimeLimits.usual(), new NetworkTrouble(new Words()), InstantSource.system(), FAST);
        open.add(watch);
        return watch;
    }

    @Test
    void aServerThatGoesAwayLeavesItsLastValuesAndComesBack() {
        TestApi api = new TestApi();
        int port = api.port();
        api.put(TestApi.NODES, TestApi.node("gpu-1", true));
        ClusterWatch watch = started(api);
        awaitLive(watch);
        api.close();
        await().until(() -> watch.current().trouble().isPresent());
        assertThat(report(watch).nodes()).hasSize(1);
        assertThat(watch.current().trouble().get().kind()).isEqualTo(Trouble.Kind.CONNECT);
        TestApi back = new TestApi(port);
        open.addFirst(back);
        back.put(TestApi.NODES, TestApi.node("gpu-1", true));
        await().until(() -> watch.current().live());
    }

    @Test
    void thePolicyAppearsWhenItsDefinitionIsInstalled() {
        TestApi api = api();
        ClusterWatch watch = started(api);
        awaitLive(watch);
        assertThat(report(watch).policy()).isEmpty();
        api.install(TestApi.POLICIES);
        api.put(TestApi.POLICIES, TestApi.object("""
                {"metadata":{"name":"cluster-policy"},"spec":{"driver":{"enabled":false}},
                 "status":{"state":"ready","conditions":[{"type":"Ready","status":"True","reason":"NoGPUNodes",
                 "message":"none"},{"type":"Error","status":"False"}]}}"""));
        await().until(() -> report(watch).policy().isPresent());
        assertThat(report(watch).policy()).contains(new ClusterReport.PolicyReport("cluster-policy", "ready",
                Optional.of("NoGPUNodes"), Optional.of("none"), true, false, true));
    }

    @Test
    void operandsAndServicesAreFoundByName() {
        TestApi api = api();
        api.put(TestApi.DAEMON_SETS, TestApi.object("""
                {"metadata":{"namespace":"gpu-operator","name":"nvidia-device-plugin-daemonset"},
                 "status":{"desiredNumberScheduled":3,"numberReady":2,"updatedNumberScheduled":3}}"""));
        api.put(TestApi.DAEMON_SETS, TestApi.object("""
                {"metadata":{"namespace":"kube-system","name":"kube-proxy"},"status":{}}"""));
        api.put(TestApi.PODS, TestApi.pod("gpu-operator", "anything", "x", 0));
        api.put(TestApi.PODS, TestApi.pod("models", "ollama", "y", 0));
        api.put(TestApi.SERVICES, TestApi.object("""
                {"metadata":{"namespace":"models","name":"llm"},"spec":{"selector":{"app":"ollama"},
                 "ports":[{"name":"http","port":11434},{"port":53,"protocol":"UDP"}]}}"""));
        api.put(TestApi.SERVICES, TestApi.object("""
                {"metadata":{"namespace":"default","name":"kubernetes"},"spec":{"ports":[{"port":443}]}}"""));
        ClusterWatch watch = started(api);
        awaitLive(watch);
        assertThat(report(watch).daemonSets()).containsExactly(new ClusterReport.DaemonSetReport("gpu-operator",
                "nvidia-device-plugin-daemonset", 3, 2, 3));
        assertThat(report(watch).pods()).extracting(PodReport::name).containsExactly("anything");
        assertThat(report(watch).services()).containsExactly(new ClusterReport.ServiceReport("models", "llm",
                List.of(new ClusterReport.NamedPort("http", 11434)), List.of("ollama")));
    }
}
