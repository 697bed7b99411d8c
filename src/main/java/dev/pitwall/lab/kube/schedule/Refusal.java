package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.Taint;
import java.util.List;

/** Why a node will not do, in kube-scheduler's words, and whether a pod less on it could help. */
record Refusal(List<String> reasons, Remedy remedy) {
    static final Refusal UNSCHEDULABLE = never("node(s) were unschedulable");
    static final Refusal NOT_NAMED = never("node(s) didn't satisfy plugin(s) [NodeAffinity]");
    static final Refusal NODE_AFFINITY = never("node(s) didn't match Pod's node affinity/selector");
    static final Refusal PORTS = maybe("node(s) didn't have free ports for the requested pod ports");
    static final Refusal SPREAD = maybe("node(s) didn't match pod topology spread constraints");
    static final Refusal SPREAD_LABEL =
            never("node(s) didn't match pod topology spread constraints (missing required label)");
    static final Refusal AFFINITY = never("node(s) didn't match pod affinity rules");
    static final Refusal ANTI_AFFINITY = maybe("node(s) didn't match pod anti-affinity rules");
    static final Refusal KEPT_AWAY = maybe("node(s) didn't satisfy existing pods anti-affinity rules");

    /** Whether the node could do after other pods have left it. */
    enum Remedy { PREEMPTION, NONE }

    static Refusal taint(Taint taint) {
        return never("node(s) had untolerated taint {" + taint.key() + ": " + taint.value() + "}");
    }

    private static Refusal never(String reason) {
        return new Refusal(List.of(reason), Remedy.NONE);
    }

    private static Refusal maybe(String reason) {
        return new Refusal(List.of(reason), Remedy.PREEMPTION);
    }
}
