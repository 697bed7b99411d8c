package dev.pitwall.lab.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pitwall.lab.kube.KubeLab;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kubectl exec, attach, run and logs against containers that the lab runs. */
class ContainerShellTest {
    private static final String PODS = """
            {apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: shells}, data: {greeting: "hello there", "app.conf": "port=80\\nmode=fast\\n"}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: box, namespace: shells, labels: {app: box}}, spec: {
              volumes: [{name: conf, configMap: {name: settings}}, {name: work, emptyDir: {}}, {name: about, downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}}],
              initContainers: [{name: fetch, image: busybox, command: [sh, -c, "mkdir /data/in; echo fetched > /data/in/model"], volumeMounts: [{name: work, mountPath: /data}]}],
              containers: [
              {name: main, image: "busybox:1.37", command: [sh, -c, "echo started > /tmp/state; sleep infinity"], env: [{name: COLOUR, value: red}],
               volumeMounts: [{name: conf, mountPath: /etc/app}, {name: work, mountPath: /work}, {name: about, mountPath: /about}]},
              {name: web, image: "nginx:1.29", securityContext: {readOnlyRootFilesystem: true}}]}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: smi, namespace: shells}, spec: {tolerations: [{key: nvidia.com/gpu, operator: Exists}], runtimeClassName: nvidia, restartPolicy: Never, containers: [
              {name: main, image: "nvidia/cuda:12.6.0-base-ubuntu24.04", command: [sh, -c, "nvidia-smi -L; sleep infinity"], resources: {limits: {nvidia.com/gpu: 1}}}]}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: blind, namespace: shells}, spec: {restartPolicy: Never, containers: [
              {name: main, image: "nvidia/cuda:12.6.0-base-ubuntu24.04", command: [nvidia-smi]}]}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: steps, namespace: shells}, spec: {restartPolicy: Never, containers: [
              {name: main, image: "busybox", command: [sh, -c, "i=0; while [ $i -lt 3 ]; do i=$((i+1)); echo step $i; sleep 1; done; cat /nothing; python3 -c x; exit 3"]}]}}
            """;
    @TempDir
    private static Path dir;
    private static KubeLab lab;
    private static RealClient kubectl;

    @BeforeAll
    static void start() throws Exception {
        kubectl = RealClient.named("kubectl");
        lab = KubeLab.fast(dir, 10);
        kubectl = RealClient.named("kubectl", "--kubeconfig", lab.kubeconfig.toString(), "--request-timeout=60s")
                .with("HOME", dir.toString());
        // Both cards are taken by model servers at the start.
        kubectl.run("-n", "llm", "scale", "deployment", "ollama-a", "--replicas=0").ok();
        kubectl.run("create", "namespace", "shells").ok();
        kubectl.feed(PODS, "apply", "-f", "-").ok();
        kubectl.run("-n", "shells", "wait", "--for=condition=Ready", "pod/box", "pod/smi", "--timeout=60s").ok();
    }

    @AfterAll
    static void stop() {
        if (lab != null) {
            lab.close();
        }
    }

    private static String in(String... words) {
        return exec(words).ok().strip();
    }

    private static RealClient.Result exec(String... words) {
        String[] all = new String[words.length + 4];
        all[0] = "-n";
        all[1] = "shells";
        all[2] = "exec";
        all[3] = "box";
        System.arraycopy(words, 0, all, 4, words.length);
        return kubectl.run(all);
    }

    @Test
    void aCommandSeesItsContainerAndNotItsNode() {
        assertThat(in("--", "hostname")).isEqualTo("box");
        assertThat(in("--", "id")).isEqualTo("uid=0(root) gid=0(root) groups=0(root)");
        assertThat(in("--", "env")).contains("COLOUR=red", "HOSTNAME=box", "KUBERNETES_SERVICE_HOST=", "HOME=/root")
                .doesNotContain("NVIDIA");
        assertThat(in("--", "ps")).contains("PID   USER", "    1 root      0:00 sh -c echo started");
        assertThat(in("--", "sh", "-c", "cat /etc/app/app.conf | grep mode | cut -d= -f2")).isEqualTo("fast");
        assertThat(in("--", "ls", "/etc/app")).contains("app.conf", "greeting");
        assertThat(in("--", "cat", "/about/labels")).isEqualTo("app=\"box\"");
        assertThat(in("--", "cat", "/tmp/state")).isEqualTo("started");
        assertThat(in("-c", "web", "--", "cat", "/etc/hostname")).isEqualTo("box");
    }

    @Test
    void theServiceAccountsTokenIsOneThatTheApiServerKnows() {
        String folder = "/var/run/secrets/kubernetes.io/serviceaccount/";
        assertThat(in("--", "cat", folder + "namespace")).isEqualTo("shells");
        assertThat(in("--", "cat", folder + "ca.crt")).startsWith("-----BEGIN CERTIFICATE-----");
        String token = in("--", "cat", folder + "token");
        assertThat(kubectl.run("--token", token, "auth", "whoami", "--kubeconfig", "/dev/null", "--insecure-skip-tls-verify",
                "--server", lab.server.endpoints().getFirst().uri().toString()).ok())
                .contains("system:serviceaccount:shells:default");
    }

