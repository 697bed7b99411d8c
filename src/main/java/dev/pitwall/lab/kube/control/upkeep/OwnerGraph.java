package dev.pitwall.lab.kube.control.upkeep;

import dev.pitwall.lab.kube.control.upkeep.Ownership.Owner;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Who owns whom, over all kinds of objects. An owner that is not there has dependents all the same. */
final class OwnerGraph {
    private final Map<ObjectKey, Node> byKey = new LinkedHashMap<>();
    private final Map<String, Node> byUid = new HashMap<>();
    private final Map<String, Set<ObjectKey>> dependents = new HashMap<>();

    /** One object. */
    record Node(ObjectKey key, String uid, Ownership says) {
        /** True if that owner, deleted in the foreground, waits for this one. */
        boolean blocks(String owner) {
            return says.owners().stream().anyMatch(one -> one.blocks() && one.uid().equals(owner));
        }
    }

    /** Takes an object in as it is now. @return what was known of it before */
    Optional<Node> put(StoredObject object, Ownership says) {
        Optional<Node> before = Optional.ofNullable(byKey.get(object.key()));
        before.ifPresent(this::drop);
        Node node = new Node(object.key(), object.uid(), says);
        byKey.put(node.key(), node);
        byUid.put(node.uid(), node);
        says.owners().forEach(owner ->
                dependents.computeIfAbsent(owner.uid(), uid -> new LinkedHashSet<>()).add(node.key()));
        return before;
    }

    /** An object has gone. @return what was known of it; empty if another one has its name by now */
    Optional<Node> remove(ObjectKey key, String uid) {
        Optional<Node> node = find(key).filter(known -> known.uid().equals(uid));
        node.ifPresent(this::drop);
        return node;
    }

    Optional<Node> find(ObjectKey key) {
        return Optional.ofNullable(byKey.get(key));
    }

    Optional<Node> find(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    Collection<Node> all() {
        return List.copyOf(byKey.values());
    }

    List<Node> dependents(String uid) {
        return dependents.getOrDefault(uid, Set.of()).stream().map(byKey::get).toList();
    }

    private void drop(Node node) {
        byKey.remove(node.key());
        byUid.remove(node.uid());
        for (Owner owner : node.says().owners()) {
            dependents.computeIfPresent(owner.uid(), (uid, keys) -> {
                keys.remove(node.key());
                return keys.isEmpty() ? null : keys;
            });
        }
    }
}
