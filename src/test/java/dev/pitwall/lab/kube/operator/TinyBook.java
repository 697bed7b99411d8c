package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.kubelet.DeviceBook;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A book of devices without holders, which shows in the node's status at once. */
final class TinyBook implements DeviceBook {
    private final Map<String, Map<String, Boolean>> devices = new TreeMap<>();
    private final ClusterHand hand;
    private final String node;

    TinyBook(ClusterHand hand, String node) {
        this.hand = hand;
        this.node = node;
    }

    @Override
    public void register(String resource, Map<String, Boolean> list) {
        devices.put(resource, Map.copyOf(list));
        show(resource, list.size(), (int) list.values().stream().filter(healthy -> healthy).count());
    }

    @Override
    public void withdraw(String resource) {
        Map<String, Boolean> gone = devices.remove(resource);
        show(resource, gone == null ? 0 : gone.size(), 0);
    }

    private void show(String resource, int capacity, int allocatable) {
        hand.status(NodeFacts.key(node), object -> {
            ObjectNode status = object.withObjectProperty("status");
            status.withObjectProperty("capacity").put(resource, Integer.toString(capacity));
            status.withObjectProperty("allocatable").put(resource, Integer.toString(allocatable));
        });
    }

    @Override
    public Set<String> resources() {
        return Set.copyOf(devices.keySet());
    }

    @Override
    public List<String> free(String resource) {
        return devices.getOrDefault(resource, Map.of()).entrySet().stream().filter(Map.Entry::getValue)
                .map(Map.Entry::getKey).sorted().toList();
    }

    @Override
    public Map<String, List<String>> held(String resource) {
        return Map.of();
    }
}