    @Test
    void whatIsWrittenStaysInItsContainerAndMountsOfConfigurationTakeNothing() {
        in("--", "sh", "-c", "echo one > /work/a; echo two >> /work/a");
        assertThat(in("--", "cat", "/work/a")).isEqualTo("one\ntwo");
        assertThat(in("--", "cat", "/work/in/model")).isEqualTo("fetched");
        assertThat(exec("--", "sh", "-c", "echo x > /etc/app/app.conf").err())
                .contains("sh: can't create /etc/app/app.conf: Read-only file system");
        assertThat(exec("-c", "web", "--", "sh", "-c", "echo x > /a").err())
                .contains("sh: 1: cannot create /a: Read-only file system");
        assertThat(exec("-c", "web", "--", "cat", "/work/a").err()).contains("No such file or directory");
    }

    @Test
    void inputGoesInAndStatusesComeOut() {
        assertThat(kubectl.feed("b\na\n", "-n", "shells", "exec", "-i", "box", "--", "sort").ok()).isEqualTo("a\nb\n");
        assertThat(kubectl.feed("echo from $HOSTNAME\nexit 4\n", "-n", "shells", "exec", "-i", "box", "--", "sh").out())
                .isEqualTo("from box\n");
        RealClient.Result failed = exec("--", "sh", "-c", "echo oops >&2; exit 3");
        assertThat(failed.exit()).isEqualTo(3);
        assertThat(failed.err()).contains("oops", "command terminated with exit code 3");
        assertThat(exec("--", "sh", "-c", "nope").err()).contains("sh: nope: not found",
                "command terminated with exit code 127");
        assertThat(exec("--", "wget", "-qO-", "http://web").err()).contains("wget: this program is not run in this "
                + "practice lab", "exit code 127");
    }

    @Test
    void whatCannotBeStartedIsRefusedInContainerdsWords() {
        assertThat(exec("--", "bash").err()).contains("error executing command in container: failed to exec in container: "
                + "failed to start exec", "OCI runtime exec failed: exec failed: unable to start container process: exec: "
                + "\"bash\": executable file not found in $PATH: unknown");
        assertThat(exec("--", "/usr/bin/python3").err()).contains("stat /usr/bin/python3: no such file or directory");
        assertThat(exec("--", "nvidia-smi").err()).contains("exec: \"nvidia-smi\": executable file not found in $PATH");
        assertThat(exec("-c", "side", "--", "ls").err()).contains("container side is not valid for pod box");
        assertThat(kubectl.run("-n", "gpu-operator", "exec", "deploy/gpu-operator-node-feature-discovery-master",
                "--", "sh").err())
                .contains("exec: \"sh\": executable file not found in $PATH");
        await().untilAsserted(() -> assertThat(kubectl.run("-n", "shells", "exec", "steps",
                "--", "ls").err()).contains("cannot exec into a container in a completed pod; current phase is Failed"));
    }

    @Test
    void aContainerSeesTheCardsThatItWasGiven() {
        String listed = kubectl.run("-n", "shells", "exec", "smi", "--", "nvidia-smi", "-L").ok();
        assertThat(listed).startsWith("GPU 0: NVIDIA RTX A1000 (UUID: GPU-").hasLineCount(1);
        assertThat(kubectl.run("-n", "shells", "exec", "smi", "--", "nvidia-smi", "--query-gpu=driver_version",
                "--format=csv,noheader").ok().strip()).isEqualTo("570.133.20");
        assertThat(kubectl.run("-n", "shells", "logs", "smi").ok()).isEqualTo(listed);
        assertThat(kubectl.run("-n", "shells", "exec", "smi", "--", "ls", "/dev").ok()).contains("nvidia0", "nvidiactl");
        assertThat(kubectl.run("-n", "gpu-operator", "exec", "ds/nvidia-driver-daemonset", "-c", "nvidia-driver-ctr", "--",
                "nvidia-smi", "-L").ok()).startsWith("GPU 0: NVIDIA RTX A1000");
        assertThat(kubectl.run("-n", "shells", "get", "pod", "blind", "-o",
                "jsonpath={.status.containerStatuses[0].state.terminated.message}").ok())
                .contains("exec: \"nvidia-smi\": executable file not found in $PATH: unknown");
    }

    @Test
    void aScriptsLogIsItsOwnAndSaysWhatCouldNotBeRun() {
        await().untilAsserted(() -> assertThat(kubectl.run("-n", "shells", "get", "pod",
                "steps", "-o", "jsonpath={.status.containerStatuses[0].state.terminated.exitCode}").ok()).isEqualTo("3"));
        assertThat(kubectl.run("-n", "shells", "logs", "steps").ok()).isEqualTo("""
                step 1
                step 2
                step 3
                cat: /nothing: No such file or directory
                sh: python3: not found
                """);
    }

    @Test
    void aShellThatWasRunToBeTypedIntoEndsWithItsInput() {
        RealClient.Result run = kubectl.feed("echo hi from $HOSTNAME\nexit 5\n", "-n", "shells", "run", "typed", "-i",
                "--image=busybox", "--restart=Never", "--quiet", "--", "sh");
        assertThat(run.out()).contains("hi from typed");
        await().untilAsserted(() -> assertThat(kubectl.run("-n", "shells", "get", "pod",
                "typed", "-o", "jsonpath={.status.containerStatuses[0].state.terminated.exitCode}").ok()).isEqualTo("5"));
    }
}
