package dev.pitwall.lab.prometheus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Names as the lab's cluster has them now. Which of a node's cards a pod got is the kubelet's secret; here the cards go
 * to the pods in the order of their names.
 */
public final class StoreNames implements ClusterNames {
    private static final Resource PODS = Resource.core("pods");
    private static final String OPERATOR = "gpu-operator";
    private static final String EXPORTER = "nvidia-dcgm-exporter";
    private static final String GPU = "nvidia.com/gpu";

    private final World world;
    private final ObjectStore store;

    public StoreNames(World world, ObjectStore store) {
        this.world = world;
        this.store = store;
    }

    @Override
    public Optional<Holder> holder(String card) {
        Optional<LabNode> node = world.read(w -> w.nodes.values().stream().filter(n -> n.cards.contains(card))
                .findFirst());
        if (node.isEmpty()) {
            return Optional.empty();
        }
        int index = world.read(w -> node.get().cards.indexOf(card));
        List<Holder> holders = on(node.get().name, "").map(StoredObject::tree).flatMap(StoreNames::holders).toList();
        return index < holders.size() ? Optional.of(holders.get(index)) : Optional.empty();
    }

    /** One entry for each card a pod has; a pod that has ended has none. */
    private static Stream<Holder> holders(ObjectNode pod) {
        String phase = pod.at("/status/phase").asText();
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            return Stream.empty();
        }
        return StreamSupport.stream(pod.at("/spec/containers").spliterator(), false).flatMap(container -> {
            int cards = container.path("resources").path("limits").path(GPU).asInt();
            Holder holder = new Holder(container.path("name").asText(), pod.at("/metadata/namespace").asText(),
                    pod.at("/metadata/name").asText());
            return Stream.generate(() -> holder).limit(cards);
        });
    }

    @Override
    public String exporterPod(String node) {
        return exporter(node).map(pod -> pod.at("/metadata/name").asText()).orElse(EXPORTER);
    }

    @Override
    public String exporterAddress(String node) {
        return exporter(node).map(pod -> pod.at("/status/podIP").asText()).filter(ip -> !ip.isEmpty()).orElse(node);
    }

    private Optional<JsonNode> exporter(String node) {
        return on(node, OPERATOR).filter(pod -> EXPORTER.equals(pod.labels().get("app"))).findFirst()
                .map(StoredObject::tree);
    }

    private Stream<StoredObject> on(String node, String namespace) {
        return store.list(PODS, namespace).objects().stream().filter(pod -> node.equals(pod.fields().get("spec.nodeName")));
    }
}
