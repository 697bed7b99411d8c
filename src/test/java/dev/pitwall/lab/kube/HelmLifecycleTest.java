package dev.pitwall.lab.kube;

import static dev.pitwall.lab.kube.HelmRig.DAEMON_SETS;
import static dev.pitwall.lab.kube.HelmRig.DEFINITIONS;
import static dev.pitwall.lab.kube.HelmRig.OPERATOR;
import static dev.pitwall.lab.kube.HelmRig.POLICIES;
import static dev.pitwall.lab.kube.HelmRig.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.ReleaseHistory;
import com.marcnuri.helm.UpgradeCommand;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.world.LabModelServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real Helm takes a model server through its life in the garage's cluster, says what it cannot do, and changes, takes away
 * and brings back the GPU Operator that is there from the start. Each test leaves the cluster as it was.
 */
class HelmLifecycleTest {
    private static final String NAMESPACE = "web";
    private static final String INSTANCE = "app.kubernetes.io/instance";
    private static final int PATIENCE = 60;
    private static final String NAME = "gpu-operator";
    private static final String VERSION = "v26.3.2";
    private static final List<String> NODES = List.of("rke2-worker-dc1-gpu-a", "rke2-worker-dc2-gpu-a",
            "rke2-worker-dc3-gpu-a");
    private static final String CARDS = "nvidia.com/gpu";
    private static final String SHARED = """
            devicePlugin:
              config:
                create: true
                name: sharing
                default: four
                data:
                  four: |-
                    version: v1
                    sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}
            """;
    @TempDir
    private static Path dir;
    private static HelmRig rig;
    private static Path begin;

    @BeforeAll
    static void start() throws Exception {
        rig = HelmRig.start(dir, "garage");
        begin = rig.helm.values(rig.helm.values(NAME, OPERATOR));
    }

    @AfterAll
    static void stop() {
        if (rig != null) {
            rig.close();
        }
    }

    @Test
    void modelServerIsInstalledUpgradedAndUninstalledAndHelmWaitsForIt() {
        Set<String> before = withoutBuilds(rig.everythingIn(NAMESPACE));
        rig.scale("llm", "ollama-a", 0);
        eventually(() -> assertThat(server("ollama-a")).isEmpty());

        rig.helm.install("ollama", "o", NAMESPACE).set("ollama.gpu.enabled", "true")
                .set("persistentVolume.enabled", "true").waitReady().withTimeout(PATIENCE).call();
        JsonNode first = onlyPod("o");
        assertThat(HelmRig.isReady(first)).isTrue();
        assertThat(first.at("/spec/containers/0/resources/limits").path("nvidia.com/gpu").asText()).isEqualTo("1");
        assertThat(first.at("/spec/nodeName").asText()).isEqualTo("rke2-worker-dc1-gpu-a");
        assertThat(rig.get(HelmRig.CLAIMS, NAMESPACE, "o-ollama").at("/status/phase").asText()).isEqualTo("Bound");
        eventually(() -> assertThat(rig.get(Resource.core("endpoints"), NAMESPACE, "o-ollama")
                .at("/subsets/0/addresses/0/ip")).isEqualTo(first.at("/status/podIP")));
        assertThat(server("o-ollama")).singleElement().satisfies(server -> {
            assertThat(server.card).isEqualTo("pve1/0000:01:00");
            assertThat(server.version).isEqualTo("0.32.15");
        });

        rig.helm.upgrade("ollama", "o", NAMESPACE).reuseValues().set("image.tag", "0.33.0")
                .set("extraEnv[0].name", "OLLAMA_KEEP_ALIVE").set("extraEnv[0].value", "1h").waitReady()
                .withTimeout(PATIENCE).call();
        JsonNode second = onlyPod("o");
        assertThat(HelmRig.isReady(second)).isTrue();
        assertThat(second.at("/metadata/uid")).isNotEqualTo(first.at("/metadata/uid"));
        assertThat(second.at("/spec/containers/0/image").asText()).isEqualTo("ollama/ollama:0.33.0");
        assertThat(second.at("/spec/containers/0/env").toString()).contains("OLLAMA_KEEP_ALIVE");
        assertThat(server("o-ollama")).singleElement().extracting(server -> server.version).isEqualTo("0.33.0");
        assertThat(rig.helm.history("o", NAMESPACE)).extracting(ReleaseHistory::getStatus)
                .containsExactly("superseded", "deployed");
        assertThat(rig.helm.values("o", NAMESPACE)).contains("0.33.0").contains("persistentVolume");

        String volume = rig.get(HelmRig.CLAIMS, NAMESPACE, "o-ollama").at("/spec/volumeName").asText();
        rig.helm.uninstall("o", NAMESPACE);
        eventually(() -> {
            assertThat(withoutBuilds(rig.everythingIn(NAMESPACE))).isEqualTo(before);
            assertThat(rig.find(Resource.core("persistentvolumes"), "", volume)).isEmpty();
            assertThat(server("o-ollama")).isEmpty();
        });
        rig.scale("llm", "ollama-a", 1);
        eventually(() -> assertThat(server("ollama-a")).isNotEmpty());
    }

