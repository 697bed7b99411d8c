package dev.pitwall.journey.proof;

import dev.pitwall.journey.change.ObjectType;

/** Kinds of objects that only these steps look at. */
final class ProofTypes {
    static final ObjectType STATEFUL_SET = ObjectType.namespaced("apps", "v1", "statefulsets", "StatefulSet");
    static final ObjectType LIMIT_RANGE = ObjectType.namespaced("", "v1", "limitranges", "LimitRange");
    static final ObjectType MODEL_PROVIDER =
            ObjectType.namespaced("kubemoot.ai", "v1alpha1", "modelproviders", "ModelProvider");

    private ProofTypes() {
    }
}
