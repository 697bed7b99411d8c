package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.fault.LabPicture;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.world.LabSystem;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Faults of the operator's floors lead to what their trap shows, and leave nothing behind. */
class FaultsInOperatorTest {
    private static final List<String> GPU_NODES = List.of(TinyCluster.NODE, "rke2-worker-dc2-gpu-a",
            "rke2-worker-dc3-gpu-a");
    private static final Optional<String> CARD = Optional.of("pve1/0000:01:00");
    private static final Duration INSTALLED = Duration.ofMinutes(15);
    private static final int USUAL_SECONDS = 240;

    static Stream<String> traps() throws IOException {
        List<String> traps = new ArrayList<>();
        shows().fieldNames().forEachRemaining(traps::add);
        return traps.stream();
    }

    @ParameterizedTest
    @MethodSource("traps")
    void aFaultShowsItsTrapAndSwitchedOffAllIsAsBefore(String trap) throws Exception {
        try (TinyCluster cluster = TinyCluster.garage()) {
            cluster.live(INSTALLED);
            assertThat(cluster.policyState()).isEqualTo("ready Reconciled");
            List<String> before = LabPicture.of(cluster.world, cluster.store, cluster.catalog);
            JsonNode shows = shows().path(trap);

            cluster.board.on(trap, CARD);
            cluster.live(Duration.ofSeconds(shows.path("after").asInt(USUAL_SECONDS)));
            show(cluster, shows);

            cluster.board.off(trap);
            cluster.live(Duration.ofMinutes(45));
            assertThat(cluster.policyState()).isEqualTo("ready Reconciled");
            assertThat(GPU_NODES).allSatisfy(node -> assertThat(cluster.cards(node)).as(node).isEqualTo(1));
            assertThat(LabPicture.difference(before, LabPicture.of(cluster.world, cluster.store, cluster.catalog)))
                    .isEmpty();
        }
    }

    private static void show(TinyCluster cluster, JsonNode shows) {
        if (shows.has("label")) {
            assertThat(cluster.labels(TinyCluster.NODE)).containsEntry(shows.path("label").asText(),
                    shows.path("value").asText());
        } else if (shows.has("daemonSet")) {
            assertThat(cluster.status("DaemonSet", shows.path("daemonSet").asText()).path("desiredNumberScheduled")
                    .asInt()).isEqualTo(shows.path("desired").asInt());
        } else if (shows.has("workload")) {
            assertThat(workload(cluster)).anyMatch(line -> line.contains(shows.path("workload").asText()));
        } else if (shows.path("state").asText().equals("held")) {
            assertThat(GPU_NODES.stream().flatMap(node -> cluster.pods(shows.path("app").asText(), node).stream())
                    .flatMap(pod -> cluster.events(pod).stream()))
                    .anyMatch(message -> message.contains(shows.path("text").asText()));
        } else {
            container(cluster, shows);
        }
    }

    private static void container(TinyCluster cluster, JsonNode shows) {
        List<TinyCluster.Seen> seen = GPU_NODES.stream()
                .flatMap(node -> cluster.pods(shows.path("app").asText(), node).stream())
                .flatMap(pod -> cluster.seen(pod, shows.path("container").asText()).stream())
                .toList();
        assertThat(seen).anySatisfy(container -> {
            if (shows.has("state")) {
                assertThat(container.states()).contains(shows.path("state").asText());
            }
            if (shows.has("exitCode")) {
                assertThat(container.exitCode()).isEqualTo(shows.path("exitCode").asInt());
            }
            if (shows.has("text")) {
                assertThat(container.lines()).anyMatch(line -> line.contains(shows.path("text").asText()));
            }
        });
        if (shows.has("kernel")) {
            assertThat(cluster.world.nodes.get(TinyCluster.NODE).system.kernelLines.stream()
                    .map(LabSystem.KernelLine::text)).anyMatch(line -> line.contains(shows.path("kernel").asText()));
        }
    }

    /** A pod that asks for a card and names no runtime class. */
    private static List<String> workload(TinyCluster cluster) {
        ObjectNode pod = Json.object();
        pod.putObject("metadata");
        ObjectNode spec = pod.putObject("spec");
        spec.put("nodeName", TinyCluster.NODE);
        ObjectNode container = spec.putArray("containers").addObject().put("name", "sample")
                .put("image", "nvcr.io/nvidia/gpu-operator:v26.3.2");
        container.putArray("command").add("sh").add("-c");
        container.putArray("args").add("vectorAdd");
        container.putObject("resources").putObject("limits").put("nvidia.com/gpu", "1");
        ObjectKey key = new ObjectKey(Resource.PODS, "default", "sample");
        cluster.hand.create(key, pod);
        cluster.live(Duration.ofSeconds(20));
        List<String> lines = cluster.seen(cluster.pods.find(key).orElseThrow(), "sample").orElseThrow().lines();
        cluster.hand.delete(key, 1);
        return lines;
    }

    private static JsonNode shows() throws IOException {
        try (InputStream in = FaultsInOperatorTest.class.getResourceAsStream("/lab/kube/operator/fault-shows.yaml")) {
            return new YAMLMapper().readTree(in);
        }
    }
}
