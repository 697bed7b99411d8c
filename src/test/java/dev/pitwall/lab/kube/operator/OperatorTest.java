package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.PowerSwitch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.awaitility.Awaitility.await;

/** What the operator, NFD and the programs of their images do over time, on the garage's machines. */
class OperatorTest {
    private static final List<String> GPU_NODES = List.of(TinyCluster.NODE, "rke2-worker-dc2-gpu-a",
            "rke2-worker-dc3-gpu-a");
    private static final ObjectKey PLUGIN = TinyCluster.key("apps/v1", "DaemonSet", "kube-system",
            "nvidia-device-plugin");
    private static final Duration INSTALLED = Duration.ofMinutes(10);

    @Test
    void nothingHappensBeforeTheFirstScanAndThePolicySaysSo() {
        try (TinyCluster cluster = TinyCluster.garage()) {
            cluster.pass(Duration.ofSeconds(55));

            assertThat(cluster.policyState()).isEqualTo("ready NFDLabelsMissing");
            assertThat(cluster.pods("nvidia-driver-daemonset", TinyCluster.NODE)).isEmpty();
        }
    }

    @Test
    void aCleanInstallationComesUpFloorByFloor() {
        try (TinyCluster cluster = TinyCluster.garage()) {
            cluster.pass(Duration.ofSeconds(90));
            assertThat(cluster.labels(TinyCluster.NODE)).containsEntry("nvidia.com/gpu.present", "true")
                    .containsEntry("feature.node.kubernetes.io/pci-10de.present", "true");
            assertThat(cluster.policyState()).isEqualTo("notReady DriverNotReady");

            cluster.pass(Duration.ofSeconds(120));
            assertThat(cluster.world.nodes.get(TinyCluster.NODE).driver).isEqualTo("compiling");
            assertThat(cluster.world.nodes.get(TinyCluster.NODE).toolkitReady).isFalse();

            cluster.pass(Duration.ofSeconds(210));
            assertThat(cluster.policyState()).isEqualTo("ready Reconciled");
            assertThat(GPU_NODES).allSatisfy(node -> {
                assertThat(cluster.cards(node)).isEqualTo(1);
                assertThat(cluster.world.nodes.get(node).files).containsKeys("/run/nvidia/validations/driver-ready",
                        "/run/nvidia/validations/toolkit-ready", "/run/nvidia/validations/cuda-ready",
                        "/run/nvidia/validations/plugin-ready", "/run/nvidia/validations/.driver-ctr-ready");
            });
            cluster.pass(Duration.ofSeconds(70));
            assertThat(cluster.labels(TinyCluster.NODE)).containsEntry("nvidia.com/gpu.product", "NVIDIA-RTX-A1000")
                    .containsEntry("nvidia.com/gpu.memory", "8188").containsEntry("nvidia.com/gpu.machine",
                            "Standard-PC-Q35-ICH9-2009").containsEntry("nvidia.com/gpu-driver-upgrade-state",
                            "upgrade-done");
            assertThat(cluster.pods("nvidia-cuda-validator", TinyCluster.NODE)).singleElement()
                    .extracting(PodFacts::phase).isEqualTo("Succeeded");
        }
    }

    @ParameterizedTest
    @CsvSource({"garage, rke2", "talos, talos", "metal, k3s"})
    void whatASceneHasInstalledComesUpWithoutACompile(String scene, String release) {
        try (TinyCluster cluster = TinyCluster.scene(scene, release)) {
            cluster.pass(Duration.ofMinutes(4));

            assertThat(cluster.policyState()).isEqualTo("ready Reconciled");
            cluster.world.nodes.values().stream().filter(node -> !node.cards.isEmpty()).forEach(node -> {
                assertThat(cluster.cards(node.name)).as(node.name).isEqualTo(node.cards.size());
                assertThat(cluster.labels(node.name)).containsEntry("nvidia.com/gpu.count",
                        Integer.toString(node.cards.size()));
            });
        }
    }

    @Test
    void withoutTheOperatorsPodAChangedPolicyChangesNothing() {
        try (TinyCluster cluster = installed()) {
            cluster.hand.change(TinyCluster.key("apps/v1", "Deployment", TinyCluster.NAMESPACE, "gpu-operator"),
                    object -> object.withObjectProperty("spec").put("replicas", 0));
            cluster.pods.in(TinyCluster.NAMESPACE).stream().filter(pod -> TinyCluster.app(pod).equals("gpu-operator"))
                    .forEach(pod -> cluster.hand.delete(pod.key(), 1));
            cluster.pass(Duration.ofMinutes(1));
            patch(cluster, "{\"dcgmExporter\":{\"enabled\":false}}");
            cluster.pass(Duration.ofMinutes(5));

            assertThat(cluster.pods("nvidia-dcgm-exporter", TinyCluster.NODE)).hasSize(1);
        }
    }

