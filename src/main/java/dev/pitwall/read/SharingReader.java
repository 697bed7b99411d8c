package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the device plugin's sharing configuration, each section of which is YAML inside YAML. */
public final class SharingReader {

    private static final List<String> SHARING_KEYS = List.of("renameByDefault", "failRequestsGreaterThanOne");
    private final Documents documents = new Documents();

    /** True for a ConfigMap of which a section speaks of sharing or flags. */
    boolean recognises(JsonNode object) {
        return object.path("kind").asText().equals("ConfigMap")
                && object.path("data").properties().stream().anyMatch(e -> isConfig(e.getValue().asText()));
    }

    private static boolean isConfig(String text) {
        return text.contains("sharing:") || text.contains("timeSlicing:") || text.contains("migStrategy:");
    }

    /** @param configMap the object */
    public SharingConfig read(JsonNode configMap) {
        return read(configMap, new Notes());
    }

    SharingConfig read(JsonNode configMap, Notes notes) {
        JsonNode meta = configMap.path("metadata");
        return new SharingConfig(Json.text(meta, "namespace"), Json.text(meta, "name"),
                sections(configMap.path("data")), notes.list());
    }

    /** @param data section name to YAML text, as in a ConfigMap or under {@code devicePlugin.config.data} */
    List<SharingConfig.Section> sections(JsonNode data) {
        List<SharingConfig.Section> sections = new ArrayList<>();
        data.properties().forEach(e -> sections.add(section(e.getKey(), e.getValue())));
        return sections;
    }

    private SharingConfig.Section section(String name, JsonNode value) {
        List<String> problems = new ArrayList<>();
        JsonNode config = value;
        if (value.isTextual()) {
            Tree tree = documents.yaml(Text.whole(value.asText()));
            tree.cut().ifPresent(problems::add);
            config = tree.roots().isEmpty() ? value : tree.roots().getFirst();
        }
        JsonNode sharing = config.path("sharing");
        // If both are there, MPS wins (facts: k8s-device-plugin v0.20.0).
        boolean mps = sharing.has("mps");
        JsonNode used = mps ? sharing.path("mps") : sharing.path("timeSlicing");
        if (used.isObject() && Json.list(used.path("resources")).isEmpty()) {
            problems.add("resources must not be empty");
        }
        misplaced(config, problems);
        return new SharingConfig.Section(name,
                used.isMissingNode() ? Optional.empty() : Optional.of(mps ? "mps" : "time-slicing"),
                Json.flag(used, "renameByDefault"), Json.flag(used, "failRequestsGreaterThanOne"),
                Json.text(config.path("flags"), "migStrategy"),
                Json.list(used.path("resources")).stream().filter(r -> Json.text(r, "name").isPresent())
                        .map(r -> new SharingConfig.Resource(r.path("name").asText(), Json.integer(r, "replicas"))).toList(),
                problems);
    }

    /** A key of sharing that stands elsewhere is ignored without a word. */
    private static void misplaced(JsonNode config, List<String> problems) {
        for (String key : SHARING_KEYS) {
            for (String place : List.of("flags", "sharing")) {
                if (config.path(place).has(key)) {
                    problems.add(key + " stands under " + place + ", where nobody looks; its place is under timeSlicing or mps");
                }
            }
            if (config.has(key)) {
                problems.add(key + " stands at the top, where nobody looks; its place is under timeSlicing or mps");
            }
        }
    }
}
