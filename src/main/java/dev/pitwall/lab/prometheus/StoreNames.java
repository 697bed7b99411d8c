package dev.pitwall.lab.prometheus;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.kubelet.DeviceHolders;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.World;

import java.util.Optional;
import java.util.stream.Stream;

/** Names as the lab's cluster has them now; who holds a card is what the node's kubelet says. */
public final class StoreNames implements ClusterNames {
    private static final String OPERATOR = "gpu-operator";
    private static final String EXPORTER = "nvidia-dcgm-exporter";

    private final World world;
    private final ObjectStore store;
    private final DeviceHolders holders;

    public StoreNames(World world, ObjectStore store, DeviceHolders holders) {
        this.holders = holders;
        this.world = world;
        this.store = store;
    }

    @Override
    public Optional<Holder> holder(String card) {
        return world.read(w -> w.nodes.values().stream().filter(node -> node.cards.contains(card)).findFirst()
                .map(node -> new Place(node.name, w.cards.get(card).uuid)))
                .flatMap(place -> holders.of(place.node(), place.uuid()))
                .map(holder -> new Holder(holder.container(), holder.namespace(), holder.pod()));
    }

    private record Place(String node, String uuid) {
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
        return store.list(Resource.PODS, namespace).objects().stream()
                .filter(pod -> node.equals(pod.fields().get("spec.nodeName")));
    }
}
