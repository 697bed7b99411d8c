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
}
