package dev.pitwall.lab.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabSystem;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Looks for what {@code fault-shows.yaml} says of a fault. */
final class FaultSigns {
    private final FaultRig rig;
    private final Instant since;

    FaultSigns(FaultRig rig, Instant since) {
        this.rig = rig;
        this.since = since;
    }

    void check(JsonNode shows) {
        List<String> picture = rig.picture();
        shows.path("lines").forEach(line -> assertThat(picture).anyMatch(is -> is.contains(filled(line))));
        if (shows.has("event")) {
            assertThat(events()).anyMatch(event -> event.contains(filled(shows.path("event"))));
        }
        if (shows.has("app")) {
            container(shows);
        }
        if (shows.has("kernel")) {
            assertThat(rig.world.<List<String>>read(w -> w.nodes.values().stream()
                    .flatMap(each -> each.system.kernelLines.stream()).map(LabSystem.KernelLine::text).toList()))
                    .anyMatch(line -> line.contains(shows.path("kernel").asText()));
        }
        if (shows.has("workload")) {
            assertThat(workload()).anyMatch(line -> line.contains(shows.path("workload").asText()));
        }
        if (shows.has("spills")) {
            rig.world.read(w -> {
                LabModelServer server = w.servers.get(shows.path("spills").asText());
                LabCard card = w.cards.get(server.card);
                assertThat(server.loaded.stream().mapToLong(LabModelServer.Loaded::cardBytes).sum())
                        .isGreaterThan(card.vramMiB << 20);
                return null;
            });
        }
    }

    private String filled(JsonNode text) {
        return text.asText().replace("{node}", rig.node);
    }

    private List<String> events() {
        return rig.cluster.store().list(Resource.EVENTS, "").objects().stream().map(StoredObject::tree)
                .filter(event -> !Instant.parse(event.path("lastTimestamp").asText(since.toString())).isBefore(since))
                .map(event -> event.path("message").asText()).toList();
    }

    /** What is to be seen of a container. @param states its state's reason, and its last one's */
    private record Seen(List<String> states, int exitCode, List<String> lines) {
    }

    private void container(JsonNode shows) {
        List<Seen> seen = rig.cluster.store().list(Resource.PODS, "").objects().stream()
                .filter(pod -> shows.path("app").asText().equals(pod.labels().get("app")))
                .map(StoredObject::tree)
                .flatMap(pod -> seen(pod, shows.path("container").asText()).stream()).toList();
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
    }

    private Optional<Seen> seen(JsonNode pod, String container) {
        return Stream.of("/status/initContainerStatuses", "/status/containerStatuses")
                .flatMap(list -> pod.at(list).valueStream())
                .filter(status -> status.path("name").asText().equals(container)).findFirst()
                .map(status -> seen(pod, status, container));
    }

    private Seen seen(JsonNode pod, JsonNode status, String container) {
        JsonNode ended = status.at("/state/terminated").isObject() ? status.at("/state/terminated")
                : status.at("/lastState/terminated");
        List<String> lines = new ArrayList<>();
        for (LogSource.Run run : LogSource.Run.values()) {
            rig.cluster.containers().logs().lines(pod, container, run).forEach(line -> lines.add(line.text()));
        }
        return new Seen(List.of(status.at("/state/waiting/reason").asText(""), ended.path("reason").asText(""),
                status.at("/state/running").isObject() ? "Running" : ""), ended.path("exitCode").asInt(0), lines);
    }

    /** The output of a pod that asks for the node's card, which its model server lets go for it. */
    private List<String> workload() {
        ClusterHand hand = rig.hand();
        ObjectKey server = new ObjectKey(Resource.DEPLOYMENTS, "llm", "ollama-a");
        hand.change(server, object -> object.withObjectProperty("spec").put("replicas", 0));
        rig.live(Duration.ofMinutes(1));
        ObjectKey key = new ObjectKey(Resource.PODS, "llm", "sample");
        hand.create(key, pod());
        rig.live(Duration.ofMinutes(1));
        List<String> lines = seen(rig.cluster.store().get(key).tree(), "sample").orElseThrow().lines();
        hand.delete(key, 1);
        hand.change(server, object -> object.withObjectProperty("spec").put("replicas", 1));
        return lines;
    }

    private ObjectNode pod() {
        ObjectNode pod = Json.object();
        pod.putObject("metadata");
        ObjectNode spec = pod.putObject("spec").put("nodeName", rig.node);
        ObjectNode container = spec.putArray("containers").addObject().put("name", "sample")
                .put("image", "nvcr.io/nvidia/gpu-operator:v26.3.2");
        container.putArray("command").add("sh").add("-c");
        container.putArray("args").add("vectorAdd");
        container.putObject("resources").putObject("limits").put("nvidia.com/gpu", "1");
        return pod;
    }
}
