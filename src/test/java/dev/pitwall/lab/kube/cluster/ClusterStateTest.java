package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.scene.SceneException;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.LabFault;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import static org.assertj.core.api.Assertions.assertThat;

/** The garage's cluster, with the time in the test's hand. */
class ClusterStateTest {
    private static final String NODE = "rke2-worker-dc1-gpu-a";
    private static final Resource PODS = Resource.core("pods");
    private static final Resource EVENTS = Resource.core("events");

    private Instant now = Instant.parse("2026-11-30T12:00:00Z");
    private World world;
    private ObjectStore store;
    private ClusterState state;

    @BeforeEach
    void garage() throws SceneException {
        world = new World(new LabClock(() -> now), 1);
        SceneWorld.fill(world, new SceneFile().bundled("garage"));
        ResourceCatalog catalog = ResourceCatalog.load();
        store = new ObjectStore(world.clock(), catalog, 4096);
        state = new ClusterState(world, store, catalog);
        state.pass();
    }

    @Test
    void a_healthy_cluster_has_every_floor_up_and_says_so() {
        assertThat(operands()).allSatisfy(pod -> assertThat(pod.at("/status/phase").asText())
                .isIn("Running", "Succeeded"));
        assertThat(policy().at("/status/state").asText()).isEqualTo("ready");
        assertThat(policy().at("/status/conditions/0/reason").asText()).isEqualTo("Reconciled");
        assertThat(servers()).hasSize(3).allSatisfy(pod ->
                assertThat(pod.at("/spec/containers/0/resources/limits/nvidia.com~1gpu").asText()).isEqualTo("1"));
    }

    @Test
    void a_quiet_moment_changes_nothing() {
        long before = store.revision();
        state.pass();
        assertThat(store.revision()).isEqualTo(before);
    }

    @Test
    void after_a_driver_is_lost_the_floors_come_up_one_after_the_other() {
        world.change(w -> {
            LabNode node = w.nodes.get(NODE);
            node.driver = "absent";
            node.driverSince = now;
        });
        state.pass();
        assertThat(driver()).isEqualTo("compiling");
        assertThat(mainState("nvidia-driver-daemonset").path("running").isObject()).isTrue();
        assertThat(waitingInit("nvidia-container-toolkit-daemonset")).isEqualTo("driver-validation");
        assertThat(waitingInit("nvidia-operator-validator")).isEqualTo("driver-validation");
        assertThat(node().at("/status/capacity").has("nvidia.com/gpu")).isFalse();
        after(181);
        assertThat(driver()).isEqualTo("loaded");
        after(8);
        assertThat(waitingInit("nvidia-operator-validator")).isEqualTo("toolkit-validation");
        assertThat(toolkitReady()).isFalse();
        after(8);
        assertThat(toolkitReady()).isTrue();
        after(12);
        assertThat(node().at("/status/allocatable/nvidia.com~1gpu").asText()).isEqualTo("1");
        assertThat(waitingInit("nvidia-operator-validator")).isEqualTo("cuda-validation");
        after(60);
        a_healthy_cluster_has_every_floor_up_and_says_so();
    }

    @ParameterizedTest
    @EnumSource(Trap.class)
    void every_fault_shows_and_heals(Trap trap) {
        List<String> healthy = picture();
        on(trap);
        state.pass();
        after(5);
        assertThat(picture()).as("while it is on").isNotEqualTo(healthy);
        off();
        state.pass();
        after(400);
        after(5);
        assertThat(picture()).as("after it is off").isEqualTo(healthy);
        assertThat(policy().at("/status/conditions/0/reason").asText()).isEqualTo("Reconciled");
    }

