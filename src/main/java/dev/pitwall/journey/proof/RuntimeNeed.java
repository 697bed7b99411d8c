package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.ObjectType;
import java.util.Optional;

/**
 * Whether a pod with a card must name a runtime class. Under the GPU Operator none is needed: the container runtime
 * resolves the device's CDI name, or the toolkit has made {@code nvidia} the default (facts: cluster.md 1.5). The
 * standalone device plugin itself needs the class exactly where the default runtime is another one, and so do the pods
 * that it gives cards to (2, 4.2).
 */
final class RuntimeNeed {
    private static final String PLUGIN = "nvidia-device-plugin";

    private RuntimeNeed() {
    }

    static Optional<String> of(Situation s, CardNode node) {
        if (!node.cluster().all(ObjectType.CLUSTER_POLICY).isEmpty()) {
            return Optional.empty();
        }
        Optional<JsonNode> plugin = node.cluster().all(ObjectType.DAEMON_SET).stream().filter(RuntimeNeed::isPlugin)
                .findFirst();
        if (plugin.isPresent()) {
            return Optional.of(plugin.get().at("/spec/template/spec/runtimeClassName").asText(""))
                    .filter(name -> !name.isEmpty());
        }
        // Not there yet: the stack that was chosen decides.
        return s.choices().get("stack").filter("device-plugin"::equals).map(chosen -> "nvidia");
    }

    private static boolean isPlugin(JsonNode daemonSet) {
        return daemonSet.at("/metadata/name").asText().contains(PLUGIN)
                || daemonSet.at("/metadata/labels/app.kubernetes.io~1name").asText("").equals(PLUGIN);
    }
}
