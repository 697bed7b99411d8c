package dev.pitwall.doctor.fix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.change.ObjectType;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What pods have to tolerate to run on nodes. */
final class Tolerations {
    /** Kubernetes puts these on nodes that are not well, and takes them off. */
    private static final String OWN = "node.kubernetes.io/";

    private final Patient patient;

    Tolerations(Patient patient) {
        this.patient = patient;
    }

    /** For the taints of the nodes of the finding. */
    List<JsonNode> ofNodes() throws TroubleException, InterruptedException {
        return of(patient.nodes());
    }

    /** For the taints of the control planes. */
    List<JsonNode> ofControlPlanes() throws TroubleException, InterruptedException {
        return of(patient.cluster().list(ObjectType.NODE, "", "").stream().filter(node -> {
            JsonNode labels = node.at("/metadata/labels");
            return labels.has("node-role.kubernetes.io/control-plane") || labels.has("node-role.kubernetes.io/master");
        }).toList());
    }

    private static List<JsonNode> of(List<JsonNode> nodes) {
        Set<JsonNode> all = new LinkedHashSet<>();
        nodes.forEach(node -> node.at("/spec/taints").forEach(taint -> {
            if (!taint.path("key").asText().startsWith(OWN)) {
                all.add(toleration(taint));
            }
        }));
        return List.copyOf(all);
    }

    private static ObjectNode toleration(JsonNode taint) {
        return JsonNodeFactory.instance.objectNode().put("key", taint.path("key").asText()).put("operator", "Exists")
                .put("effect", taint.path("effect").asText());
    }

    /** A list with those that it lacks behind its own. */
    ArrayNode over(JsonNode list, List<JsonNode> wanted) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        list.forEach(entry -> all.add(entry.deepCopy()));
        wanted.stream().filter(toleration -> !tolerates(list, toleration)).forEach(all::add);
        return all;
    }

    private static boolean tolerates(JsonNode list, JsonNode wanted) {
        return list.valueStream().anyMatch(t -> t.path("operator").asText("Equal").equals("Exists")
                && (t.path("key").asText("").isEmpty() || t.path("key").equals(wanted.path("key")))
                && Optional.of(t.path("effect").asText("")).filter(e -> !e.isEmpty())
                        .map(e -> e.equals(wanted.path("effect").asText())).orElse(true));
    }
}
