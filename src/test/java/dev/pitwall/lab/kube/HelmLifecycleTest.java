package dev.pitwall.lab.kube;

import static dev.pitwall.lab.kube.HelmRig.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.ReleaseHistory;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.world.LabModelServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real Helm takes a model server through its life in the lab's cluster, and says what it cannot do. */
class HelmLifecycleTest {
    private static final String NAMESPACE = "web";
    private static final String INSTANCE = "app.kubernetes.io/instance";
    private static final int PATIENCE = 30;
    @TempDir
    private static Path dir;
    private static HelmRig rig;

    @BeforeAll
    static void start() throws Exception {
        rig = HelmRig.start(dir, "garage");
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
                .set("ollama.gpu.number", 2).waitReady().withTimeout(2).call())
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
}