    @Test
    void releaseThatCannotBecomeReadyFailsAfterItsTimeoutAndItsPodSaysWhy() {
        assertThatThrownBy(() -> rig.helm.install("ollama", "two", NAMESPACE).set("ollama.gpu.enabled", "true")
                .set("ollama.gpu.number", 2).waitReady().withTimeout(1).call())
                .hasMessage("context deadline exceeded");
        assertThat(rig.helm.history("two", NAMESPACE)).singleElement().satisfies(revision -> {
            assertThat(revision.getStatus()).isEqualTo("failed");
            assertThat(revision.getDescription()).isEqualTo("Release \"two\" failed: context deadline exceeded");
        });
        assertThat(onlyPod("two").at("/status/phase").asText()).isEqualTo("Pending");
        assertThat(rig.events(NAMESPACE, "two-ollama", "FailedScheduling")).isNotEmpty().allMatch(message ->
                message.startsWith("0/21 nodes are available: ") && message.contains("3 Insufficient nvidia.com/gpu"));

        // What has failed can be put right: on the processor there is room for it.
        rig.helm.upgrade("ollama", "two", NAMESPACE).resetValues().waitReady().withTimeout(PATIENCE).call();
        assertThat(server("two-ollama")).singleElement().extracting(server -> server.card).isEqualTo("");
        rig.helm.uninstall("two", NAMESPACE);
        eventually(() -> assertThat(rig.pods(NAMESPACE, INSTANCE, "two")).isEmpty());
    }

    @Test
    void releaseThatIsAllOrNothingLeavesNothingWhenItFails() {
        assertThatThrownBy(() -> rig.helm.install("ollama", "all", NAMESPACE).set("ollama.gpu.enabled", "true")
                .set("ollama.gpu.number", 2).atomic().withTimeout(1).call()).hasMessageContaining(
                "release all failed, and has been uninstalled due to atomic being set: context deadline exceeded");
        assertThat(rig.helm.list()).noneMatch(release -> release.getName().equals("all"));
        assertThat(rig.find(HelmRig.DEPLOYMENTS, NAMESPACE, "all-ollama")).isEmpty();
    }

    @Test
    void helmSaysWhatItDoesNotFind() {
        assertThatThrownBy(() -> rig.helm.install("ollama", "lost", "nowhere").call())
                .hasMessage("create: failed to create: namespaces \"nowhere\" not found");
        assertThatThrownBy(() -> rig.helm.install("ollama", "lost", NAMESPACE).withVersion("9.9.9").call())
                .hasMessageContaining("no chart version found for ollama-9.9.9");
        assertThatThrownBy(() -> rig.helm.install("olama", "lost", NAMESPACE).call())
                .hasMessageContaining("no chart name found");
        assertThatThrownBy(() -> rig.helm.upgrade("ollama", "lost", NAMESPACE).call())
                .hasMessage("\"lost\" has no deployed releases");
        assertThatThrownBy(() -> rig.helm.uninstall("lost", NAMESPACE))
                .hasMessage("uninstall: Release not loaded: lost: release: not found");
    }

