package dev.pitwall.journey.consent;

import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.ObjectType.Scope;

/**
 * Something that an API server lets somebody do, or not.
 *
 * @param verb      for example {@code create}
 * @param type      with its subresource where it is of that, for example {@code pods/eviction}
 * @param namespace empty text for all, and for a type of the whole cluster
 */
record Right(String verb, ObjectType type, String namespace) {

    static Right everywhere(String verb, ObjectType type) {
        return new Right(verb, type, "");
    }

    /** For example {@code create secrets in gpu-operator}. */
    String words() {
        return verb + " " + type.resource() + (!namespace.isEmpty() ? " in " + namespace
                : type.scope() == Scope.NAMESPACE ? " in all namespaces" : "");
    }
}
