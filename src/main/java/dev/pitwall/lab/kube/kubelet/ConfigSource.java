package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.kubelet.Config.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A ConfigMap or a Secret that a volume shows.
 *
 * @param items which of its entries under which path; empty for all, each under its key
 */
record ConfigSource(Kind kind, String name, boolean optional, JsonNode items) {

    /** Those of a volume, of a projected one too. */
    static List<ConfigSource> of(JsonNode volume) {
        List<ConfigSource> sources = new ArrayList<>();
        add(sources, Kind.CONFIG_MAP, volume.path("configMap"), "name");
        add(sources, Kind.SECRET, volume.path("secret"), "secretName");
        for (JsonNode part : volume.at("/projected/sources")) {
            add(sources, Kind.CONFIG_MAP, part.path("configMap"), "name");
            add(sources, Kind.SECRET, part.path("secret"), "name");
        }
        return sources;
    }

    private static void add(List<ConfigSource> sources, Kind kind, JsonNode from, String field) {
        if (from.isObject()) {
            sources.add(new ConfigSource(kind, from.path(field).asText(), from.path("optional").asBoolean(),
                    from.path("items")));
        }
    }

    /** What it shows, by path in the volume. */
    Map<String, String> files(Config config, String namespace) {
        Map<String, String> entries = config.entries(kind, namespace, name).orElse(Map.of());
        if (items.isEmpty()) {
            return entries;
        }
        Map<String, String> files = new TreeMap<>();
        items.forEach(item -> Optional.ofNullable(entries.get(item.path("key").asText()))
                .ifPresent(text -> files.put(item.path("path").asText(), text)));
        return files;
    }

    /** Why it cannot be mounted, in the kubelet's words; empty if it can. */
    Optional<String> trouble(Config config, String namespace) {
        if (optional) {
            return Optional.empty();
        }
        Optional<Map<String, String>> entries = config.entries(kind, namespace, name);
        if (entries.isEmpty()) {
            return Optional.of(kind.missing(name));
        }
        for (JsonNode item : items) {
            String key = item.path("key").asText();
            if (!entries.get().containsKey(key)) {
                return Optional.of("references non-existent " + (kind == Kind.SECRET ? "secret" : "config") + " key: "
                        + key);
            }
        }
        return Optional.empty();
    }
}
