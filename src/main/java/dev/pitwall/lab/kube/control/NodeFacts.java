package dev.pitwall.lab.kube.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.Quantities;
import dev.pitwall.lab.kube.object.Taint;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.List;
import java.util.Map;

/**
 * What controllers ask of a node again and again, read once from each of its versions.
 *
 * @param ready       status of its Ready condition: {@code True}, {@code False} or {@code Unknown}
 * @param allocatable CPU in millicores, memory and storage in bytes, everything else in pieces
 */
public record NodeFacts(StoredObject object, List<Taint> taints, boolean unschedulable, String ready,
                        Map<String, Long> allocatable) {
    public static final Resource NODES = Resource.core("nodes");

    public static NodeFacts of(StoredObject object) {
        JsonNode tree = object.tree();
        return new NodeFacts(object, Taint.of(tree.at("/spec/taints")), tree.at("/spec/unschedulable").asBoolean(false),
                Conditions.find(tree, "Ready").path("status").asText("Unknown"),
                Map.copyOf(Quantities.units(tree.at("/status/allocatable"))));
    }

    public static ObjectKey key(String name) {
        return new ObjectKey(NODES, "", name);
    }

    public String name() {
        return object.key().name();
    }

    public Map<String, String> labels() {
        return object.labels();
    }

    public boolean isReady() {
        return ready.equals("True");
    }

    public long allocatable(String resource) {
        return allocatable.getOrDefault(resource, 0L);
    }

    /** True if a pod that fits the one fits the other just as well. */
    public boolean placesLike(NodeFacts other) {
        return taints.equals(other.taints) && unschedulable == other.unschedulable && labels().equals(other.labels())
                && allocatable.equals(other.allocatable);
    }
}
