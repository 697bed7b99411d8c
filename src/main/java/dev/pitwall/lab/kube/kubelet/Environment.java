package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.exec.ImageTools;
import dev.pitwall.lab.kube.object.Quantities;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The environment of a container: its image's, and what it takes from ConfigMaps, Secrets and its pod. */
final class Environment {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\$|\\$\\(([^)]+)\\)");

    private final Config config;
    private final ImageTools tools;

    Environment(Config config, ImageTools tools) {
        this.config = config;
        this.tools = tools;
    }

    /** Something it needs is not there. The message is the kubelet's. */
    static final class Missing extends Exception {
        private static final long serialVersionUID = 1;

        Missing(String message) {
            super(message, null, false, false);
        }
    }

    /** @throws Missing if a ConfigMap, a Secret or one of their keys is not there and not optional */
    Map<String, String> of(JsonNode pod, JsonNode container, String address, String hostAddress) throws Missing {
        Map<String, String> values = new LinkedHashMap<>();
        String namespace = pod.at("/metadata/namespace").asText();
        for (JsonNode from : container.path("envFrom")) {
            String prefix = from.path("prefix").asText("");
            all(namespace, from, Config.Kind.CONFIG_MAP, "configMapRef").forEach((k, v) -> values.put(prefix + k, v));
            all(namespace, from, Config.Kind.SECRET, "secretRef").forEach((k, v) -> values.put(prefix + k, v));
        }
        for (JsonNode variable : container.path("env")) {
            String name = variable.path("name").asText();
            JsonNode from = variable.path("valueFrom");
            if (!from.isObject()) {
                values.put(name, expanded(variable.path("value").asText(""), values));
            } else if (from.has("fieldRef")) {
                values.put(name, field(pod, from.at("/fieldRef/fieldPath").asText(), address, hostAddress));
            } else if (from.has("resourceFieldRef")) {
                values.put(name, resource(container, from.path("resourceFieldRef")));
            } else {
                one(namespace, from).ifPresent(value -> values.put(name, value));
            }
        }
        Map<String, String> all = new LinkedHashMap<>(
                tools.of(ImageName.of(container.path("image").asText()).tagged()).environment());
        all.putAll(values);
        return Collections.unmodifiableMap(all);
    }

    private Map<String, String> all(String namespace, JsonNode from, Config.Kind kind, String field) throws Missing {
        JsonNode reference = from.path(field);
        if (!reference.isObject()) {
            return Map.of();
        }
        Optional<Map<String, String>> entries = config.entries(kind, namespace, reference.path("name").asText());
        if (entries.isEmpty() && !reference.path("optional").asBoolean()) {
            throw new Missing(kind.missing(reference.path("name").asText()));
        }
        return entries.orElse(Map.of());
    }

    private Optional<String> one(String namespace, JsonNode from) throws Missing {
        boolean secret = from.has("secretKeyRef");
        Config.Kind kind = secret ? Config.Kind.SECRET : Config.Kind.CONFIG_MAP;
        JsonNode reference = from.path(secret ? "secretKeyRef" : "configMapKeyRef");
        String name = reference.path("name").asText();
        String key = reference.path("key").asText();
        Optional<Map<String, String>> entries = config.entries(kind, namespace, name);
        boolean optional = reference.path("optional").asBoolean();
        if (entries.isEmpty() && !optional) {
            throw new Missing(kind.missing(name));
        }
        Optional<String> value = entries.map(found -> found.get(key));
        if (value.isEmpty() && !optional) {
            throw new Missing("couldn't find key " + key + " in " + kind.proper() + " " + namespace + "/" + name);
        }
        return value;
    }

    /** A field of its pod, as the downward API gives it. */
    static String field(JsonNode pod, String path, String address, String hostAddress) {
        Matcher subscript = Pattern.compile("metadata\\.(labels|annotations)\\['([^']+)'\\]").matcher(path);
        if (subscript.matches()) {
            return pod.at("/metadata/" + subscript.group(1)).path(subscript.group(2)).asText("");
        }
        return switch (path) {
            case "status.podIP", "status.podIPs" -> address;
            case "status.hostIP", "status.hostIPs" -> hostAddress;
            default -> pod.at("/" + path.replace('.', '/')).asText("");
        };
    }

    static String resource(JsonNode container, JsonNode reference) {
        String[] parts = reference.path("resource").asText().split("\\.", 2);
        if (parts.length < 2) {
            return "0";
        }
        String quantity = container.at("/resources/" + parts[0]).path(parts[1]).asText("0");
        long amount = units(parts[1], quantity);
        long divisor = units(parts[1], reference.path("divisor").asText("1"));
        return Long.toString(divisor <= 0 ? amount : Math.ceilDiv(amount, divisor));
    }

    private static long units(String resource, String quantity) {
        return Quantities.units(resource, Quantities.parse(quantity).orElse(BigDecimal.ZERO));
    }

    /** {@code $(NAME)} stands for a variable before it; one that is not there stays as it is. */
    static String expanded(String text, Map<String, String> values) {
        return REFERENCE.matcher(text).replaceAll(match -> {
            String name = match.group(1);
            return Matcher.quoteReplacement(name == null ? "$" : values.getOrDefault(name, match.group()));
        });
    }
}