    @Test
    void an_untolerated_taint_value_keeps_the_plugin_off_one_node() {
        on(Trap.DEVICE_PLUGIN_MISSING_TOLERATION);
        state.pass();
        assertThat(events("FailedScheduling")).anyMatch(text -> text.startsWith("0/21 nodes are available: 1 node(s)"
                + " had untolerated taint {nvidia.com/gpu: present}"));
        JsonNode set = daemonSet("nvidia-device-plugin-daemonset");
        assertThat(set.at("/status/desiredNumberScheduled").asInt()).isEqualTo(2);
        assertThat(node().at("/spec/taints/0/value").asText()).isEqualTo("present");
        assertThat(node().at("/status/capacity/nvidia.com~1gpu").asText()).isEqualTo("1");
        assertThat(node().at("/status/allocatable/nvidia.com~1gpu").asText()).isEqualTo("0");
    }

    @Test
    void a_compile_without_memory_is_killed_again_and_again() {
        on(Trap.DRIVER_OOM_WHILE_COMPILING);
        state.pass();
        after(50);
        JsonNode status = operand("nvidia-driver-daemonset").at("/status/containerStatuses/0");
        assertThat(status.at("/state/waiting/reason").asText()).isEqualTo("CrashLoopBackOff");
        assertThat(status.at("/lastState/terminated/reason").asText()).isEqualTo("OOMKilled");
        assertThat(status.at("/lastState/terminated/exitCode").asInt()).isEqualTo(137);
        assertThat(driver()).isEqualTo("failed");
        after(60);
        assertThat(operand("nvidia-driver-daemonset").at("/status/containerStatuses/0/restartCount").asInt())
                .isPositive();
    }

    @Test
    void a_missing_image_and_a_missing_runtime_speak_the_kubelets_words() {
        on(Trap.DRIVER_IMAGE_NOT_PUBLISHED_FOR_OS);
        state.pass();
        after(20);
        assertThat(mainState("nvidia-driver-daemonset").at("/waiting/reason").asText()).isEqualTo("ImagePullBackOff");
        assertThat(events("Failed")).anyMatch(text ->
                text.contains("nvcr.io/nvidia/driver:570.133.20-ubuntu24.04: not found"));
        off();
        on(Trap.CONTAINERD_SOCKET_WRONG_PATH);
        state.pass();
        after(100);
        assertThat(events("FailedCreatePodSandBox")).isNotEmpty().allMatch(text ->
                text.contains("no runtime for \"nvidia\" is configured"));
        assertThat(toolkitReady()).isFalse();
    }

    @Test
    void a_missing_sharing_configuration_stops_the_roll_out_at_its_first_node() {
        on(Trap.TIME_SLICING_CONFIG_MISSING);
        state.pass();
        assertThat(events("FailedMount")).anyMatch(text -> text.endsWith("configmap \"time-slicing-config\" not found"));
        assertThat(daemonSet("nvidia-device-plugin-daemonset").at("/status/updatedNumberScheduled").asInt())
                .isEqualTo(1);
        assertThat(daemonSet("nvidia-device-plugin-daemonset").at("/status/numberReady").asInt()).isEqualTo(2);
    }

    @Test
    void without_nfd_nothing_is_deployed_and_the_policy_calls_that_ready() {
        on(Trap.NFD_MASTER_MISSING_TOLERATION);
        state.pass();
        assertThat(policy().at("/status/state").asText()).isEqualTo("ready");
        assertThat(policy().at("/status/conditions/0/reason").asText()).isEqualTo("NFDLabelsMissing");
        assertThat(daemonSet("nvidia-driver-daemonset").at("/status/desiredNumberScheduled").asInt()).isZero();
        assertThat(node().at("/metadata/labels/nvidia.com~1gpu.present").asText()).isEqualTo("false");
    }

    @Test
    void a_stopped_notebook_holds_its_card_until_its_pod_is_gone() {
        on(Trap.CLAIM_HELD_BY_TERMINATING_POD);
        state.pass();
        after(600);
        JsonNode pod = pods(found -> found.at("/metadata/name").asText().equals("sweep-old-0")).getFirst();
        assertThat(pod.at("/metadata").has("deletionTimestamp")).isTrue();
        assertThat(pod.at("/spec/nodeName").asText()).isEqualTo(NODE);
        assertThat(events("FailedScheduling")).anyMatch(text -> text.contains("1 Insufficient nvidia.com/gpu"));
        boolean up = world.read(w -> w.servers.get("ollama-a").up);
        assertThat(up).isFalse();
    }

