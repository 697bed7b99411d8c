package dev.pitwall.lab.kube.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.kubelet.DeviceBook;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A run of the first container of a pod in a lab's store. */
record FakeRun(PodFacts pod, String node, Map<String, List<String>> devices, Map<String, String> notes,
               Instant startedAt) implements Run {

    static FakeRun of(AgentLab lab, String namespace, String name, String node, List<String> cards) {
        return new FakeRun(PodFacts.of(lab.store.get(new ObjectKey(Resource.PODS, namespace, name))), node,
                cards.isEmpty() ? Map.of() : Map.of("nvidia.com/gpu", cards), new HashMap<>(), AgentLab.NOW);
    }

    @Override
    public ObjectNode container() {
        return (ObjectNode) pod.object().tree().at("/spec/containers/0");
    }

    @Override
    public String containerName() {
        return container().path("name").asText();
    }

    @Override
    public String podAddress() {
        return "10.42.0.9";
    }

    @Override
    public Optional<String> environment(String name) {
        return Optional.empty();
    }

    @Override
    public Map<String, String> environment() {
        return Map.of();
    }

    @Override
    public Map<String, byte[]> written() {
        return Map.of();
    }

    @Override
    public List<Neighbour> before() {
        return List.of();
    }

    @Override
    public Optional<String> mounted(String path) {
        return Optional.empty();
    }

    @Override
    public DeviceBook book() {
        throw new UnsupportedOperationException("no devices are registered by these programs");
    }
}
