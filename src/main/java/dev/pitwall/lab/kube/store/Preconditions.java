package dev.pitwall.lab.kube.store;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalLong;

/** What must be true of an object for its deletion; empty asks nothing. */
public record Preconditions(Optional<String> uid, OptionalLong revision) {
    public static final Preconditions NONE = new Preconditions(Optional.empty(), OptionalLong.empty());

    /** A revision that no object has. */
    private static final long NEVER = -1;

    /** It must still be the object of this uid. */
    public static Preconditions uid(String uid) {
        return new Preconditions(Optional.of(uid), OptionalLong.empty());
    }

    /** What an object says of the version that it is to replace; what is empty or left out asks nothing. */
    static Preconditions in(JsonNode metadata) {
        String uid = metadata.path("uid").asText("");
        String version = metadata.path("resourceVersion").asText("");
        return new Preconditions(uid.isEmpty() ? Optional.empty() : Optional.of(uid),
                version.isEmpty() ? OptionalLong.empty() : OptionalLong.of(number(version)));
    }

    private static long number(String version) {
        try {
            return Long.parseLong(version);
        } catch (NumberFormatException e) {
            return NEVER;
        }
    }

    void check(StoredObject object) {
        boolean otherUid = uid.isPresent() && !uid.get().equals(object.uid());
        boolean otherRevision = revision.isPresent() && revision.getAsLong() != object.revision();
        if (otherUid || otherRevision) {
            throw StoreRefusal.conflict(object.key());
        }
    }
}
