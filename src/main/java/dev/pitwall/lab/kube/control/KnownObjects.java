package dev.pitwall.lab.kube.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The objects besides pods and nodes that controllers decide by, each version read at most once. It stands before the
 * controllers that use it in the {@link ControlLoop}. Used by the loop's thread only.
 */
public final class KnownObjects implements Controller {
    private final Set<Resource> resources;
    private final Map<Resource, TreeMap<String, Item>> items = new HashMap<>();

    public KnownObjects(Set<Resource> resources) {
        this.resources = Set.copyOf(resources);
    }

    /** One object and what it says. */
    public static final class Item {
        private final StoredObject object;
        private JsonNode tree;

        public Item(StoredObject object) {
            this.object = object;
        }

        public StoredObject object() {
            return object;
        }

        public ObjectKey key() {
            return object.key();
        }

        public String uid() {
            return object.uid();
        }

        /** The object, shared: not to be changed. */
        public JsonNode tree() {
            if (tree == null) {
                tree = object.tree();
            }
            return tree;
        }

        public boolean isLeaving() {
            return tree().path("metadata").has("deletionTimestamp");
        }

        public Instant created() {
            return Instant.parse(tree().at("/metadata/creationTimestamp").asText());
        }
    }

    @Override
    public Set<Resource> watches() {
        return resources;
    }

    @Override
    public void seen(StoredObject object) {
        of(object.key().resource()).put(row(object.key()), new Item(object));
    }

    @Override
    public void gone(StoredObject object) {
        of(object.key().resource()).remove(row(object.key()));
    }

    @Override
    public Instant act(Instant now) {
        return Instant.MAX;
    }

    public Optional<Item> find(ObjectKey key) {
        return Optional.ofNullable(of(key.resource()).get(row(key)));
    }

    /** All of a resource, by namespace and name. */
    public List<Item> all(Resource resource) {
        return List.copyOf(of(resource).values());
    }

    public List<Item> in(Resource resource, String namespace) {
        // '0' is the character after '/': everything between is of this namespace.
        return List.copyOf(of(resource).subMap(namespace + "/", namespace + "0").values());
    }

    /** Those of a namespace that a controller owns. */
    public List<Item> ownedBy(Resource resource, String namespace, String uid) {
        return in(resource, namespace).stream()
                .filter(item -> Owners.controller(item.tree()).path("uid").asText("").equals(uid)).toList();
    }

    private TreeMap<String, Item> of(Resource resource) {
        return items.computeIfAbsent(resource, r -> new TreeMap<>());
    }

    private static String row(ObjectKey key) {
        return key.namespace() + "/" + key.name();
    }
}
