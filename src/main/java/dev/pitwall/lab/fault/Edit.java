package dev.pitwall.lab.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.BiFunction;

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
            return cluster.find(ref).isPresent();
        }

        @Override
        public Runnable make(ClusterEdits cluster) {
            ObjectNode object = cluster.find(ref).orElseThrow();
            ObjectNode inverse = inverse(object, patch);
            merge(object, patch);
            cluster.put(ref, object);
            return () -> cluster.find(ref).ifPresent(now -> {
                merge(now, inverse);
                cluster.put(ref, now);
            });
        }

        private static void merge(ObjectNode target, ObjectNode patch) {
            patch.properties().forEach(field -> {
                JsonNode value = field.getValue();
                if (value.isNull()) {
                    target.remove(field.getKey());
                } else if (value instanceof ObjectNode inner) {
                    ObjectNode child = target.get(field.getKey()) instanceof ObjectNode there ? there
                            : target.putObject(field.getKey());
                    merge(child, inner);
                } else {
                    target.set(field.getKey(), value.deepCopy());
                }
            });
        }

        /** The merge patch that brings back what {@code patch} changes in {@code object}. */
        private static ObjectNode inverse(ObjectNode object, ObjectNode patch) {
            ObjectNode inverse = JsonNodeFactory.instance.objectNode();
            patch.properties().forEach(field -> {
                JsonNode there = object.get(field.getKey());
                if (there instanceof ObjectNode inner && field.getValue() instanceof ObjectNode deeper) {
                    inverse.set(field.getKey(), inverse(inner, deeper));
                } else if (there == null) {
                    inverse.putNull(field.getKey());
                } else {
                    inverse.set(field.getKey(), there.deepCopy());
                }
            });
            return inverse;
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
                change(cluster, (items, object) -> items.add(item.deepCopy()));
                return () -> change(cluster, (items, object) -> removeFirst(items, item));
            }
            ArrayNode taken = JsonNodeFactory.instance.arrayNode();
            change(cluster, (items, object) -> {
                items.valueStream().filter(this::matches).forEach(taken::add);
                items.removeIf(this::matches);
                return items;
            });
            return () -> change(cluster, (items, object) -> items.addAll(taken.deepCopy()));
        }

        private boolean matches(JsonNode candidate) {
            return item.properties().stream().allMatch(field -> field.getValue().equals(candidate.get(field.getKey())));
        }

        private static ArrayNode removeFirst(ArrayNode items, JsonNode item) {
            for (int i = 0; i < items.size(); i++) {
                if (items.get(i).equals(item)) {
                    items.remove(i);
                    return items;
                }
            }
            return items;
        }

        private void change(ClusterEdits cluster, BiFunction<ArrayNode, ObjectNode, ArrayNode> change) {
            cluster.find(ref).ifPresent(object -> {
                int slash = list.lastIndexOf('/');
                String name = list.substring(slash + 1);
                if (object.at(list.substring(0, slash)) instanceof ObjectNode parent) {
                    ArrayNode items = parent.get(name) instanceof ArrayNode there ? there : parent.putArray(name);
                    if (change.apply(items, object).isEmpty()) {
                        parent.remove(name);
                    }
                    cluster.put(ref, object);
                }
            });
        }
    }

    /** Makes an object that is not there. */
    record Create(ObjectRef ref, ObjectNode object) implements Edit {
        @Override
        public boolean fits(ClusterEdits cluster) {
            return cluster.find(ref).isEmpty();
        }

        @Override
        public Runnable make(ClusterEdits cluster) {
            cluster.put(ref, object.deepCopy());
            return () -> cluster.remove(ref);
        }
    }

    /** Takes an object away. */
    record Delete(ObjectRef ref) implements Edit {
        @Override
        public boolean fits(ClusterEdits cluster) {
            return cluster.find(ref).isPresent();
        }

        @Override
        public Runnable make(ClusterEdits cluster) {
            ObjectNode object = cluster.find(ref).orElseThrow();
            cluster.remove(ref);
            return () -> {
                ObjectNode again = object.deepCopy();
                if (again.path("metadata") instanceof ObjectNode metadata) {
                    metadata.remove("resourceVersion");
                    metadata.remove("uid");
                }
                cluster.put(ref, again);
            };
        }
    }
}
