package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.TreeSet;

/** The images that an object's containers name, however deep it has them: pods, templates, notebooks. */
public final class NamedImages {
    private NamedImages() {
    }

    public static Set<String> in(JsonNode object) {
        Set<String> found = new TreeSet<>();
        collect(object, found);
        return found;
    }

    private static void collect(JsonNode node, Set<String> found) {
        for (String list : new String[] {"containers", "initContainers"}) {
            for (JsonNode container : node.path(list)) {
                found.add(container.path("image").asText());
            }
        }
        node.forEach(child -> collect(child, found));
    }
}
