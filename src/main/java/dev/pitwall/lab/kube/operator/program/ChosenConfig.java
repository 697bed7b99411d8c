package dev.pitwall.lab.kube.operator.program;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.object.Containers;
import dev.pitwall.lab.kube.object.Named;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which of the configurations in a ConfigMap is in force on a node: the one that its label names, else the default.
 * {@code config-manager} chooses, in an init container first, then in a sidecar. (facts: cluster.md 2)
 */
final class ChosenConfig {
    private static final String LABEL = "nvidia.com/device-plugin.config";
    private static final String FOLDER = "/available-configs";
    private static final String DEFAULT = "DEFAULT_CONFIG";
    /** The configuration that shares nothing. */
    static final String EMPTY = "version: v1";

    private final Ground ground;
    private final Run run;

    ChosenConfig(Ground ground, Run run) {
        this.ground = ground;
        this.run = run;
    }

    /** Nothing can be chosen; the message is {@code config-manager}'s own. */
    static final class NoChoice extends Exception {
        private static final long serialVersionUID = 1;

        NoChoice(String message) {
            super(message);
        }
    }

    String label() {
        return ground.labels(run).getOrDefault(LABEL, "");
    }

    /** @return the key of the ConfigMap; empty for the empty configuration */
    String key() throws NoChoice {
        Map<String, String> files = files();
        if (files.isEmpty()) {
            throw new NoChoice("no configuration files available");
        }
        String asked = label();
        String fallback = variable(DEFAULT);
        if (!asked.isEmpty() || !fallback.isEmpty()) {
            String key = asked.isEmpty() ? fallback : asked;
            if (!files.containsKey(key)) {
                throw new NoChoice("specified config " + asked + " does not exist");
            }
            return key;
        }
        for (String strategy : variable("FALLBACK_STRATEGIES").split(",")) {
            if (strategy.equals("named") && files.containsKey("default")) {
                return "default";
            }
            if (strategy.equals("single") && files.size() == 1) {
                return files.keySet().iterator().next();
            }
            if (strategy.equals("empty")) {
                return "";
            }
        }
        throw new NoChoice("no config was set, no default was provided, and all fallbacks failed");
    }

    /** The text of the configuration that is chosen. */
    String text() throws NoChoice {
        String key = key();
        return key.isEmpty() ? EMPTY : files().get(key);
    }

    /** What the ConfigMap holds that the pod mounts for {@code config-manager}. */
    private Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        configMap().flatMap(name ->
                        ground.hand().find(new ObjectKey(Resource.CONFIG_MAPS, run.pod().key().namespace(), name)))
                .ifPresent(map -> map.tree().path("data").properties()
                        .forEach(entry -> files.put(entry.getKey(), entry.getValue().asText())));
        return files;
    }

    private Optional<String> configMap() {
        JsonNode spec = run.pod().object().tree().path("spec");
        for (JsonNode container : spec.path("initContainers")) {
            for (JsonNode mount : container.path("volumeMounts")) {
                if (mount.path("mountPath").asText().equals(FOLDER)) {
                    return volume(spec, mount.path("name").asText());
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> volume(JsonNode spec, String name) {
        return Optional.of(Named.find(spec.path("volumes"), name).at("/configMap/name").asText(""))
                .filter(map -> !map.isEmpty());
    }

    /** The plugin's container does not have the manager's variables, so they are read from the pod's. */
    private String variable(String name) {
        return run.environment(name).or(() -> inPod(name)).orElse("");
    }

    private Optional<String> inPod(String name) {
        return Containers.of(run.pod().object().tree().path("spec")).stream()
                .map(container -> Named.find(container.path("env"), name)).filter(JsonNode::isObject)
                .map(variable -> variable.path("value").asText("")).findFirst();
    }

    /** True if the pod has configurations to choose from. */
    boolean isOffered() {
        return configMap().isPresent();
    }
}
