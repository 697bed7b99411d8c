package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Looks at pods that are to be created, and at nothing else. */
interface NewPods extends Admission {

    @Override
    default void admit(Request request) {
        if (Pods.isNew(request)) {
            admit(request, Pods.spec(request));
        }
    }

    /** @param spec of the pod; may be changed in place */
    void admit(Request request, ObjectNode spec);
}
