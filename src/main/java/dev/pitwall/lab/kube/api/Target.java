package dev.pitwall.lab.kube.api;

import dev.pitwall.lab.kube.store.ObjectKey;

/**
 * The object that a request is about.
 *
 * @param namespace   empty for cluster scope
 * @param subresource empty for the object itself
 */
record Target(ResourceType type, String namespace, String name, String subresource) {

    static Target of(ResourceType type, RequestPath path) {
        return new Target(type, path.namespace(), path.name(), path.subresource());
    }

    Target named(String other) {
        return new Target(type, namespace, other, subresource);
    }

    ObjectKey key() {
        return new ObjectKey(type.stored(), namespace, name);
    }
}
