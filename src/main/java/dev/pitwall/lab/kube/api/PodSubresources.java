package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.Conditions.Condition;
import dev.pitwall.lab.kube.object.Selector;
import dev.pitwall.lab.kube.object.Texts;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;

import dev.pitwall.lab.kube.store.Timestamp;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** Binding a pod to a node, and evicting it where its budget allows. */
final class PodSubresources {
    private static final String REFUSED = "Cannot evict pod as it would violate the pod's disruption budget.";
    /** A pod in one of these phases disrupts nobody. */
    private static final Set<String> FREE = Set.of("Pending", "Succeeded", "Failed");

    private final ObjectStore store;
    private final Bodies bodies;
    private final Deletions deletions;
    private final InstantSource clock;

    PodSubresources(ObjectStore store, Bodies bodies, Deletions deletions, InstantSource clock) {
        this.store = store;
        this.bodies = bodies;
        this.deletions = deletions;
        this.clock = clock;
    }

    void bind(Call call, ResourceType type, RequestPath path) throws IOException {
        JsonNode binding = bodies.plain(call);
        Target target = Target.of(type, path);
        StoredObject pod = store.get(target.key());
        ObjectNode body = pod.copy();
        String node = binding.at("/target/name").asText("");
        String bound = body.at("/spec/nodeName").asText("");
        if (!bound.isEmpty() || body.path("metadata").has("deletionTimestamp")) {
            throw ApiFailure.of(409, "Conflict", "Operation cannot be fulfilled on pods/binding \"" + path.name()
                    + "\": pod " + path.name() + (bound.isEmpty() ? " is being deleted, cannot be assigned to a host"
                    : " is already assigned to node \"" + bound + "\""));
        }
        if (node.isEmpty()) {
            throw ApiFailure.of(422, "Invalid", "Binding \"" + path.name() + "\" is invalid: target.name: Required value");
        }
        body.withObjectProperty("spec").put("nodeName", node);
        Conditions.set(body, new Condition("PodScheduled", "True", "", ""), clock.instant()).putNull("lastProbeTime");
        store.update(target.key(), body);
        call.answer(201, success());
    }

    void evict(Call call, ResourceType type, RequestPath path) throws IOException {
        JsonNode eviction = bodies.plain(call);
        Target target = Target.of(type, path);
        StoredObject pod = store.get(target.key());
        ObjectNode body = pod.copy();
        boolean free = FREE.contains(body.at("/status/phase").asText())
                || body.path("metadata").has("deletionTimestamp");
        if (!free) {
            requireBudget(call, pod, body, eviction);
        }
        deletions.delete(call, new Target(type, path.namespace(), path.name(), ""), pod,
                eviction.path("deleteOptions"));
        call.answer(201, success());
    }

    private void requireBudget(Call call, StoredObject pod, ObjectNode body, JsonNode eviction) {
        List<StoredObject> budgets = store.list(Resource.BUDGETS, pod.key().namespace()).objects().stream()
                .filter(budget -> covers(budget.tree().at("/spec/selector"), body.at("/metadata/labels"))).toList();
        if (budgets.size() > 1) {
            throw ApiFailure.of(500, "InternalError", "This pod has more than one PodDisruptionBudget, which the"
                    + " eviction subresource does not support.");
        }
        if (budgets.isEmpty()) {
            return;
        }
        ObjectKey key = budgets.getFirst().key();
        ObjectNode budget = budgets.getFirst().copy();
        if (!Conditions.isTrue(body, "Ready") && mayGoUnready(budget)) {
            return;
        }
        JsonNode status = budget.path("status");
        if (status.path("observedGeneration").asLong(-1) < budget.at("/metadata/generation").asLong()) {
            throw refused("The disruption budget " + key.name() + " is still being processed by the server.");
        }
        int allowed = status.path("disruptionsAllowed").asInt();
        if (allowed < 1) {
            throw refused("The disruption budget " + key.name() + " needs " + status.path("desiredHealthy").asInt()
                    + " healthy pods and has " + status.path("currentHealthy").asInt() + " currently");
        }
        boolean dry = call.dryRun() || eviction.at("/deleteOptions/dryRun/0").asText("").equals("All");
        if (!dry) {
            ObjectNode after = budget.withObjectProperty("status");
            after.put("disruptionsAllowed", allowed - 1);
            after.withObjectProperty("disruptedPods").put(pod.key().name(), Timestamp.of(clock.instant()));
            store.update(key, budget);
        }
    }

    /** An empty selector takes every pod, an absent one none. */
    private static boolean covers(JsonNode selector, JsonNode labels) {
        return Selector.of(selector).test(Texts.map(labels));
    }

    private static boolean mayGoUnready(JsonNode budget) {
        JsonNode status = budget.path("status");
        return budget.at("/spec/unhealthyPodEvictionPolicy").asText("").equals("AlwaysAllow")
                || status.path("desiredHealthy").asInt() > 0
                && status.path("currentHealthy").asInt() >= status.path("desiredHealthy").asInt();
    }

    private static ApiFailure refused(String why) {
        return ApiFailure.tooManyRequests(REFUSED, new ApiFailure.Cause("DisruptionBudget", why, ""));
    }

    private static ObjectNode success() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", "Success").put("code", 201);
    }
}
