package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a StatefulSet asks for, with the defaults of the API server where an object leaves them out.
 *
 * @param start     ordinal of its first pod
 * @param partition pods before this one, counted from the first, keep the revision they have
 * @param history   revisions that are kept besides those in use
 */
record StatefulSpec(String name, JsonNode tree, int replicas, int start, Order order, Update update, int partition,
                    int minReadySeconds, int history, Retention whenScaled, Retention whenDeleted) {
    private static final Pattern MEMBER = Pattern.compile("(.*)-([0-9]{1,9})");
    private static final int HISTORY = 10;

    /** Whether a pod waits for those before it. */
    enum Order { ORDERED_READY, PARALLEL }

    /** Whether pods of another revision are replaced, or wait until somebody deletes them. */
    enum Update { ROLLING, ON_DELETE }

    /** What becomes of the volume claims of pods that are not wanted any more. */
    enum Retention { RETAIN, DELETE }

    static StatefulSpec of(String name, JsonNode set) {
        JsonNode spec = set.path("spec");
        JsonNode policy = spec.path("persistentVolumeClaimRetentionPolicy");
        return new StatefulSpec(name, spec, spec.path("replicas").asInt(1), spec.at("/ordinals/start").asInt(0),
                spec.path("podManagementPolicy").asText("").equals("Parallel") ? Order.PARALLEL : Order.ORDERED_READY,
                spec.at("/updateStrategy/type").asText("").equals("OnDelete") ? Update.ON_DELETE : Update.ROLLING,
                spec.at("/updateStrategy/rollingUpdate/partition").asInt(0), spec.path("minReadySeconds").asInt(0),
                spec.path("revisionHistoryLimit").asInt(HISTORY), retention(policy.path("whenScaled")),
                retention(policy.path("whenDeleted")));
    }

    private static Retention retention(JsonNode policy) {
        return policy.asText("").equals("Delete") ? Retention.DELETE : Retention.RETAIN;
    }

    boolean isOrdered() {
        return order == Order.ORDERED_READY;
    }

    String podName(int ordinal) {
        return name + "-" + ordinal;
    }

    /** The ordinal in a pod's name; empty if it cannot be a pod of this set's. */
    OptionalInt ordinal(String podName) {
        Matcher member = MEMBER.matcher(podName);
        return member.matches() && member.group(1).equals(name) ? OptionalInt.of(Integer.parseInt(member.group(2)))
                : OptionalInt.empty();
    }

    boolean wants(int ordinal) {
        return ordinal >= start && ordinal < start + replicas;
    }

    /** A new pod of this ordinal is of the revision that the update comes from. */
    boolean keepsRevision(int ordinal) {
        return update == Update.ROLLING && ordinal < start + partition;
    }
}
