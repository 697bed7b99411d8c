package dev.pitwall.lab.kube.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Preconditions;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.scene.SceneException;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.World;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KubeletsTest {
    private static final String GPU = "nvidia.com/gpu";
    private static final String NODE = KubeletRig.NODE;

    private KubeletRig rig;
    private World world;
    private ObjectStore store;
    private Kubelets kubelets;

    @BeforeEach
    void garage() throws SceneException {
        rig = new KubeletRig().started();
        world = rig.world;
        store = rig.store;
        kubelets = rig.kubelets;
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private void pass(long seconds) {
        rig.pass(seconds);
    }

    private static ObjectKey key(String name) {
        return new ObjectKey(Resource.PODS, "default", name);
    }

    private void create(String name, String image, String command, Consumer<ObjectNode> more) throws IOException {
        ObjectNode pod = (ObjectNode) Json.parse(("{\"spec\":{\"nodeName\":\"" + NODE + "\",\"restartPolicy\":\"Never\","
                + "\"containers\":[{\"name\":\"main\",\"image\":\"" + image + "\",\"imagePullPolicy\":\"IfNotPresent\"}]}}")
                .getBytes(StandardCharsets.UTF_8));
        if (!command.isEmpty()) {
            main(pod).putArray("command").add("sh").add("-c").add(command);
        }
        more.accept(pod);
        store.create(key(name), pod);
    }

    private static ObjectNode main(ObjectNode pod) {
        return (ObjectNode) pod.at("/spec/containers/0");
    }

    private static void gpu(ObjectNode pod) {
        main(pod).putObject("resources").putObject("limits").put(GPU, "1");
    }

    private JsonNode pod(String name) {
        return store.get(key(name)).tree();
    }

    private JsonNode state(String name) {
        return pod(name).at("/status/containerStatuses/0/state");
    }

    private String phase(String name) {
        return pod(name).at("/status/phase").asText();
    }

    private String condition(JsonNode object, String type) {
        for (JsonNode each : object.at("/status/conditions")) {
            if (each.path("type").asText().equals(type)) {
                return each.path("status").asText();
            }
        }
        return "";
    }

    private JsonNode node() {
        return store.get(new ObjectKey(Resource.NODES, "", NODE)).tree();
    }

    private List<String> events() {
        return store.list(Resource.EVENTS, "default").objects().stream().map(StoredObject::tree)
                .map(event -> event.path("reason").asText() + ": " + event.path("message").asText()).toList();
    }

    private List<String> log(String name, LogSource.Run run) {
        return kubelets.logs().lines(pod(name), "main", run).stream().map(LogSource.Line::text).toList();
    }

    @Test
    void every_machine_of_the_world_joins_as_its_distribution_does() {
        assertThat(store.list(Resource.NODES, "").objects()).hasSize(21);
        assertThat(condition(node(), "Ready")).isEqualTo("True");
        assertThat(node().at("/spec/providerID").asText()).isEqualTo("rke2://" + NODE);
        assertThat(node().at("/status/capacity").has(GPU)).isFalse();
    }

    @Test
    void nothing_is_written_about_a_node_of_which_nothing_has_changed() {
        long before = store.get(new ObjectKey(Resource.NODES, "", NODE)).revision();
        world.change(w -> { });
        pass(60);
        assertThat(store.get(new ObjectKey(Resource.NODES, "", NODE)).revision()).isEqualTo(before);
    }

    @Test
    void a_pod_is_pulled_runs_and_is_ready() throws IOException {
        create("web", "nginx:1.29", "", pod -> { });
        pass(1);
        assertThat(state("web").at("/waiting/reason").asText()).isEqualTo("ContainerCreating");
        pass(10);
        assertThat(phase("web")).isEqualTo("Running");
        assertThat(condition(pod("web"), "Ready")).isEqualTo("True");
        assertThat(pod("web").at("/status/podIP").asText()).startsWith("10.42.");
        assertThat(pod("web").at("/status/containerStatuses/0/image").asText())
                .isEqualTo("docker.io/library/nginx:1.29");
        assertThat(events()).contains("Pulling: Pulling image \"nginx:1.29\"", "Started: Started container main")
                .anyMatch(text -> text.startsWith("Pulled: Successfully pulled image \"nginx:1.29\" in 4s"));
    }

    @Test
    void an_image_that_was_not_published_is_not_found_and_backs_off() throws IOException {
        create("driver", "nvcr.io/nvidia/driver:580.95.05-ubuntu21.10", "", pod -> { });
        pass(3);
        assertThat(state("driver").at("/waiting/reason").asText()).isEqualTo("ErrImagePull");
        assertThat(state("driver").at("/waiting/message").asText())
                .endsWith("nvcr.io/nvidia/driver:580.95.05-ubuntu21.10: not found");
        pass(6);
        assertThat(state("driver").at("/waiting/reason").asText()).isEqualTo("ImagePullBackOff");
        assertThat(phase("driver")).isEqualTo("Pending");
    }

    @Test
    void a_registry_that_is_not_there_is_not_found_by_its_name() throws IOException {
        create("mine", "registry.local/team/mine:1", "", pod -> { });
        create("here", "localhost:5000/mine:1", "", pod -> { });
        pass(3);
        assertThat(state("mine").at("/waiting/message").asText()).endsWith("failed to do request: Head"
                + " \"https://registry.local/v2/team/mine/manifests/1\": dial tcp: lookup registry.local: no such host");
        assertThat(state("here").at("/waiting/message").asText())
                .endsWith("dial tcp 127.0.0.1:5000: connect: connection refused");
    }

    @Test
    void an_image_that_is_not_there_is_not_taken_for_one_that_is_when_the_kubelet_is_late() throws IOException {
        create("driver", "nvcr.io/nvidia/driver:580.95.05-ubuntu21.10", "", pod -> { });
        for (int i = 0; i < 20; i++) {
            rig.skip(61);
            assertThat(state("driver").at("/waiting").isObject()).isTrue();
        }
        assertThat(phase("driver")).isEqualTo("Pending");
    }

    @Test
    void a_command_line_writes_its_log_in_its_own_time_and_its_exit_code_ends_the_pod() throws IOException {
        create("count", "busybox", "for i in 1 2 3; do echo n$i; sleep 2; done; exit 3", pod -> { });
        pass(5);
        assertThat(log("count", LogSource.Run.CURRENT)).startsWith("n1").doesNotContain("n3");
        pass(10);
        assertThat(log("count", LogSource.Run.CURRENT)).containsExactly("n1", "n2", "n3");
        assertThat(phase("count")).isEqualTo("Failed");
        assertThat(state("count").at("/terminated/exitCode").asInt()).isEqualTo(3);
    }

    @Test
    void redirections_and_substitutions_do_what_a_shell_does_or_fail() throws IOException {
        create("shell", "busybox", "echo gone > /dev/null; echo kept 2>&1; (exit 4); echo $?; echo \"<$(echo a; echo b)>\";"
                + " for i in $(echo one two); do echo $i; done; echo x > /etc/motd; echo $?; cat /etc/motd; echo y > /no/where;"
                + " echo \"[$(nope)]\"; exit abc", pod -> { });
        pass(10);
        assertThat(log("shell", LogSource.Run.CURRENT)).containsExactly("kept", "4", "<a", "b>", "one", "two",
                "0", "x", "sh: can't create /no/where: nonexistent directory", "sh: nope: not found", "[]");
        assertThat(state("shell").at("/terminated/exitCode").asInt()).isEqualTo(2);
    }

    @Test
    void the_kubelet_fills_in_what_it_knows_of_the_environment_and_leaves_the_rest_to_the_shell() throws IOException {
        create("env", "busybox", "echo $(GREETING) $$(hostname) $(UNKNOWN)", pod -> main(pod).putArray("env")
                .addObject().put("name", "GREETING").put("value", "hello"));
        pass(10);
        assertThat(log("env", LogSource.Run.CURRENT)).containsExactly("sh: UNKNOWN: not found", "hello env");
    }

    @Test
    void a_command_that_its_image_does_not_have_does_not_start() throws IOException {
        create("web", "nginx:1.29", "", pod -> main(pod).putArray("command").add("apache2").add("-D"));
        create("tool", "busybox", "", pod -> main(pod).putArray("command").add("/usr/bin/python3"));
        pass(10);
        for (String name : List.of("web", "tool")) {
            assertThat(phase(name)).isEqualTo("Failed");
            assertThat(state(name).at("/terminated/reason").asText()).isEqualTo("StartError");
            assertThat(state(name).at("/terminated/exitCode").asInt()).isEqualTo(128);
        }
        assertThat(state("web").at("/terminated/message").asText())
                .endsWith("exec: \"apache2\": executable file not found in $PATH: unknown");
        assertThat(state("tool").at("/terminated/message").asText())
                .endsWith("exec: \"/usr/bin/python3\": stat /usr/bin/python3: no such file or directory: unknown");
    }

    @Test
    void an_endless_loop_goes_on_printing() throws IOException {
        create("dates", "busybox", "while true; do date; sleep 1; done", pod -> { });
        pass(60);
        assertThat(phase("dates")).isEqualTo("Running");
        int lines = log("dates", LogSource.Run.CURRENT).size();
        pass(10);
        assertThat(log("dates", LogSource.Run.CURRENT).size()).isBetween(lines + 9, lines + 11);
    }

    @Test
    void a_container_that_dies_again_and_again_waits_longer_each_time() throws IOException {
        create("crash", "busybox", "echo bye; exit 1", pod -> pod.withObject("/spec").put("restartPolicy", "Always"));
        pass(8);
        assertThat(state("crash").at("/waiting/reason").asText()).isEqualTo("CrashLoopBackOff");
        assertThat(state("crash").at("/waiting/message").asText()).startsWith("back-off 10s restarting failed");
        assertThat(pod("crash").at("/status/containerStatuses/0/lastState/terminated/exitCode").asInt()).isEqualTo(1);
        assertThat(log("crash", LogSource.Run.PREVIOUS)).containsExactly("bye");
        pass(12);
        assertThat(state("crash").at("/waiting/message").asText()).startsWith("back-off 20s");
        pass(3600);
        assertThat(state("crash").at("/waiting/message").asText()).startsWith("back-off 5m0s");
        assertThat(pod("crash").at("/status/containerStatuses/0/restartCount").asInt()).isBetween(14, 20);
    }

    @Test
    void a_missing_config_map_holds_a_mount_or_an_environment_until_it_is_there() throws IOException {
        create("mount", "busybox", "sleep infinity", pod -> pod.withObject("/spec").putArray("volumes").addObject()
                .put("name", "conf").putObject("configMap").put("name", "settings"));
        create("env", "busybox", "sleep infinity", pod -> main(pod).putArray("envFrom").addObject()
                .putObject("configMapRef").put("name", "settings"));
        pass(5);
        assertThat(events()).contains("FailedMount: MountVolume.SetUp failed for volume \"conf\" : configmap"
                + " \"settings\" not found");
        assertThat(state("env").at("/waiting/reason").asText()).isEqualTo("CreateContainerConfigError");
        store.create(new ObjectKey(Resource.CONFIG_MAPS, "default", "settings"), Json.object());
        pass(130);
        assertThat(phase("mount")).isEqualTo("Running");
        assertThat(phase("env")).isEqualTo("Running");
    }

    @Test
    void a_runtime_without_the_handler_makes_no_sandbox() throws IOException {
        ObjectNode runtime = Json.object();
        runtime.put("handler", "nvidia");
        store.create(new ObjectKey(Resource.RUNTIME_CLASSES, "", "nvidia"), runtime);
        world.change(w -> w.nodes.get(NODE).toolkitReady = false);
        create("smi", "busybox", "sleep infinity", pod -> pod.withObject("/spec").put("runtimeClassName", "nvidia"));
        pass(5);
        assertThat(events()).contains("FailedCreatePodSandBox: Failed to create pod sandbox: rpc error: code = Unknown"
                + " desc = failed to get sandbox runtime: no runtime for \"nvidia\" is configured");
        world.change(w -> w.nodes.get(NODE).toolkitReady = true);
        pass(20);
        assertThat(phase("smi")).isEqualTo("Running");
    }

    @Test
    void init_containers_come_first_and_in_order() throws IOException {
        create("two", "busybox", "sleep infinity", pod -> {
            var init = pod.withObject("/spec").putArray("initContainers");
            init.addObject().put("name", "one").put("image", "busybox").putArray("command").add("sleep").add("5");
            init.addObject().put("name", "two").put("image", "busybox").putArray("command").add("sleep").add("5");
        });
        pass(5);
        assertThat(condition(pod("two"), "Initialized")).isEqualTo("False");
        assertThat(pod("two").at("/status/initContainerStatuses/0/state").has("running")).isTrue();
        assertThat(state("two").at("/waiting/reason").asText()).isEqualTo("PodInitializing");
        pass(20);
        assertThat(condition(pod("two"), "Initialized")).isEqualTo("True");
        assertThat(phase("two")).isEqualTo("Running");
    }

    @Test
    void devices_are_given_and_taken_back_and_the_node_shows_them() throws IOException {
        kubelets.book(NODE).orElseThrow().register(GPU, Map.of("GPU-1", true));
        create("sum", "busybox", "sleep 5", KubeletsTest::gpu);
        pass(4);
        assertThat(node().at("/status/allocatable").path(GPU).asText()).isEqualTo("1");
        assertThat(kubelets.book(NODE).orElseThrow().free(GPU)).isEmpty();
        pass(5);
        assertThat(phase("sum")).isEqualTo("Succeeded");
        assertThat(kubelets.book(NODE).orElseThrow().free(GPU)).containsExactly("GPU-1");
    }

    @Test
    void a_plugin_that_has_gone_leaves_the_capacity_for_five_minutes() {
        DeviceBook book = kubelets.book(NODE).orElseThrow();
        book.register(GPU, Map.of("GPU-1", true));
        world.change(w -> { });
        pass(1);
        book.withdraw(GPU);
        world.change(w -> { });
        pass(60);
        assertThat(node().at("/status/capacity").path(GPU).asText()).isEqualTo("1");
        assertThat(node().at("/status/allocatable").path(GPU).asText()).isEqualTo("0");
        pass(300);
        assertThat(node().at("/status/capacity").path(GPU).asText()).isEqualTo("0");
    }

    @Test
    void a_pod_bound_to_a_node_that_it_does_not_want_is_not_admitted() throws IOException {
        create("away", "busybox", "sleep infinity", pod -> pod.withObject("/spec/affinity/nodeAffinity"
                + "/requiredDuringSchedulingIgnoredDuringExecution").putArray("nodeSelectorTerms").addObject()
                .putArray("matchFields").addObject().put("key", "metadata.name").put("operator", "NotIn")
                .putArray("values").add(NODE));
        pass(3);
        assertThat(phase("away")).isEqualTo("Failed");
        assertThat(pod("away").at("/status/reason").asText()).isEqualTo("NodeAffinity");
    }

    @Test
    void a_pod_that_finds_no_device_left_is_not_admitted() throws IOException {
        kubelets.book(NODE).orElseThrow().register(GPU, Map.of("GPU-1", true));
        create("first", "busybox", "sleep infinity", KubeletsTest::gpu);
        pass(5);
        create("second", "busybox", "sleep infinity", KubeletsTest::gpu);
        pass(5);
        assertThat(phase("second")).isEqualTo("Failed");
        assertThat(pod("second").at("/status/reason").asText()).isEqualTo("UnexpectedAdmissionError");
        assertThat(pod("second").at("/status/message").asText()).contains(
                "requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0");
    }

    @Test
    void a_reboot_restarts_plain_pods_and_rejects_those_whose_plugin_is_not_there_yet() throws IOException {
        kubelets.book(NODE).orElseThrow().register(GPU, Map.of("GPU-1", true));
        Consumer<ObjectNode> always = pod -> pod.withObject("/spec").put("restartPolicy", "Always");
        create("plain", "busybox", "sleep infinity", always);
        create("card", "busybox", "sleep infinity", always.andThen(KubeletsTest::gpu));
        pass(10);
        world.change(w -> {
            LabNode node = w.nodes.get(NODE);
            PowerSwitch.rebootGuest(w, w.vms.get(node.vmid), rig.now());
        });
        pass(30);
        assertThat(phase("plain")).isEqualTo("Running");
        assertThat(pod("plain").at("/status/containerStatuses/0/restartCount").asInt()).isEqualTo(1);
        assertThat(pod("plain").at("/status/containerStatuses/0/lastState/terminated/exitCode").asInt()).isEqualTo(255);
        assertThat(pod("card").at("/status/reason").asText()).isEqualTo("UnexpectedAdmissionError");
        assertThat(pod("card").at("/status/message").asText()).endsWith("Allocate failed due to no healthy devices"
                + " present; cannot allocate unhealthy devices nvidia.com/gpu, which is unexpected");
        assertThat(events()).anyMatch(text -> text.startsWith("Rebooted: Node " + NODE + " has been rebooted"));
    }

    @Test
    void after_a_reboot_the_init_containers_do_their_part_again_before_the_others_start() throws IOException {
        create("staged", "busybox", "sleep infinity", pod -> {
            ObjectNode spec = pod.withObject("/spec").put("restartPolicy", "Always");
            ObjectNode init = spec.putArray("initContainers").addObject().put("name", "wait").put("image", "busybox");
            init.putArray("command").add("sh").add("-c").add("sleep 40");
        });
        pass(60);
        assertThat(phase("staged")).isEqualTo("Running");
        world.change(w -> PowerSwitch.rebootGuest(w, w.vms.get(w.nodes.get(NODE).vmid), rig.now()));
        pass(35);
        assertThat(pod("staged").at("/status/containerStatuses/0/state").has("running")).isFalse();
        pass(120);
        assertThat(pod("staged").at("/status/containerStatuses/0/state").has("running")).isTrue();
        assertThat(pod("staged").at("/status/containerStatuses/0/restartCount").asInt()).isEqualTo(1);
    }

    @Test
    void a_node_that_is_not_heard_of_is_given_up_after_fifty_seconds_and_comes_back() throws IOException {
        create("web", "nginx:1.29", "", pod -> { });
        pass(10);
        String host = world.read(w -> w.nodes.get(NODE).host);
        world.change(w -> w.hosts.get(host).silent = true);
        pass(40);
        assertThat(condition(node(), "Ready")).isEqualTo("True");
        pass(15);
        assertThat(condition(node(), "Ready")).isEqualTo("Unknown");
        assertThat(condition(pod("web"), "Ready")).isEqualTo("False");
        store.delete(key("web"), 30, Preconditions.NONE);
        pass(60);
        assertThat(store.find(key("web"))).isPresent();
        world.change(w -> w.hosts.get(host).silent = false);
        pass(40);
        assertThat(condition(node(), "Ready")).isEqualTo("True");
        assertThat(store.find(key("web"))).isEmpty();
    }

    @Test
    void a_pod_goes_when_its_process_has_ended_or_its_grace_is_over() throws IOException {
        create("web", "nginx:1.29", "", pod -> { });
        create("deaf", "busybox", "sleep infinity", pod -> { });
        pass(10);
        store.delete(key("web"), 30, Preconditions.NONE);
        store.delete(key("deaf"), 30, Preconditions.NONE);
        pass(5);
        assertThat(store.find(key("web"))).isEmpty();
        assertThat(store.find(key("deaf"))).isPresent();
        pass(30);
        assertThat(store.find(key("deaf"))).isEmpty();
        assertThat(events()).contains("Killing: Stopping container main");
    }

    @Test
    void a_pod_that_the_runtime_cannot_stop_stays_until_it_can() throws IOException {
        create("held", "nginx:1.29", "", pod -> { });
        pass(10);
        world.change(w -> w.nodes.get(NODE).stuckPods.add("default/held"));
        store.delete(key("held"), 30, Preconditions.NONE);
        pass(300);
        assertThat(store.find(key("held"))).isPresent();
        assertThat(events()).anyMatch(text -> text.startsWith("FailedKillPod: error killing pod"));
        world.change(w -> w.nodes.get(NODE).stuckPods.clear());
        pass(2);
        assertThat(store.find(key("held"))).isEmpty();
    }

    @Test
    void a_pod_that_is_there_already_and_runs_is_left_alone_until_it_is_to_go() throws IOException {
        create("old", "registry.example/app:1", "", pod -> {
            ObjectNode status = pod.putObject("status").put("phase", "Running");
            status.putArray("containerStatuses").addObject().put("name", "main").put("ready", true)
                    .putObject("state").putObject("running").put("startedAt", "2026-11-30T11:00:00Z");
        });
        long before = store.get(key("old")).revision();
        pass(100);
        assertThat(store.get(key("old")).revision()).isEqualTo(before);
        store.delete(key("old"), 30, Preconditions.NONE);
        pass(10);
        assertThat(store.find(key("old"))).isEmpty();
    }
}
