package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.kubelet.DeviceBook;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A run of a container in a {@link TinyKubelet}. */
final class TinyRun implements Run {
    private final ClusterHand hand;
    private final ObjectNode container;
    private final Instant startedAt;
    private final int restarts;
    private final DeviceBook book;
    private final Map<String, String> notes = new TreeMap<>();
    private PodFacts pod;

    TinyRun(ClusterHand hand, PodFacts pod, ObjectNode container, Instant startedAt, int restarts, DeviceBook book) {
        this.hand = hand;
        this.pod = pod;
        this.container = container;
        this.startedAt = startedAt;
        this.restarts = restarts;
        this.book = book;
    }

    void pod(PodFacts now) {
        pod = now;
    }

    @Override
    public PodFacts pod() {
        return pod;
    }

    @Override
    public ObjectNode container() {
        return container;
    }

    @Override
    public String containerName() {
        return container.path("name").asText();
    }

    @Override
    public String node() {
        return pod.node();
    }

    @Override
    public String podAddress() {
        return "10.42.0.1";
    }

    @Override
    public Instant startedAt() {
        return startedAt;
    }

    @Override
    public int restarts() {
        return restarts;
    }

    @Override
    public Map<String, List<String>> devices() {
        Map<String, List<String>> given = new TreeMap<>();
        container.at("/resources/limits").properties().stream().filter(l -> l.getKey().startsWith("nvidia.com/"))
                .forEach(limit -> given.put(limit.getKey(), book.free(limit.getKey())));
        return given;
    }

    @Override
    public Optional<String> environment(String name) {
        for (JsonNode variable : container.path("env")) {
            if (variable.path("name").asText().equals(name)) {
                return Optional.of(variable.path("value").asText(""));
            }
        }
        return Optional.empty();
    }

    @Override
    public Optional<String> mounted(String path) {
        for (JsonNode mount : container.path("volumeMounts")) {
            String folder = mount.path("mountPath").asText() + "/";
            if (path.startsWith(folder)) {
                return configMap(mount.path("name").asText())
                        .flatMap(map -> Optional.ofNullable(map.get(path.substring(folder.length()))))
                        .map(JsonNode::asText);
            }
        }
        return Optional.empty();
    }

    private Optional<JsonNode> configMap(String volume) {
        for (JsonNode each : pod.object().tree().at("/spec/volumes")) {
            if (each.path("name").asText().equals(volume) && each.has("configMap")) {
                return hand.find(new ObjectKey(Resource.core("configmaps"), pod.key().namespace(),
                        each.at("/configMap/name").asText())).map(map -> map.tree().path("data"));
            }
        }
        return Optional.empty();
    }

    @Override
    public Map<String, String> notes() {
        return notes;
    }

    @Override
    public DeviceBook book() {
        return book;
    }

    @Override
    public void touchNeighbours() {
        // Every run is looked at in every round.
    }
}
