package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** The annotations by which a Deployment numbers its ReplicaSets. [kubernetes: deployment/util/deployment_util.go] */
final class RevisionNotes {
    static final String REVISION = "deployment.kubernetes.io/revision";
    static final String HISTORY = "deployment.kubernetes.io/revision-history";
    static final String DESIRED = "deployment.kubernetes.io/desired-replicas";
    static final String MOST = "deployment.kubernetes.io/max-replicas";
    /** A Deployment's annotations that its ReplicaSets do not get. */
    private static final Set<String> NOT_COPIED = Set.of("kubectl.kubernetes.io/last-applied-configuration", REVISION,
            HISTORY, DESIRED, MOST, "deprecated.deployment.rollback.to");
    /** Characters that a ReplicaSet's history may have. */
    private static final int LONGEST_HISTORY = 2000;

    private RevisionNotes() {
    }

    static OptionalLong number(JsonNode annotation) {
        try {
            return OptionalLong.of(Long.parseLong(annotation.asText("")));
        } catch (NumberFormatException none) {
            return OptionalLong.empty();
        }
    }

    /** The Deployment's own annotations, as the ReplicaSet of its template has them too. */
    static void copy(JsonNode deployment, ObjectNode set) {
        ObjectNode notes = notes(set);
        for (Map.Entry<String, JsonNode> note : deployment.at("/metadata/annotations").properties()) {
            if (!NOT_COPIED.contains(note.getKey())) {
                notes.set(note.getKey(), note.getValue());
            }
        }
    }

    /** Gives a ReplicaSet a number; if it had a smaller one, that goes to its history. */
    static void raise(ObjectNode set, long revision) {
        ObjectNode notes = notes(set);
        String before = notes.path(REVISION).asText("");
        OptionalLong number = number(notes.path(REVISION));
        if (!before.isEmpty() && (number.isEmpty() || number.getAsLong() >= revision)) {
            return;
        }
        notes.put(REVISION, Long.toString(revision));
        if (!before.isEmpty()) {
            notes.put(HISTORY, history(notes.path(HISTORY).asText(""), before));
        }
    }

    private static String history(String history, String before) {
        List<String> numbers = new ArrayList<>(history.isEmpty() ? List.of() : List.of(history.split(",")));
        numbers.add(before);
        while (String.join(",", numbers).length() > LONGEST_HISTORY) {
            numbers.removeFirst();
        }
        return String.join(",", numbers);
    }

    /** Notes how many pods the Deployment wants, by which a later turn sees that it was scaled. */
    static void size(ObjectNode set, DeploymentPlan plan) {
        notes(set).put(DESIRED, Integer.toString(plan.replicas())).put(MOST, Integer.toString(plan.mostReplicas()));
    }

    static ObjectNode notes(ObjectNode object) {
        return object.withObjectProperty("metadata").withObjectProperty("annotations");
    }
}
