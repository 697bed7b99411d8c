package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** ConfigMaps and Secrets as pods use them. */
final class Config {
    private final ObjectStore store;

    Config(ObjectStore store) {
        this.store = store;
    }

    enum Kind {
        CONFIG_MAP("configmap", "ConfigMap", "configmaps"), SECRET("secret", "Secret", "secrets");

        private final String word;
        private final String proper;
        private final Resource resource;

        Kind(String word, String proper, String plural) {
            this.word = word;
            this.proper = proper;
            this.resource = Resource.core(plural);
        }

        String proper() {
            return proper;
        }

        /** {@code configmap "x" not found}. */
        String missing(String name) {
            return word + " \"" + name + "\" not found";
        }
    }

    /** Its entries as text; empty if there is no such object. */
    Optional<Map<String, String>> entries(Kind kind, String namespace, String name) {
        return store.find(new ObjectKey(kind.resource, namespace, name)).map(object -> {
            JsonNode tree = object.tree();
            Map<String, String> entries = new TreeMap<>();
            tree.path("data").properties().forEach(entry -> entries.put(entry.getKey(),
                    kind == Kind.SECRET ? decoded(entry.getValue().asText()) : entry.getValue().asText()));
            tree.path("binaryData").properties().forEach(entry -> entries.put(entry.getKey(),
                    decoded(entry.getValue().asText())));
            return entries;
        });
    }

    private static String decoded(String base64) {
        try {
            return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