    @Test
    void valuesThatTheChartDoesNotKnowAreKeptAndThoseThatTheClusterCannotTakeAreRefused() {
        rig.helm.install("ollama", "odd", NAMESPACE).set("ollama.gpus", 1).call();
        assertThat(rig.helm.values("odd", NAMESPACE)).contains("gpus: 1");
        assertThatThrownBy(() -> rig.helm.install("ollama", "odd", NAMESPACE).call())
                .hasMessage("cannot re-use a name that is still in use");
        assertThatThrownBy(() -> rig.helm.upgrade("ollama", "odd", NAMESPACE).set("service.type", "Odd").call())
                .hasMessageContaining("Service \"odd-ollama\" is invalid: spec.type: Unsupported value: \"Odd\"");
        assertThatThrownBy(() -> rig.helm.upgrade("ollama", "odd", NAMESPACE).set("replicaCount", "many").call())
                .hasMessageContaining("cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas");
        assertThat(rig.helm.history("odd", NAMESPACE)).extracting(ReleaseHistory::getStatus)
                .containsExactly("deployed", "failed", "failed");
        assertThatThrownBy(() -> rig.helm.upgrade("ollama", "odd", NAMESPACE).set("knative.enabled", "true").call())
                .hasMessageContaining("the practice lab has no Knative");
        rig.helm.uninstall("odd", NAMESPACE);

        for (String[] wrong : new String[][] {
                {"persistentVolume.size", "lots", "quantities must match the regular expression"},
                {"persistentVolume.accessModes[0]", "ReadSometimes", "spec.accessModes: Unsupported value: \"ReadSometimes\""}}) {
            assertThatThrownBy(() -> rig.helm.install("ollama", "odd", NAMESPACE).set("persistentVolume.enabled", "true")
                    .set(wrong[0], wrong[1]).call()).hasMessageContaining(wrong[2]);
            rig.helm.uninstall("odd", NAMESPACE);
        }
    }

    @BeforeEach
    void operatorIsWhole() {
        rig.awaitOperator(NODES.size());
        assertThat(NODES).allMatch(node -> rig.allocatable(node, CARDS) == 1);
    }

    @Test
    void releaseOfTheSceneIsListedWithItsValues() {
        assertThat(rig.helm.list()).filteredOn(release -> release.getName().equals(NAME)).singleElement()
                .satisfies(release -> {
                    assertThat(release.getNamespace()).isEqualTo(OPERATOR);
                    assertThat(release.getStatus()).isEqualTo("deployed");
                    assertThat(release.getAppVersion()).isEqualTo(VERSION);
                });
        assertThat(rig.helm.values(NAME, OPERATOR)).contains("value: /run/k3s/containerd/containerd.sock")
                .contains("version: 570.133.20");
    }

    @Test
    void sharedCardsComeWithAnUpgradeAndGoWithTheNext() throws Exception {
        upgrade().withValuesFile(rig.helm.values(SHARED)).reuseValues().call();
        eventually(() -> {
            assertThat(NODES).allMatch(node -> rig.allocatable(node, CARDS) == 4);
            assertThat(rig.labels(NODES.getFirst()).path("nvidia.com/gpu.product").asText())
                    .isEqualTo("NVIDIA-RTX-A1000-SHARED");
        });
        assertThat(rig.pods(OPERATOR, "app", "nvidia-device-plugin-daemonset")).allMatch(pod ->
                pod.at("/spec/containers").toString().contains("config-manager"));
        back();
        eventually(() -> assertThat(NODES).allMatch(node -> rig.allocatable(node, CARDS) == 1));
        assertThat(rig.find(Resource.core("configmaps"), OPERATOR, "sharing")).isEmpty();
        assertThat(rig.helm.history(NAME, OPERATOR)).extracting(ReleaseHistory::getStatus).endsWith("superseded",
                "deployed");
    }

    @Test
    void driverThatIsSwitchedOffTakesItsDaemonSetAlongAndLeavesTheModule() {
        upgrade().reuseValues().set("driver.enabled", "false").call();
        eventually(() -> assertThat(rig.find(DAEMON_SETS, OPERATOR, "nvidia-driver-daemonset")).isEmpty());
        eventually(() -> assertThat(rig.pods(OPERATOR, "app", "nvidia-driver-daemonset")).isEmpty());
        assertThat(NODES).allMatch(node -> rig.allocatable(node, CARDS) == 1);
        back();
        eventually(() -> assertThat(rig.pods(OPERATOR, "app", "nvidia-driver-daemonset")).hasSize(NODES.size())
                .allMatch(HelmRig::isReady));
    }

