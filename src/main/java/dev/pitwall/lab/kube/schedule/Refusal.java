package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.object.Taint;
import java.util.List;
import java.util.stream.Stream;

/** Why a node will not do, in kube-scheduler's words, who says so, and whether a pod less on it could help. */
record Refusal(Filter filter, List<String> reasons, Remedy remedy) {
    static final Refusal UNSCHEDULABLE = never(Filter.UNSCHEDULABLE, "node(s) were unschedulable");
    static final Refusal NOT_NAMED = never(Filter.NODE_AFFINITY, "node(s) didn't satisfy plugin(s) [NodeAffinity]");
    static final Refusal NODE_AFFINITY = never(Filter.NODE_AFFINITY, "node(s) didn't match Pod's node affinity/selector");
    static final Refusal PORTS = maybe(Filter.PORTS, "node(s) didn't have free ports for the requested pod ports");
    static final Refusal SPREAD = maybe(Filter.SPREAD, "node(s) didn't match pod topology spread constraints");
    static final Refusal SPREAD_LABEL =
            never(Filter.SPREAD, "node(s) didn't match pod topology spread constraints (missing required label)");
    static final Refusal AFFINITY = never(Filter.PODS, "node(s) didn't match pod affinity rules");
    static final Refusal ANTI_AFFINITY = maybe(Filter.PODS, "node(s) didn't match pod anti-affinity rules");
    static final Refusal KEPT_AWAY = maybe(Filter.PODS, "node(s) didn't satisfy existing pods anti-affinity rules");

    /** A node that no pod could leave for this one, though its leaving could have helped. */
    static final Refusal NO_VICTIMS = never(Filter.PREEMPTION, "No preemption victims found for incoming pod");
    static final Refusal NOT_HELPFUL = never(Filter.PREEMPTION, "Preemption is not helpful for scheduling");
    static final Refusal VOLUME_ELSEWHERE = never(Filter.VOLUMES, "node(s) had volume node affinity conflict");
    static final Refusal NO_VOLUME =
            never(Filter.VOLUMES, "node(s) didn't find available persistent volumes to bind");
    static final Refusal VOLUME_GONE = never(Filter.VOLUMES,
            "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");

    /** Who refuses: the filters of the default profile, in their order. */
    enum Filter { UNSCHEDULABLE, TAINTS, NODE_AFFINITY, PORTS, RESOURCES, VOLUMES, SPREAD, PODS, PREEMPTION }

    /** Whether the node could do after other pods have left it. */
    enum Remedy { PREEMPTION, NONE }

    /** Both at once. */
    Refusal and(Refusal other) {
        return new Refusal(filter, Stream.concat(reasons.stream(), other.reasons.stream()).toList(), remedy);
    }

    static Refusal taint(Taint taint) {
        return never(Filter.TAINTS, "node(s) had untolerated taint {" + taint.key() + ": " + taint.value() + "}");
    }

    private static Refusal never(Filter filter, String reason) {
        return new Refusal(filter, List.of(reason), Remedy.NONE);
    }

    private static Refusal maybe(Filter filter, String reason) {
        return new Refusal(filter, List.of(reason), Remedy.PREEMPTION);
    }
}
