package dev.pitwall.lab.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kubectl against the lab's cluster: what it does on a real one, it does here. */
class KubectlTest {
    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: %1$s, namespace: %2$s}
            spec:
              replicas: %3$d
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s}}
                spec:
                  containers:
                    - name: web
                      image: nginx:1.29
                      ports: [{containerPort: 80}]
            """;
    @TempDir
    private static Path dir;
    private static Lab lab;
    private static RealClient kubectl;

    @BeforeAll
    static void start() throws Exception {
        kubectl = RealClient.named("kubectl");
        lab = Lab.start(LabOptions.garage(dir.resolve("lab")).withSpeed(30));
        kubectl = RealClient.named("kubectl", "--kubeconfig", lab.kubeconfig().toString(), "--request-timeout=60s")
                .with("HOME", dir.toString());
    }

    @AfterAll
    static void stop() {
        if (lab != null) {
            lab.close();
        }
    }

    @Test
    void getAndDescribeShowNodesWithCards() {
        assertThat(kubectl.run("get", "nodes").ok()).contains("rke2-worker-dc1-gpu-a", "Ready");
        String described = kubectl.run("describe", "node", "rke2-worker-dc1-gpu-a").ok();
        assertThat(described).contains("nvidia.com/gpu:", "Taints:", "Non-terminated Pods:", "Allocated resources:");
        assertThat(kubectl.run("get", "pods", "-A", "-o", "wide").ok()).contains("nvidia-device-plugin-daemonset");
    }

    @Test
    void theViewerMayLookAndNotTouch() {
        assertThat(kubectl.run("--context", "garage-viewer", "get", "pods", "-A").exit()).isZero();
        assertThat(kubectl.run("--context", "garage-viewer", "delete", "node", "rke2-worker-dc1-gpu-a").err())
                .contains("Forbidden");
        assertThat(kubectl.run("--context", "garage-viewer", "auth", "can-i", "delete", "nodes").out()).contains("no");
        assertThat(kubectl.run("auth", "can-i", "delete", "nodes").ok()).contains("yes");
    }

    @Test
    void cordonAndUncordonAreSeenInTheList() {
        kubectl.run("cordon", "rke2-worker-dc1-a").ok();
        assertThat(kubectl.run("get", "node", "rke2-worker-dc1-a").ok()).contains("SchedulingDisabled");
        kubectl.run("uncordon", "rke2-worker-dc1-a").ok();
        assertThat(kubectl.run("get", "node", "rke2-worker-dc1-a").ok()).doesNotContain("SchedulingDisabled");
    }

    @Test
    void applyAndLabelAndDeleteWorkOnAConfigMap() {
        String manifest = "{apiVersion: v1, kind: ConfigMap, metadata: {name: trial, namespace: default}, data: {a: \"1\"}}";
        assertThat(kubectl.feed(manifest, "apply", "--validate=false", "-f", "-").ok()).contains("created");
        kubectl.run("label", "configmap", "trial", "team=blue").ok();
        assertThat(kubectl.run("get", "configmaps", "-l", "team in (blue)", "-o", "name").ok())
                .contains("configmap/trial");
        kubectl.run("delete", "configmap", "trial").ok();
        assertThat(kubectl.run("get", "configmap", "trial").err()).contains("not found");
    }

    @Test
    void serverSideApplyKnowsWhoOwnsAField() {
        space("owners");
        String manifest = DEPLOYMENT.formatted("web", "owners", 1);
        assertThat(kubectl.feed(manifest, "apply", "--server-side", "-f", "-").ok()).contains("serverside-applied");
        kubectl.feed(manifest.replace("replicas: 1", "replicas: 2"), "apply", "--server-side", "-f", "-").ok();
        RealClient.Result conflict = kubectl.feed(manifest.replace("replicas: 1", "replicas: 4"), "apply", "--server-side",
                "--field-manager=other", "-f", "-");
        assertThat(conflict.exit()).isNotZero();
        assertThat(conflict.err()).contains("conflict with \"kubectl\"", ".spec.replicas");
        kubectl.feed(manifest.replace("replicas: 1", "replicas: 4"), "apply", "--server-side", "--field-manager=other",
                "--force-conflicts", "-f", "-").ok();
        assertThat(kubectl.run("-n", "owners", "get", "deployment", "web", "-o", "jsonpath={.spec.replicas}").ok())
                .isEqualTo("4");
    }

    @Test
    void createAndPatchAndLabelWork() {
        kubectl.run("create", "namespace", "made").ok();
        kubectl.run("-n", "made", "create", "configmap", "settings", "--from-literal=a=1").ok();
        kubectl.run("-n", "made", "patch", "configmap", "settings", "--type=merge", "-p", "{\"data\":{\"b\":\"2\"}}").ok();
        kubectl.run("-n", "made", "patch", "configmap", "settings", "--type=json", "-p",
                "[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"3\"}]").ok();
        assertThat(kubectl.run("-n", "made", "get", "configmap", "settings", "-o", "jsonpath={.data}").ok())
                .contains("\"a\":\"3\"", "\"b\":\"2\"");
        kubectl.run("-n", "made", "label", "configmap", "settings", "team=blue").ok();
        assertThat(kubectl.run("-n", "made", "get", "configmaps", "-l", "team in (blue)", "-o", "name").ok())
                .contains("configmap/settings");
        assertThat(kubectl.run("-n", "made", "create", "configmap", "settings").err()).contains("already exists");
    }

    @Test
    void aKindThatIsNowhereIsNamed() {
        RealClient.Result result = kubectl.feed("apiVersion: nope.example/v1\nkind: Foo\nmetadata: {name: x}\n",
                "apply", "-f", "-");
        assertThat(result.err()).contains("no matches for kind \"Foo\" in version \"nope.example/v1\"");
    }

    @Test
    void explainKnowsBuiltInsAndCustomResources() {
        assertThat(kubectl.run("explain", "pod.spec.containers.resources").ok()).contains("limits", "requests");
        assertThat(kubectl.run("explain", "clusterpolicies.spec.devicePlugin", "--api-version=nvidia.com/v1").ok()).contains("config");
    }

    @Test
    void applyMakesADeploymentWhosePodsComeUpAndChangesItAgain() {
        space("apply");
        kubectl.feed(DEPLOYMENT.formatted("web", "apply", 2), "apply", "-f", "-").ok();
        kubectl.run("-n", "apply", "rollout", "status", "deployment/web", "--timeout=60s").ok();
        assertThat(kubectl.run("-n", "apply", "get", "deployment", "web").ok()).contains("2/2");
        assertThat(kubectl.feed(DEPLOYMENT.formatted("web", "apply", 3), "apply", "-f", "-").ok()).contains("configured");
        assertThat(kubectl.feed(DEPLOYMENT.formatted("web", "apply", 3), "apply", "-f", "-").ok()).contains("unchanged");
        kubectl.run("-n", "apply", "wait", "pod", "-l", "app=web", "--for=condition=Ready", "--timeout=60s").ok();
        kubectl.run("-n", "apply", "scale", "deployment/web", "--replicas=1").ok();
        Awaitility.await().until(() -> kubectl.run("-n", "apply", "get", "pods", "-o",
                "name").ok().lines().count() == 1);
        kubectl.run("-n", "apply", "set", "image", "deployment/web", "web=nginx:1.28").ok();
        kubectl.run("-n", "apply", "rollout", "status", "deployment/web", "--timeout=60s").ok();
        kubectl.run("-n", "apply", "rollout", "undo", "deployment/web").ok();
        Awaitility.await().until(() -> kubectl.run("-n", "apply", "get", "deployment",
                "web", "-o", "jsonpath={.spec.template.spec.containers[0].image}").ok().equals("nginx:1.29"));
        kubectl.run("delete", "namespace", "apply", "--timeout=60s").ok();
    }

    @Test
    void aTaintedNodeTakesNoPodThatDoesNotTolerateIt() {
        String node = "rke2-worker-dc1-b";
        kubectl.run("taint", "node", node, "trial=yes:NoSchedule").ok();
        assertThat(kubectl.run("describe", "node", node).ok()).contains("trial=yes:NoSchedule");
        space("tainted");
        kubectl.feed("""
                apiVersion: v1
                kind: Pod
                metadata: {name: picky, namespace: tainted}
                spec:
                  nodeSelector: {kubernetes.io/hostname: %s}
                  containers: [{name: c, image: busybox:1.37, command: [sleep, infinity]}]
                """.formatted(node), "apply", "-f", "-").ok();
        Awaitility.await().untilAsserted(() -> assertThat(kubectl.run("-n", "tainted",
                "describe", "pod", "picky").ok()).contains("FailedScheduling", "untolerated taint"));
        kubectl.run("taint", "node", node, "trial-").ok();
        kubectl.run("-n", "tainted", "delete", "pod", "picky", "--grace-period=1").ok();
    }

    @Test
    void drainCordonsANodeAndMovesItsPods() {
        String node = kubectl.run("get", "nodes", "-o", "name").ok().lines().map(line -> line.replace("node/", ""))
                .filter(name -> name.contains("worker") && !name.contains("gpu")).findFirst().orElseThrow();
        kubectl.run("cordon", node).ok();
        assertThat(kubectl.run("get", "node", node).ok()).contains("SchedulingDisabled");
        kubectl.run("drain", node, "--ignore-daemonsets", "--delete-emptydir-data", "--force", "--timeout=60s").ok();
        assertThat(kubectl.run("get", "pods", "-A", "--field-selector", "spec.nodeName=" + node, "-o",
                "jsonpath={range .items[*]}{.metadata.ownerReferences[0].kind}{'\\n'}{end}").ok().lines().filter(
                kind -> !kind.isBlank())).isNotEmpty().allMatch(kind -> kind.equals("DaemonSet") || kind.equals("Node"));
        kubectl.run("uncordon", node).ok();
        assertThat(kubectl.run("get", "node", node).ok()).doesNotContain("SchedulingDisabled");
    }

    @Test
    void logsFollowAContainerThatGoesOnWriting() throws Exception {
        space("logs");
        kubectl.run("-n", "logs", "run", "clock", "--image=busybox:1.37", "--restart=Never", "--command", "--", "sh", "-c",
                "while true; do echo tick; sleep 5; done").ok();
        kubectl.run("-n", "logs", "wait", "pod/clock", "--for=condition=Ready", "--timeout=60s").ok();
        Path out = dir.resolve("follow.txt");
        Process follow = kubectl.start(out, "-n", "logs", "logs", "-f", "clock");
        try {
            Awaitility.await().until(() -> Files.readString(out).lines()
                    .filter("tick"::equals).count() >= 3);
        } finally {
            follow.destroy();
            follow.waitFor();
        }
        assertThat(kubectl.run("-n", "logs", "logs", "clock", "--tail=1").ok().strip()).isEqualTo("tick");
    }

    @Test
    void portForwardReachesAModelServer() throws Exception {
        Path out = dir.resolve("forward.txt");
        Process forward = kubectl.start(out, "-n", "llm", "port-forward", "service/ollama-a", ":11434");
        try {
            Pattern line = Pattern.compile("Forwarding from 127\\.0\\.0\\.1:(\\d+)");
            Awaitility.await().until(() -> line.matcher(Files.readString(out)).find());
            Matcher port = line.matcher(Files.readString(out));
            assertThat(port.find()).isTrue();
            HttpResponse<String> tags = HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(
                    "http://127.0.0.1:" + port.group(1) + "/api/tags")).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(tags.statusCode()).isEqualTo(200);
            assertThat(tags.body()).contains("models");
        } finally {
            forward.destroy();
            forward.waitFor();
        }
    }

    @Test
    void aMisspelledFieldIsRefused() {
        space("strict");
        RealClient.Result result = kubectl.feed(DEPLOYMENT.formatted("web", "strict", 1).replace("replicas", "replica"),
                "apply", "-f", "-");
        assertThat(result.exit()).isNotZero();
        assertThat(result.err()).contains("unknown field \"spec.replica\"");
    }

    private static void space(String name) {
        kubectl.run("create", "namespace", name).ok();
    }
}
