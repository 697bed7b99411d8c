package dev.pitwall.lab.kube.control.upkeep;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.object.Finalizers;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.ArrayList;
import java.util.List;

/**
 * What an object's metadata says of its owners and of how it goes.
 *
 * @param isLeaving it has a {@code deletionTimestamp}
 */
record Ownership(List<Owner> owners, List<String> finalizers, boolean isLeaving) {

    /** One owner reference. @param blocks its owner, deleted in the foreground, waits for this object */
    record Owner(String apiVersion, String kind, String name, String uid, boolean blocks) {
    }

    static Ownership of(StoredObject object) {
        JsonNode metadata = object.tree().path("metadata");
        List<Owner> owners = new ArrayList<>();
        metadata.path("ownerReferences").forEach(reference -> owners.add(owner(reference)));
        List<String> finalizers = new ArrayList<>();
        metadata.path("finalizers").forEach(name -> finalizers.add(name.asText()));
        return new Ownership(List.copyOf(owners), List.copyOf(finalizers), metadata.hasNonNull("deletionTimestamp"));
    }

    private static Owner owner(JsonNode reference) {
        return new Owner(reference.path("apiVersion").asText().intern(), reference.path("kind").asText().intern(),
                reference.path("name").asText(), reference.path("uid").asText(),
                reference.path("blockOwnerDeletion").asBoolean());
    }

    /** It is deleted and waits until its dependents have gone. */
    boolean waitsForDependents() {
        return isLeaving && finalizers.contains(Finalizers.FOREGROUND);
    }

    /** It is deleted and waits until its dependents are on their own. */
    boolean orphansDependents() {
        return isLeaving && finalizers.contains(Finalizers.ORPHAN);
    }
}
