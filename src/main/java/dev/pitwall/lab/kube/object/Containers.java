package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The containers of a pod's spec. */
public final class Containers {
    private static final List<String> LISTS = List.of("initContainers", "containers");

    private Containers() {
    }

    /** Init containers first: in the order in which they start. */
    public static List<ObjectNode> of(JsonNode spec) {
        List<ObjectNode> all = new ArrayList<>();
        for (String list : LISTS) {
            for (JsonNode container : spec.path(list)) {
                if (container instanceof ObjectNode object) {
                    all.add(object);
                }
            }
        }
        return all;
    }

    /** The container or init container of a name. */
    public static Optional<ObjectNode> find(JsonNode spec, String name) {
        return of(spec).stream().filter(container -> container.path("name").asText().equals(name)).findFirst();
    }

    /** True for an init container that keeps running. [KEP-753] */
    public static boolean isSidecar(JsonNode initContainer) {
        return initContainer.path("restartPolicy").asText("").equals("Always");
    }
}
