package dev.pitwall.journey.proof;

import dev.pitwall.journey.change.ObjectType;

/** Kinds of objects that only these steps look at. */
final class ProofTypes {
    static final ObjectType STATEFUL_SET = ObjectType.namespaced("apps", "v1", "statefulsets", "StatefulSet");

    private ProofTypes() {
    }
}
