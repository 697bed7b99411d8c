package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.NodeTerms;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Taint;
import dev.pitwall.lab.kube.object.Toleration;
import java.util.List;
import java.util.Map;

/**
 * What a DaemonSet's pods are made from: on which nodes they belong, and how each is tied to its node.
 * [kubernetes: pkg/controller/daemon/util/daemonset_util.go]
 */
final class DaemonTemplate {
    private static final String NAME = "metadata.name";

    private final JsonNode template;
    private final NodeTerms terms;
    private final List<Toleration> tolerations;
    private final String onlyNode;

    /** What a node is to a DaemonSet. */
    enum Place {
        /** Its pod belongs there. */
        WANTED,
        /** No pod is made there, but one that is there stays: a taint keeps only new ones out. */
        BORNE,
        /** No pod belongs there. */
        UNWANTED
    }

    DaemonTemplate(JsonNode template) {
        ObjectNode copy = template.deepCopy();
        tolerate(copy.withObjectProperty("spec"));
        this.template = copy;
        this.terms = NodeTerms.of(copy.path("spec"));
        this.tolerations = Toleration.of(copy.at("/spec/tolerations"));
        this.onlyNode = copy.at("/spec/nodeName").asText("");
    }

    Place place(NodeFacts node) {
        if (!onlyNode.isEmpty() && !onlyNode.equals(node.name()) || !terms.accept(node)) {
            return Place.UNWANTED;
        }
        Place place = Place.WANTED;
        for (Taint taint : node.taints()) {
            if (taint.keepsOut() && !Toleration.any(tolerations, taint)) {
                if (taint.effect() == Taint.Effect.NoExecute) {
                    return Place.UNWANTED;
                }
                place = Place.BORNE;
            }
        }
        return place;
    }

    /**
     * A pod for a node, which the scheduler then binds to it.
     *
     * @param labels by which its revision is known
     */
    ObjectNode draft(Owner owner, String node, Map<String, String> labels) {
        ObjectNode pod = PodMaker.draft(template, owner);
        ObjectNode all = pod.withObjectProperty("metadata").withObjectProperty("labels");
        labels.forEach(all::put);
        ArrayNode terms = pod.withObjectProperty("spec").withObjectProperty("affinity")
                .withObjectProperty("nodeAffinity").withObjectProperty("requiredDuringSchedulingIgnoredDuringExecution")
                .putArray("nodeSelectorTerms");
        terms.addObject().putArray("matchFields").addObject().put("key", NAME).put("operator", "In")
                .putArray("values").add(node);
        return pod;
    }

    /** The node a pod is on or is meant for; empty if it names none. */
    static String target(PodFacts pod) {
        if (!pod.node().isEmpty()) {
            return pod.node();
        }
        for (JsonNode term : pod.object().tree().at("/spec/affinity/nodeAffinity"
                + "/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms")) {
            for (JsonNode field : term.path("matchFields")) {
                if (field.path("key").asText().equals(NAME) && field.path("operator").asText().equals("In")) {
                    return field.at("/values/0").asText("");
                }
            }
        }
        return "";
    }

    /** Troubles of a node that must not drive its daemons away. */
    private static void tolerate(ObjectNode spec) {
        ArrayNode tolerations = spec.withArrayProperty("tolerations");
        tolerate(tolerations, "not-ready", Taint.Effect.NoExecute);
        tolerate(tolerations, "unreachable", Taint.Effect.NoExecute);
        tolerate(tolerations, "disk-pressure", Taint.Effect.NoSchedule);
        tolerate(tolerations, "memory-pressure", Taint.Effect.NoSchedule);
        tolerate(tolerations, "pid-pressure", Taint.Effect.NoSchedule);
        tolerate(tolerations, "unschedulable", Taint.Effect.NoSchedule);
        if (spec.path("hostNetwork").asBoolean(false)) {
            tolerate(tolerations, "network-unavailable", Taint.Effect.NoSchedule);
        }
    }

    private static void tolerate(ArrayNode tolerations, String key, Taint.Effect effect) {
        ObjectNode wanted = tolerations.objectNode().put("key", "node.kubernetes.io/" + key)
                .put("operator", "Exists").put("effect", effect.name());
        for (JsonNode there : tolerations) {
            if (there.path("key").equals(wanted.path("key")) && there.path("operator").equals(wanted.path("operator"))
                    && there.path("effect").equals(wanted.path("effect")) && there.path("value").asText("").isEmpty()) {
                // One that says the same for a while only is made to say it for ever.
                ((ObjectNode) there).remove("tolerationSeconds");
                return;
            }
        }
        tolerations.add(wanted);
    }
}
