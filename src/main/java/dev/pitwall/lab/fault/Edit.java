package dev.pitwall.lab.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Consumer;

/** One change to one object of the cluster, as {@code lab/faults.yaml} writes it, and how it is taken back. */
sealed interface Edit {

    ObjectRef ref();

    /** True if it can be made now: an object that is to be changed must be there, one that is to be made must not. */
    boolean fits(ClusterEdits cluster);

    /** Makes the change. @return what takes it back and leaves alone what others have changed meanwhile */
    Runnable make(ClusterEdits cluster);

    /** A JSON merge patch (RFC 7396). */
    record Patch(ObjectRef ref, ObjectNode patch) implements Edit {
        @Override
        public boolean fits(ClusterEdits cluster) {
            return cluster.has(ref);
        }

        @Override
        public Runnable make(ClusterEdits cluster) {
            ObjectNode before = cluster.find(ref).orElseThrow();
            cluster.change(ref, object -> MergePatch.apply(object, patch));
            return () -> cluster.change(ref, object -> MergePatch.takeBack(object, before, patch));
        }
    }

    /** Adds an item to a list, or takes those out of it that have all the fields of one. */
    record Items(ObjectRef ref, String list, ObjectNode item, Way way) implements Edit {
        enum Way { ADD, REMOVE }

        @Override
        public boolean fits(ClusterEdits cluster) {
            Optional<ObjectNode> object = cluster.find(ref);
            return object.isPresent() && (way == Way.ADD || object.get().at(list) instanceof ArrayNode there
                    && there.valueStream().anyMatch(this::matches));
        }

        @Override
        public Runnable make(ClusterEdits cluster) {
            if (way == Way.ADD) {
                boolean made = !cluster.find(ref).orElseThrow().at(list).isArray();
                change(cluster, items -> items.add(item.deepCopy()), false);
                return () -> change(cluster, items -> removeFirst(items, item), made);
            }
            ArrayNode taken = JsonNodeFactory.instance.arrayNode();
            cluster.find(ref).orElseThrow().at(list).valueStream().filter(this::matches).forEach(taken::add);
            change(cluster, items -> items.removeIf(this::matches), false);
            return () -> change(cluster, items -> items.addAll(taken.deepCopy()), false);
        }

        private boolean matches(JsonNode candidate) {
            return item.properties().stream().allMatch(field -> field.getValue().equals(candidate.get(field.getKey())));
        }

        private static void removeFirst(ArrayNode items, JsonNode item) {
            for (int i = 0; i < items.size(); i++) {
                if (items.get(i).equals(item)) {
                    items.remove(i);
                    return;
                }
            }
        }

        /** @param drop the list goes if it is empty then */
        private void change(ClusterEdits cluster, Consumer<ArrayNode> change, boolean drop) {
            int slash = list.lastIndexOf('/');
            String name = list.substring(slash + 1);
            cluster.change(ref, object -> {
                if (object.at(list.substring(0, slash)) instanceof ObjectNode parent) {
                    ArrayNode items = parent.get(name) instanceof ArrayNode there ? there : parent.putArray(name);
                    change.accept(items);
                    if (drop && items.isEmpty()) {
                        parent.remove(name);
                    }
                }
            });
        }
    }

    /** Makes an object that is not there. */
    record Create(ObjectRef ref, ObjectNode object) implements Edit {
        @Override
        public boolean fits(ClusterEdits cluster) {
            return !cluster.has(ref);
        }

        @Override
        public Runnable make(ClusterEdits cluster) {
            cluster.create(ref, object.deepCopy());
            return () -> cluster.delete(ref, ClusterEdits.Grace.OWN);
        }
    }

    /** Takes an object away. One that has come again by itself is left as it is. */
    record Delete(ObjectRef ref) implements Edit {
        @Override
        public boolean fits(ClusterEdits cluster) {
            return cluster.has(ref);
        }

        @Override
        public Runnable make(ClusterEdits cluster) {
            ObjectNode object = cluster.find(ref).orElseThrow();
            cluster.delete(ref, ClusterEdits.Grace.OWN);
            return () -> {
                if (!cluster.has(ref)) {
                    object.withObjectProperty("metadata").remove("resourceVersion");
                    cluster.create(ref, object);
                }
            };
        }
    }
}