    @Test
    void toolkitThatIsToldTheWrongSocketFailsUntilItIsToldTheRightOne() {
        upgrade().reuseValues().set("toolkit.env[0].value", "/run/containerd/containerd.sock").call();
        eventually(() -> {
            assertThat(rig.pods(OPERATOR, "app", "nvidia-container-toolkit-daemonset")).anyMatch(pod ->
                    pod.at("/status/containerStatuses/0/restartCount").asInt() > 0);
            JsonNode policy = rig.get(POLICIES, "", "cluster-policy");
            assertThat(policy.at("/status/state").asText()).isEqualTo("notReady");
            assertThat(policy.at("/status/conditions/0/message").asText()).contains("state-container-toolkit");
        });
        back();
        rig.awaitOperator(NODES.size());
    }

    @Test
    void whatIsUninstalledIsGoneButItsDefinitionsAndComesBackWhole() throws Exception {
        // Helm's own record of an installation is what the scene began with.
        JsonNode seeded = rig.record(NAME, OPERATOR, lastRevision());
        rig.helm.uninstall(NAME, OPERATOR);
        eventually(() -> assertThat(rig.everythingIn(OPERATOR)).containsExactlyInAnyOrderElementsOf(
                new TreeSet<>(List.of("serviceaccounts/default", "configmaps/kube-root-ca.crt"))));
        assertThat(rig.list(POLICIES, "")).isEmpty();
        assertThat(rig.find(DEFINITIONS, "", "clusterpolicies.nvidia.com")).isPresent();
        assertThat(rig.find(new Resource("node.k8s.io", "runtimeclasses"), "", "nvidia")).isEmpty();
        assertThat(NODES).allMatch(node -> rig.allocatable(node, CARDS) == 0);
        // The hook has pruned what NFD wrote; what the operator wrote stays.
        assertThat(NODES).allSatisfy(node -> {
            assertThat(rig.labels(node).has("feature.node.kubernetes.io/pci-10de.present")).isFalse();
            assertThat(rig.labels(node).has("nvidia.com/gpu.product")).isFalse();
            assertThat(rig.labels(node).path("nvidia.com/gpu.present").asText()).isEqualTo("true");
        });

        rig.helm.install("gpu-operator", NAME, OPERATOR).withVersion(VERSION).withValuesFile(begin).waitReady()
                .withTimeout(PATIENCE).call();
        rig.awaitOperator(NODES.size());
        eventually(() -> assertThat(NODES).allMatch(node -> rig.allocatable(node, CARDS) == 1));
        eventually(() -> assertThat(rig.labels(NODES.getFirst()).path("nvidia.com/gpu.product").asText())
                .isEqualTo("NVIDIA-RTX-A1000"));
        assertThat(withoutTimes(rig.record(NAME, OPERATOR, 1))).isEqualTo(withoutTimes(seeded));
    }

    /** Without the pods that come and go by themselves. */
    private static Set<String> withoutBuilds(Set<String> names) {
        names.removeIf(name -> name.startsWith("pods/") && !name.contains("ollama"));
        return names;
    }

    private static JsonNode onlyPod(String release) {
        List<JsonNode> pods = rig.pods(NAMESPACE, INSTANCE, release);
        assertThat(pods).hasSize(1);
        return pods.getFirst();
    }

    private static List<LabModelServer> server(String name) {
        return rig.lab.world.read(world -> world.servers.values().stream().filter(server -> server.name.equals(name))
                .toList());
    }

    private static UpgradeCommand upgrade() {
        return rig.helm.upgrade("gpu-operator", NAME, OPERATOR).withVersion(VERSION).waitReady()
                .withTimeout(PATIENCE);
    }

    /** To the values that the scene began with. */
    private static void back() {
        upgrade().resetValues().withValuesFile(begin).call();
    }

    private static int lastRevision() {
        return rig.helm.history(NAME, OPERATOR).getLast().getRevision();
    }

    private static JsonNode withoutTimes(JsonNode record) {
        ObjectNode copy = record.deepCopy();
        ObjectNode info = copy.withObjectProperty("info");
        info.remove(List.of("first_deployed", "last_deployed", "description"));
        copy.remove("version");
        copy.path("hooks").forEach(hook -> ((ObjectNode) hook).remove("last_run"));
        return copy;
    }
}
