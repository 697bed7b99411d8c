package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.store.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What the scheduler has just written of volumes and claims and has not been told of yet. */
final class AssumedVolumes {
    private final Map<ObjectKey, String> nodes = new HashMap<>();
    private final Map<ObjectKey, ObjectKey> claims = new HashMap<>();

    void select(ObjectKey claim, String node) {
        nodes.put(claim, node);
    }

    void bind(ObjectKey volume, ObjectKey claim) {
        claims.put(volume, claim);
    }

    /** The object is known as it is again. */
    void seen(ObjectKey key) {
        nodes.remove(key);
        claims.remove(key);
    }

    /** Node for which a claim's volume is to be made. */
    Optional<String> node(ObjectKey claim) {
        return Optional.ofNullable(nodes.get(claim));
    }

    boolean isBound(ObjectKey volume) {
        return claims.containsKey(volume);
    }
}
