package dev.pitwall.journey.talos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.survey.TalosNode;
import java.util.ArrayList;
import java.util.List;

/** The kernel modules of NVIDIA's driver on a Talos node: nothing loads them unless the configuration names them (facts: cluster.md 4.3). */
final class NodeModules {
    static final List<String> NEEDED = List.of("nvidia", "nvidia_uvm", "nvidia_drm", "nvidia_modeset");
    /** From there on other documents than the first may name modules too. */
    private static final int DOCUMENTS = 14;

    private final TalosNode node;
    private final JsonNode named;

    /** @param config of the node */
    NodeModules(TalosNode node, JsonNode config) {
        this.node = node;
        this.named = config.at("/machine/kernel/modules");
    }

    /** Those that the configuration has to name still. */
    List<String> missing(TalosVersion version) {
        List<String> names = new ArrayList<>();
        named.forEach(module -> names.add(module.path("name").asText().replace('-', '_')));
        boolean elsewhere = version.isFrom(1, DOCUMENTS);
        return NEEDED.stream().filter(name -> !names.contains(name) && !(elsewhere && node.modules().contains(name)))
                .toList();
    }

    JsonNode before() {
        return named.isMissingNode() ? JsonNodeFactory.instance.nullNode() : named;
    }

    JsonNode after(TalosVersion version) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        named.forEach(all::add);
        for (String name : missing(version)) {
            ObjectNode module = all.addObject();
            module.put("name", name);
        }
        return all;
    }

    List<String> loaded() {
        return NEEDED.stream().filter(node.modules()::contains).toList();
    }
}