    @Test
    void anOperandThatIsSwitchedOffIsTakenAway() {
        try (TinyCluster cluster = installed()) {
            patch(cluster, "{\"dcgmExporter\":{\"enabled\":false}}");
            cluster.pass(Duration.ofMinutes(1));

            assertThat(cluster.pods("nvidia-dcgm-exporter", TinyCluster.NODE)).isEmpty();
            assertThat(cluster.policyState()).isEqualTo("ready Reconciled");
        }
    }

    @Test
    void aSharedCardCountsAsOftenAsTheConfigurationSays() {
        try (TinyCluster cluster = installed()) {
            share(cluster, "version: v1\nsharing:\n  timeSlicing:\n    resources:\n"
                    + "    - {name: nvidia.com/gpu, replicas: 4}\n");
            assertThat(cluster.cards(TinyCluster.NODE)).isEqualTo(4);
            cluster.pass(Duration.ofMinutes(3));
            assertThat(cluster.labels(TinyCluster.NODE)).containsEntry("nvidia.com/gpu.replicas", "4")
                    .containsEntry("nvidia.com/gpu.product", "NVIDIA-RTX-A1000-SHARED")
                    .containsEntry("nvidia.com/gpu.sharing-strategy", "time-slicing");
        }
    }

    @Test
    void aRenamedResourceLeavesThePlainOneAtZero() {
        try (TinyCluster cluster = installed()) {
            share(cluster, "version: v1\nsharing:\n  timeSlicing:\n    renameByDefault: true\n    resources:\n"
                    + "    - {name: nvidia.com/gpu, replicas: 2}\n");
            assertThat(cluster.cards(TinyCluster.NODE)).isZero();
            assertThat(cluster.status("Node", TinyCluster.NODE).at("/allocatable/nvidia.com~1gpu.shared").asText())
                    .isEqualTo("2");
        }
    }

    @Test
    void aNewDriverReleaseGoesFromNodeToNode() {
        try (TinyCluster cluster = installed()) {
            patch(cluster, "{\"driver\":{\"version\":\"570.172.08\"}}");
            cluster.pass(Duration.ofMinutes(1));
            assertThat(GPU_NODES.stream().filter(node -> cluster.world.nodes.get(node).driverVersion
                    .equals("570.133.20"))).hasSize(2);

            cluster.pass(Duration.ofMinutes(40));
            assertThat(GPU_NODES).allSatisfy(node -> {
                assertThat(cluster.world.nodes.get(node).driverVersion).isEqualTo("570.172.08");
                assertThat(cluster.labels(node)).containsEntry("nvidia.com/gpu-driver-upgrade-state", "upgrade-done");
            });
            assertThat(cluster.policyState()).isEqualTo("ready Reconciled");
        }
    }

    @Test
    void theSampleAddsVectorsOnACardOfItsOwnWithADriverForItsCuda() {
        try (TinyCluster cluster = installed()) {
            assertThat(sample(cluster, "cuda12.5.0", 1)).contains("Test PASSED");
            assertThat(sample(cluster, "cuda13.0.0", 1)).last().asString()
                    .contains("CUDA driver version is insufficient for CUDA runtime version");
            assertThat(sample(cluster, "cuda11.7.1", 0)).last().asString()
                    .contains("CUDA driver version is insufficient for CUDA runtime version");
        }
    }

    /** What NVIDIA's sample says on a node with driver 570. */
    private static List<String> sample(TinyCluster cluster, String cuda, int cards) {
        ObjectNode pod = Json.object();
        ObjectNode spec = pod.putObject("spec").put("nodeName", TinyCluster.NODE).put("restartPolicy", "Never");
        ObjectNode main = spec.putArray("containers").addObject().put("name", "main")
                .put("image", "nvcr.io/nvidia/k8s/cuda-sample:vectoradd-" + cuda);
        if (cards > 0) {
            main.putObject("resources").putObject("limits").put("nvidia.com/gpu", Integer.toString(cards));
        }
        pod.putObject("metadata").putObject("labels").put("app", cuda);
        cluster.hand.create(new ObjectKey(Resource.PODS, "default", "sample-" + cuda), pod);
        cluster.pass(Duration.ofSeconds(30));
        return cluster.seen(cluster.pods(cuda, TinyCluster.NODE).getFirst(), "main").orElseThrow().lines();
    }

    @Test
    void aStandalonePluginWorksUnderTheNvidiaRuntimeOnly() {
        try (TinyCluster cluster = installed()) {
            patch(cluster, "{\"devicePlugin\":{\"enabled\":false}}");
            cluster.pass(Duration.ofMinutes(1));
            assertThat(cluster.cards(TinyCluster.NODE)).isZero();

            cluster.hand.create(PLUGIN, standalone());
            cluster.pass(Duration.ofMinutes(1));
            assertThat(cluster.seen(cluster.pods("plugin", TinyCluster.NODE).getFirst(), "nvidia-device-plugin-ctr"))
                    .get().extracting(TinyCluster.Seen::lines).asInstanceOf(LIST)
                    .anyMatch(line -> line.toString().contains("invalid device discovery strategy"));

            cluster.hand.change(PLUGIN, set -> ((ObjectNode) set.at("/spec/template/spec"))
                    .put("runtimeClassName", "nvidia"));
            cluster.pass(Duration.ofMinutes(2));
            assertThat(cluster.cards(TinyCluster.NODE)).isEqualTo(1);
        }
    }

