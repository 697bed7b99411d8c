package dev.pitwall.lab.kube.machine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Which of its node's cards a container is given: through the nvidia runtime, or because the container runtime resolves the
 * CDI names of the devices it was given. (facts: cluster.md 1.5)
 */
public final class CardInjection {
    /** The CDI description that the device plugin writes. */
    public static final String PLUGIN_SPEC = "/var/run/cdi/k8s.device-plugin.nvidia.com-gpu.json";
    /** Stands for every card. */
    public static final String ALL = "all";
    private static final Set<String> NO_CARDS = Set.of("", "void", "none");

    private final NodeMachine machine;
    private final Function<ObjectKey, Optional<StoredObject>> objects;

    /** @param objects the cluster's objects by their keys */
    public CardInjection(NodeMachine machine, Function<ObjectKey, Optional<StoredObject>> objects) {
        this.machine = machine;
        this.objects = objects;
    }

    /** Its runtime class leads to an nvidia handler, or that is the node's default. */
    public boolean runsUnderNvidia(JsonNode pod) {
        String name = pod.at("/spec/runtimeClassName").asText("");
        if (name.isEmpty()) {
            return new NodeRuntime(machine).nvidiaIsDefault();
        }
        return objects.apply(new ObjectKey(Resource.RUNTIME_CLASSES, "", name))
                .map(found -> found.tree().path("handler").asText("")).filter(h -> h.startsWith("nvidia")).isPresent();
    }

    /**
     * Ids of the devices it sees, {@link #ALL} for every card.
     *
     * @param devices that the kubelet gave it, by resource
     * @param visible its {@code NVIDIA_VISIBLE_DEVICES}
     * @return empty if it is given none
     */
    public Set<String> ids(JsonNode pod, Map<String, List<String>> devices, Optional<String> visible) {
        Set<String> given = new TreeSet<>();
        devices.forEach((name, ids) -> {
            if (name.startsWith("nvidia.com/")) {
                given.addAll(ids);
            }
        });
        if (runsUnderNvidia(pod)) {
            // The plugin's own value stands above the image's and the pod's.
            return !given.isEmpty() ? given : visible.filter(value -> !NO_CARDS.contains(value))
                    .map(value -> Set.of(value.split(","))).orElse(Set.of());
        }
        return !given.isEmpty() && machine.has(PLUGIN_SPEC) && new NodeRuntime(machine).knowsCdi() ? given : Set.of();
    }
}
