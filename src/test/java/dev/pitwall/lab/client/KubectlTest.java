package dev.pitwall.lab.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kubectl against the lab's cluster. */
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
        kubectl = RealClient.named("kubectl", "--kubeconfig", lab.kubeconfig().toString(), "--request-timeout=30s")
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
    void explainKnowsBuiltInsAndCustomResources() {
        assertThat(kubectl.run("explain", "pod.spec.containers.resources").ok()).contains("limits", "requests");
        assertThat(kubectl.run("explain", "clusterpolicies.spec.devicePlugin", "--api-version=nvidia.com/v1").ok()).contains("config");
    }

    @Test
    void aWorkloadThatIsNotRunIsNotTakenForOneThatIs() {
        space("unrun");
        RealClient.Result made = kubectl.feed(DEPLOYMENT.formatted("web", "unrun", 1), "apply", "-f", "-");
        assertThat(made.ok()).contains("created");
        assertThat(made.err()).contains("Warning: the practice lab keeps this object and does not run it");
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
