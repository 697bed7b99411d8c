package dev.pitwall.lab.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.client.RealClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What real kubectl sees of rollouts, and does about them. */
class KubectlRolloutTest {
    @TempDir
    private static Path dir;
    private static KubeLab lab;
    private static RealClient kubectl;

    @BeforeAll
    static void start() throws Exception {
        RealClient.named("kubectl");
        lab = KubeLab.fast(dir, 20);
        kubectl = RealClient.named("kubectl", "--kubeconfig", lab.kubeconfig.toString(), "--request-timeout=60s",
                "-n", "demo").with("HOME", dir.toString());
        kubectl.run("create", "namespace", "demo").ok();
    }

    @AfterAll
    static void stop() {
        if (lab != null) {
            lab.close();
        }
    }

    private static String waited(String what) {
        return kubectl.run("rollout", "status", what, "--timeout=60s").ok();
    }

    private static String read(String what, String path) {
        return kubectl.run("get", what, "-o", "jsonpath=" + path).ok();
    }

    @Test
    void a_deployment_is_rolled_undone_restarted_paused_and_scaled() {
        kubectl.run("create", "deployment", "web", "--image=nginx:1.27", "--replicas=2").ok();
        assertThat(waited("deploy/web")).endsWith("deployment \"web\" successfully rolled out\n");
        kubectl.run("wait", "--for=condition=available", "--timeout=60s", "deploy/web").ok();

        kubectl.run("set", "image", "deploy/web", "nginx=nginx:1.28").ok();
        assertThat(waited("deploy/web")).endsWith("successfully rolled out\n");
        kubectl.run("annotate", "deploy/web", "kubernetes.io/change-cause=newer").ok();
        assertThat(kubectl.run("rollout", "history", "deploy/web").ok()).contains("1         <none>", "2         newer");
        assertThat(kubectl.run("rollout", "history", "deploy/web", "--revision=1").ok()).contains("nginx:1.27");

        kubectl.run("rollout", "undo", "deploy/web").ok();
        waited("deploy/web");
        assertThat(read("deploy/web", "{.metadata.annotations.deployment\\.kubernetes\\.io/revision} "
                + "{.spec.template.spec.containers[0].image}")).isEqualTo("3 nginx:1.27");
        assertThat(read("rs", "{.items[*].spec.replicas}")).contains("2").contains("0");

        kubectl.run("rollout", "restart", "deploy/web").ok();
        waited("deploy/web");
        kubectl.run("rollout", "pause", "deploy/web").ok();
        kubectl.run("scale", "deploy/web", "--replicas=3").ok();
        kubectl.run("rollout", "resume", "deploy/web").ok();
        waited("deploy/web");
        assertThat(read("deploy/web", "{.status.availableReplicas}")).isEqualTo("3");
        assertThat(kubectl.run("describe", "deploy", "web").ok())
                .contains("NewReplicaSet:   web-", "NewReplicaSetAvailable", "ScalingReplicaSet");
    }

    @Test
    void a_rollout_that_does_not_get_on_is_an_error_for_kubectl() {
        kubectl.run("create", "deployment", "lost", "--image=registry.invalid/nothing:1").ok();
        kubectl.run("patch", "deploy", "lost", "-p", "{\"spec\":{\"progressDeadlineSeconds\":60}}").ok();
        RealClient.Result result = kubectl.run("rollout", "status", "deploy/lost", "--timeout=60s");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).contains("Waiting for deployment \"lost\" rollout to finish: ");
        assertThat(result.err()).contains("error: deployment \"lost\" exceeded its progress deadline");
    }

    @Test
    void a_daemon_set_is_rolled_and_undone() {
        kubectl.feed("""
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: agent}
                spec:
                  selector: {matchLabels: {app: agent}}
                  template:
                    metadata: {labels: {app: agent}}
                    spec:
                      nodeSelector: {nvidia.com/gpu.present: "true"}
                      tolerations: [{operator: Exists}]
                      containers: [{name: main, image: "nginx:1.27"}]
                """, "apply", "-f", "-").ok();
        assertThat(waited("ds/agent")).endsWith("daemon set \"agent\" successfully rolled out\n");
        kubectl.run("set", "image", "ds/agent", "main=nginx:1.28").ok();
        assertThat(waited("ds/agent")).endsWith("successfully rolled out\n");
        assertThat(kubectl.run("get", "pods", "-l", "app=agent,pod-template-generation=2", "-o", "name").ok()
                .lines().count()).isEqualTo(3);
        assertThat(kubectl.run("rollout", "history", "ds/agent", "--revision=1").ok()).contains("nginx:1.27");
        kubectl.run("rollout", "undo", "ds/agent").ok();
        waited("ds/agent");
        assertThat(read("ds/agent", "{.spec.template.spec.containers[0].image} {.status.updatedNumberScheduled} "
                + "{.metadata.annotations.deprecated\\.daemonset\\.template\\.generation}")).isEqualTo("nginx:1.27 3 3");
    }
}
