package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The volume claims of a StatefulSet's pods: made before a pod, kept when it goes, unless the set has another policy for
 * them. Then they belong to the set or to the pod, and the garbage collector does the rest.
 * [kubernetes: stateful_pod_control.go; stateful_set_utils.go, updateClaimOwnerRefForSetAndPod]
 */
final class StatefulClaims {
    private final ControlPlane plane;
    private final PodMaker maker;
    private final Owner owner;
    private final StatefulSpec spec;

    StatefulClaims(ControlPlane plane, PodMaker maker, Owner owner, StatefulSpec spec) {
        this.plane = plane;
        this.maker = maker;
        this.owner = owner;
        this.spec = spec;
    }

    /** Makes the claims that are missing. @return why one cannot be used or made; empty if all are there */
    Optional<String> make(String podName, Instant now) {
        for (JsonNode template : templates()) {
            ObjectKey key = key(template, podName);
            Optional<StoredObject> there = plane.hand().find(key);
            Optional<String> trouble = there.isEmpty() ? create(template, key, podName, now)
                    : isLeaving(there.get()) ? Optional.of("pvc " + key.name() + " is being deleted") : Optional.empty();
            if (trouble.isPresent()) {
                return trouble;
            }
        }
        return Optional.empty();
    }

    /** True if a claim still belongs to a pod of this name that is not there any more: it is about to go. */
    boolean areStale(String podName) {
        return templates().stream().map(template -> plane.hand().find(key(template, podName)))
                .flatMap(Optional::stream).anyMatch(claim -> belongsTo(claim.tree(), "Pod", podName));
    }

    /** Whose the claims of a pod are, as the policies say. */
    void own(PodFacts pod, boolean scaledDown) {
        boolean deletesScaled = spec.whenScaled() == StatefulSpec.Retention.DELETE;
        boolean deletesAll = spec.whenDeleted() == StatefulSpec.Retention.DELETE;
        boolean pods = deletesScaled && scaledDown;
        boolean sets = deletesAll && !pods;
        for (JsonNode template : templates()) {
            plane.objects().find(key(template, pod.key().name())).filter(claim -> !claim.isLeaving())
                    .filter(claim -> Owners.has(claim.tree(), owner.object().uid()) != sets
                            || Owners.has(claim.tree(), pod.uid()) != pods)
                    .ifPresent(claim -> plane.hand().change(claim.key(), object -> own(object, pod, sets, pods)));
        }
    }

    private void own(ObjectNode claim, PodFacts pod, boolean sets, boolean pods) {
        Owners.disown(claim, Set.of(owner.object().uid(), pod.uid()));
        if (sets) {
            Owners.own(claim, owner.object(), owner.apiVersion(), owner.kind());
        }
        if (pods) {
            Owners.own(claim, pod.object(), "v1", "Pod");
        }
    }

    private Optional<String> create(JsonNode template, ObjectKey key, String podName, Instant now) {
        ObjectNode claim = Json.object();
        claim.set("metadata", template.path("metadata").deepCopy());
        claim.withObjectProperty("metadata").remove(List.of("name", "creationTimestamp", "namespace"));
        ObjectNode labels = claim.withObjectProperty("metadata").withObjectProperty("labels");
        spec.tree().at("/selector/matchLabels").properties().forEach(label -> labels.set(label.getKey(), label.getValue()));
        claim.set("spec", template.path("spec").deepCopy());
        claim.putObject("status").put("phase", "Pending");
        try {
            plane.hand().create(key, claim);
            maker.event(owner, Type.Normal, "SuccessfulCreate", "create Claim " + key.name() + " Pod " + podName
                    + " in StatefulSet " + spec.name() + " success", now);
            return Optional.empty();
        } catch (AdmissionRefusal | StoreRefusal refused) {
            maker.event(owner, Type.Warning, "FailedCreate", "create Claim " + key.name() + " for Pod " + podName
                    + " in StatefulSet " + spec.name() + " failed error: " + refused.getMessage(), now);
            return Optional.of("failed to create PVC " + key.name() + ": " + refused.getMessage());
        }
    }

    private List<JsonNode> templates() {
        List<JsonNode> templates = new ArrayList<>();
        spec.tree().path("volumeClaimTemplates").forEach(templates::add);
        return templates;
    }

    private ObjectKey key(JsonNode template, String podName) {
        return new ObjectKey(Resource.VOLUME_CLAIMS, owner.object().key().namespace(),
                StatefulPod.claimName(template, podName));
    }

    private static boolean isLeaving(StoredObject claim) {
        return claim.tree().path("metadata").has("deletionTimestamp");
    }

    private static boolean belongsTo(JsonNode claim, String kind, String name) {
        for (JsonNode reference : claim.at("/metadata/ownerReferences")) {
            if (reference.path("kind").asText().equals(kind) && reference.path("name").asText().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