    @Test
    void a_lost_card_is_in_the_capacity_but_not_allocatable() {
        world.change(w -> w.cards.get("pve1/0000:01:00").lost = true);
        state.pass();
        assertThat(node().at("/status/capacity/nvidia.com~1gpu").asText()).isEqualTo("1");
        assertThat(node().at("/status/allocatable/nvidia.com~1gpu").asText()).isEqualTo("0");
    }

    private void after(int seconds) {
        now = now.plusSeconds(seconds);
        state.pass();
    }

    private void on(Trap trap) {
        world.change(w -> w.faults.add(new LabFault(trap.trapName(), Optional.empty(), now)));
    }

    private void off() {
        world.change(w -> w.faults.clear());
    }

    /** The state of everything that a fault can touch, without names and times. */
    private List<String> picture() {
        Stream<String> pods = Stream.concat(operands().stream(), Stream.concat(servers().stream(),
                pods(pod -> pod.at("/metadata/namespace").asText().equals("kubeflow-anna")).stream()))
                .map(pod -> pod.at("/metadata/labels").toString() + pod.at("/spec/nodeName").asText()
                        + pod.at("/status/phase").asText() + pod.at("/status/containerStatuses/0/ready").asText()
                        + pod.at("/metadata").has("deletionTimestamp"));
        Stream<String> nodes = store.list(Resource.core("nodes"), "").objects().stream().map(StoredObject::tree)
                .map(node -> node.at("/metadata/name").asText() + node.at("/spec") + node.at("/status/allocatable"));
        return Stream.concat(pods, nodes).sorted().toList();
    }

    private List<JsonNode> pods(Predicate<JsonNode> wanted) {
        return store.list(PODS, "").objects().stream().<JsonNode>map(StoredObject::tree).filter(wanted).toList();
    }

    private List<JsonNode> operands() {
        return pods(pod -> pod.at("/metadata/namespace").asText().equals("gpu-operator"));
    }

    private List<JsonNode> servers() {
        return pods(pod -> pod.at("/metadata/namespace").asText().equals("llm"));
    }

    private JsonNode operand(String app) {
        return pods(pod -> pod.at("/metadata/labels/app").asText().equals(app)
                && pod.at("/spec/affinity").toString().contains(NODE)).getFirst();
    }

    private JsonNode mainState(String app) {
        return operand(app).at("/status/containerStatuses/0/state");
    }

    private String waitingInit(String app) {
        return StreamSupport.stream(operand(app).at("/status/initContainerStatuses").spliterator(), false)
                .filter(status -> status.at("/state/running").isObject()).findFirst()
                .map(status -> status.path("name").asText()).orElse("none");
    }

    private JsonNode node() {
        return store.get(new ObjectKey(Resource.core("nodes"), "", NODE)).tree();
    }

    private JsonNode daemonSet(String name) {
        return store.get(new ObjectKey(new Resource("apps", "daemonsets"), "gpu-operator", name)).tree();
    }

    private JsonNode policy() {
        return store.get(new ObjectKey(new Resource("nvidia.com", "clusterpolicies"), "", "cluster-policy")).tree();
    }

    private List<String> events(String reason) {
        return store.list(EVENTS, "").objects().stream().map(StoredObject::tree)
                .filter(event -> event.path("reason").asText().equals(reason))
                .map(event -> event.path("message").asText()).toList();
    }

    private String driver() {
        return world.read(w -> w.nodes.get(NODE).driver);
    }

    private boolean toolkitReady() {
        return world.read(w -> w.nodes.get(NODE).toolkitReady);
    }
}
