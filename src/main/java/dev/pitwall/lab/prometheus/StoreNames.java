package dev.pitwall.lab.prometheus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Names as the lab's cluster has them now. Which of a node's cards a pod got is the kubelet's secret: the object does not
 * say it.
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
        List<String> cards = world.read(w -> List.copyOf(node.get().cards));
        return Optional.ofNullable(byCard(node.get().name, cards).get(card));
    }

    /**
     * A model server's pod has the card that its server is on; the others share what is left in the order of their names.
     * Where a card is sliced the exporter names one pod of it (facts: cluster.md 3).
     */
    private Map<String, Holder> byCard(String node, List<String> cards) {
        Map<String, Holder> held = new HashMap<>();
        List<Holder> rest = new ArrayList<>();
        on(node, "").map(StoredObject::tree).forEach(pod -> {
            Optional<String> own = serverCard(pod).filter(cards::contains);
            List<Holder> holders = holders(pod).toList();
            own.filter(card -> !holders.isEmpty()).ifPresentOrElse(card -> held.put(card, holders.getFirst()),
                    () -> rest.addAll(holders));
        });
        List<String> free = cards.stream().filter(card -> !held.containsKey(card)).toList();
        for (int i = 0; i < rest.size() && !free.isEmpty(); i++) {
            held.putIfAbsent(free.get(i % free.size()), rest.get(i));
        }
        return held;
    }

    private Optional<String> serverCard(ObjectNode pod) {
        String server = pod.at("/metadata/labels").path("app.kubernetes.io/instance").asText();
        String namespace = pod.at("/metadata/namespace").asText();
        return world.read(w -> Optional.ofNullable(w.servers.get(server)).filter(s -> s.namespace.equals(namespace))
                .map(s -> s.card));
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
    public boolean exporterRuns(String node) {
        return exporter(node).filter(pod -> pod.at("/status/phase").asText().equals("Running")
                && pod.at("/status/containerStatuses/0/ready").asBoolean()).isPresent();
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
