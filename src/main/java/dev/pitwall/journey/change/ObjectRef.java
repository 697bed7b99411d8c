package dev.pitwall.journey.change;

import dev.pitwall.journey.change.ObjectType.Scope;

/**
 * One object of a cluster by its name.
 *
 * @param namespace empty text for an object of the whole cluster
 */
public record ObjectRef(ObjectType type, String namespace, String name) {

    public ObjectRef {
        if (name.isEmpty() || namespace.isEmpty() != (type.scope() == Scope.CLUSTER)) {
            throw new IllegalArgumentException("not a name of a " + type.kind() + ": " + namespace + "/" + name);
        }
    }

    /** Of the whole cluster. */
    public static ObjectRef of(ObjectType type, String name) {
        return new ObjectRef(type, "", name);
    }

    /** For example {@code daemonsets.apps/nvidia-device-plugin-daemonset in gpu-operator}. */
    @Override
    public String toString() {
        return type.resource() + "/" + name + (namespace.isEmpty() ? "" : " in " + namespace);
    }
}
