package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** By what a Job finds its pods: labels made from its uid, unless it says that it has a selector of its own. */
public final class JobIdentity {
    /** Both names are in use: the one with a domain since Kubernetes 1.27. */
    public static final String UID = "batch.kubernetes.io/controller-uid";
    public static final String NAME = "batch.kubernetes.io/job-name";
    private static final String OLD_UID = "controller-uid";
    private static final String OLD_NAME = "job-name";

    private JobIdentity() {
    }

    /** Writes labels and selector into a Job that has its uid and does not choose them itself. */
    public static void give(ObjectNode job) {
        ObjectNode spec = job.withObjectProperty("spec");
        if (spec.path("manualSelector").asBoolean()) {
            return;
        }
        String uid = job.at("/metadata/uid").asText();
        String name = job.at("/metadata/name").asText();
        spec.withObjectProperty("template").withObjectProperty("metadata").withObjectProperty("labels")
                .put(UID, uid).put(OLD_UID, uid).put(NAME, name).put(OLD_NAME, name);
        spec.putObject("selector").putObject("matchLabels").put(UID, uid);
    }
}
