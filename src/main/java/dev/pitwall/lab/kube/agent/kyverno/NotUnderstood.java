package dev.pitwall.lab.kube.agent.kyverno;

/** Part of a rule that the lab's Kyverno cannot carry out. */
final class NotUnderstood extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotUnderstood(String what) {
        super(what);
    }
}
