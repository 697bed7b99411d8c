package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.EventRecorder.Source;
import dev.pitwall.lab.kube.control.EventRecorder.Subject;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoreRefusal;
import java.time.Instant;
import java.util.Optional;

/** Makes pods from templates and deletes them, and says so in events of their owner. */
final class PodMaker {
    private final ControlPlane plane;
    private final ClusterHand hand;

    PodMaker(ControlPlane plane) {
        this.plane = plane;
        this.hand = plane.hand();
    }

    /** A pod as a template describes it, owned. */
    static ObjectNode draft(JsonNode template, Owner owner) {
        ObjectNode pod = Json.object();
        ObjectNode metadata = pod.putObject("metadata");
        for (String field : new String[] {"labels", "annotations", "finalizers"}) {
            if (template.path("metadata").hasNonNull(field)) {
                metadata.set(field, template.path("metadata").get(field).deepCopy());
            }
        }
        Owners.own(pod, owner.object(), owner.apiVersion(), owner.kind());
        pod.set("spec", template.path("spec").isObject() ? template.path("spec").deepCopy() : Json.object());
        pod.putObject("status").put("phase", "Pending");
        return pod;
    }

    /** True while a namespace is being deleted: nothing new comes into it, and controllers say nothing of that. */
    boolean isEnding(String namespace) {
        return plane.objects().find(new ObjectKey(Resource.NAMESPACES, "", namespace)).filter(Item::isLeaving)
                .isPresent();
    }

    /**
     * Creates a pod whose name is made from its owner's. In a namespace that is being deleted it does nothing.
     *
     * @return the refusal's text if it was refused
     */
    Optional<String> create(ObjectNode draft, Owner owner, String nameBase, Instant now) {
        ObjectKey ownerKey = owner.object().key();
        if (isEnding(ownerKey.namespace())) {
            return Optional.empty();
        }
        ((ObjectNode) draft.path("metadata")).put("generateName", nameBase);
        try {
            String name = plane.suffixes().name(nameBase);
            hand.create(new ObjectKey(Resource.PODS, ownerKey.namespace(), name), draft);
            event(owner, Type.Normal, "SuccessfulCreate", "Created pod: " + name, now);
            return Optional.empty();
        } catch (AdmissionRefusal | StoreRefusal refused) {
            event(owner, Type.Warning, "FailedCreate", "Error creating: " + refused.getMessage(), now);
            return Optional.of(refused.getMessage());
        }
    }

    /** Deletes a pod with the grace of its spec, unless it is being deleted already. */
    void delete(PodFacts pod, Owner owner, Instant now) {
        if (pod.deletion().isPresent()) {
            return;
        }
        hand.delete(pod.key());
        event(owner, Type.Normal, "SuccessfulDelete", "Deleted pod: " + pod.key().name(), now);
    }

    void event(Owner owner, Type type, String reason, String message, Instant now) {
        plane.events().record(new Subject(owner.object(), owner.apiVersion(), owner.kind()),
                Source.of(owner.component()), type, reason, message, now);
    }
}