    private static ObjectNode standalone() {
        ObjectNode set = Json.object();
        set.putObject("metadata");
        ObjectNode wanted = set.putObject("spec");
        wanted.putObject("selector").putObject("matchLabels").put("app", "plugin");
        ObjectNode template = wanted.putObject("template");
        template.putObject("metadata").putObject("labels").put("app", "plugin");
        ObjectNode spec = template.putObject("spec");
        spec.putObject("nodeSelector").put("nvidia.com/gpu.present", "true");
        spec.putArray("tolerations").addObject().put("key", "nvidia.com/gpu").put("operator", "Exists");
        spec.putArray("containers").addObject().put("name", "nvidia-device-plugin-ctr")
                .put("image", "nvcr.io/nvidia/k8s-device-plugin:v0.20.0").putArray("command")
                .add("nvidia-device-plugin");
        return set;
    }

    @Test
    void aNodesLabelChoosesItsConfigurationWhileThePluginRuns() {
        try (TinyCluster cluster = TinyCluster.running(400)) {
            ObjectNode map = Json.object();
            map.putObject("data").put("whole", "version: v1").put("four",
                    "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}");
            cluster.hand.create(TinyCluster.key("v1", "ConfigMap", TinyCluster.NAMESPACE, "sharing"), map);
            patch(cluster, "{\"devicePlugin\":{\"config\":{\"name\":\"sharing\",\"default\":\"whole\"}}}");
            await().until(() -> cluster.policyState().equals("ready Reconciled")
                    && cluster.cards(TinyCluster.NODE) == 1);

            cluster.hand.change(NodeFacts.key(TinyCluster.NODE), node -> node.withObjectProperty("metadata")
                    .withObjectProperty("labels").put("nvidia.com/device-plugin.config", "four"));
            await().until(() -> cluster.cards(TinyCluster.NODE) == 4
                    && "4".equals(cluster.labels(TinyCluster.NODE).get("nvidia.com/gpu.replicas")));
            assertThat(cluster.cards("rke2-worker-dc2-gpu-a")).isEqualTo(1);
        }
    }

    @Test
    void aNodeThatBootsCompilesItsDriverAgainAndComesBackByItself() {
        try (TinyCluster cluster = installed()) {
            cluster.world.bootSteps.add((world, machine, now) -> {
                world.nodes.get(machine).files.keySet().removeIf(path -> path.startsWith("/run/"));
                GuestDriver.unload(world, world.nodes.get(machine), now);
            });
            cluster.world.change(w -> PowerSwitch.rebootGuest(w, w.vms.get(w.nodes.get(TinyCluster.NODE).vmid),
                    cluster.now()));
            cluster.pass(Duration.ofSeconds(90));
            assertThat(cluster.world.nodes.get(TinyCluster.NODE).driver).isEqualTo("compiling");
            assertThat(cluster.cards(TinyCluster.NODE)).isZero();
            assertThat(cluster.policyState()).isEqualTo("notReady DriverNotReady");

            cluster.pass(Duration.ofMinutes(5));
            assertThat(cluster.policyState()).isEqualTo("ready Reconciled");
            assertThat(cluster.cards(TinyCluster.NODE)).isEqualTo(1);
        }
    }

    @Test
    void aSecondPolicyIsIgnored() {
        try (TinyCluster cluster = installed()) {
            ObjectNode second = Json.object();
            second.putObject("spec");
            cluster.hand.create(OperatorController.policy("other"), second);
            cluster.pass(Duration.ofMinutes(1));

            assertThat(cluster.status("ClusterPolicy", "other").path("state").asText()).isEqualTo("ignored");
            assertThat(cluster.policyState()).isEqualTo("ready Reconciled");
        }
    }

    private static TinyCluster installed() {
        TinyCluster cluster = TinyCluster.garage();
        cluster.pass(INSTALLED);
        assertThat(cluster.policyState()).isEqualTo("ready Reconciled");
        return cluster;
    }

    private static void share(TinyCluster cluster, String text) {
        ObjectNode map = Json.object();
        map.putObject("data").put("a1000", text);
        cluster.hand.create(TinyCluster.key("v1", "ConfigMap", TinyCluster.NAMESPACE, "time-slicing-config"), map);
        patch(cluster, "{\"devicePlugin\":{\"config\":{\"name\":\"time-slicing-config\",\"default\":\"a1000\"}}}");
        cluster.pass(Duration.ofMinutes(3));
    }

    private static void patch(TinyCluster cluster, String spec) {
        cluster.hand.change(OperatorController.policy("cluster-policy"), object -> {
            try {
                Json.parse(spec.getBytes(StandardCharsets.UTF_8)).properties().forEach(section ->
                        section.getValue().properties().forEach(field -> object.withObjectProperty("spec")
                                .withObjectProperty(section.getKey()).set(field.getKey(), field.getValue())));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
