package dev.pitwall.lab.kube.operator.program;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.util.Map;
import java.util.TreeMap;

/**
 * The device plugin's configuration, read as strictly as the plugin reads it. (facts: cluster.md 2; k8s-device-plugin
 * v0.20)
 *
 * @param strategy {@code none}, {@code time-slicing} or {@code mps}
 * @param replicas of each shared resource
 * @param renamed  shared resources get a name of their own, {@code nvidia.com/gpu.shared}
 */
record SharingConfig(String strategy, Map<String, Integer> replicas, boolean renamed) {
    static final SharingConfig NONE = new SharingConfig("none", Map.of(), false);
    private static final YAMLMapper YAML = new YAMLMapper();

    /** A configuration that the plugin does not take; the message is its own. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message);
        }
    }

    /** @throws Malformed with the plugin's own words */
    static SharingConfig parse(String text) throws Malformed {
        JsonNode root = tree(text);
        if (!root.isObject()) {
            throw new Malformed("unmarshal error: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal "
                    + "string into Go value of type v1.Config");
        }
        String version = root.path("version").asText("");
        if (version.isEmpty()) {
            throw new Malformed("missing version field");
        }
        if (!version.equals("v1")) {
            throw new Malformed("unknown version: " + version);
        }
        JsonNode sharing = root.path("sharing");
        if (sharing.hasNonNull("mps")) {
            return shared("mps", sharing.path("mps"));
        }
        return sharing.hasNonNull("timeSlicing") ? shared("time-slicing", sharing.path("timeSlicing")) : NONE;
    }

    private static JsonNode tree(String text) throws Malformed {
        try {
            return YAML.readTree(text);
        } catch (JsonProcessingException e) {
            throw new Malformed("unmarshal error: error converting YAML to JSON: yaml: line "
                    + (e.getLocation() == null ? 1 : e.getLocation().getLineNr())
                    + ": could not find expected ':'");
        }
    }

    private static SharingConfig shared(String strategy, JsonNode block) throws Malformed {
        JsonNode resources = block.path("resources");
        if (!resources.isMissingNode() && !resources.isNull() && !resources.isArray()) {
            throw new Malformed("unmarshal error: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal "
                    + "object into Go value of type []json.RawMessage");
        }
        if (resources.isEmpty()) {
            throw decoding("no resources specified");
        }
        Map<String, Integer> replicas = new TreeMap<>();
        for (JsonNode resource : resources) {
            if (!resource.has("name")) {
                throw decoding("no resource name specified");
            }
            if (!resource.has("replicas")) {
                throw decoding("no replicas specified");
            }
            if (!resource.path("replicas").isInt()) {
                throw decoding("json: cannot unmarshal string into Go value of type int");
            }
            if (resource.path("replicas").asInt() <= 0) {
                throw decoding("number of replicas must be >= 0");
            }
            replicas.put(full(resource.path("name").asText()), resource.path("replicas").asInt());
        }
        return new SharingConfig(strategy, Map.copyOf(replicas), block.path("renameByDefault").asBoolean(false));
    }

    private static Malformed decoding(String words) {
        return new Malformed("unmarshal error: error unmarshaling JSON: while decoding JSON: " + words);
    }

    /** A name without a domain is NVIDIA's. */
    private static String full(String name) {
        return name.contains("/") ? name : "nvidia.com/" + name;
    }

    /** How many a card of this resource counts for; 1 if it is not shared. */
    int replicas(String resource) {
        return replicas.getOrDefault(resource, 1);
    }

    boolean shares(String resource) {
        return replicas.containsKey(resource);
    }

    /** The name under which a resource is advertised. */
    String advertised(String resource) {
        return renamed && shares(resource) ? resource + ".shared" : resource;
    }
}
