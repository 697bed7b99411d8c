package dev.pitwall.lab.kube.agent.kyverno;

import dev.pitwall.lab.kube.admit.Admission;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Kyverno's admission webhooks. They are called as long as their configurations are in the cluster, which Kyverno makes
 * when it starts; while none of its pods is ready, a call fails, and a policy with {@code failurePolicy: Fail} then lets
 * nothing through that it is about. Safe for any number of threads.
 */
public final class KyvernoWebhook implements Admission {
    static final ObjectKey MUTATING = new ObjectKey(new Resource("admissionregistration.k8s.io",
            "mutatingwebhookconfigurations"), "", "kyverno-resource-mutating-webhook-cfg");
    static final ObjectKey VALIDATING = new ObjectKey(new Resource("admissionregistration.k8s.io",
            "validatingwebhookconfigurations"), "", "kyverno-resource-validating-webhook-cfg");
    /** Kyverno's own resourceFilters leave these alone. */
    private static final Set<String> LEFT_ALONE = Set.of("kube-system", "kube-public", "kube-node-lease", "kyverno");

    private final ObjectStore store;
    private final Policies policies;
    private final Queue<Remark> remarks = new ConcurrentLinkedQueue<>();
    private volatile boolean ready;

    /** Something to say about a policy, as an event. */
    record Remark(Policy policy, String reason, String message) {
    }

    public KyvernoWebhook(ObjectStore store) {
        this.store = store;
        this.policies = new Policies(store);
    }

    /** Whether a pod of the admission controller is ready. */
    void ready(boolean now) {
        ready = now;
    }

    Policies policies() {
        return policies;
    }

    /** Takes what is to be said next; empty if there is nothing. */
    Optional<Remark> remark() {
        return Optional.ofNullable(remarks.poll());
    }

    @Override
    public void admit(Request request) {
        boolean about = request.operation() != Operation.DELETE && request.subresource().isEmpty()
                && !LEFT_ALONE.contains(request.namespace());
        if (!about) {
            return;
        }
        String kind = Kind.of(request.resource());
        List<Policy> concerned = policies.all().stream().filter(policy -> policy.isAbout(kind)).toList();
        if (concerned.isEmpty()) {
            return;
        }
        if (store.find(MUTATING).isPresent()) {
            call("mutate", concerned);
            if (ready) {
                concerned.forEach(policy -> mutate(policy, request, kind));
            }
        }
        if (store.find(VALIDATING).isPresent()) {
            call("validate", concerned);
            if (ready) {
                validate(concerned, request, kind);
            }
        }
    }

    private void call(String what, List<Policy> concerned) {
        boolean must = concerned.stream().anyMatch(policy -> policy.failurePolicy().equals("Fail"));
        if (!ready && must) {
            throw new AdmissionRefusal(500, "InternalError", "Internal error occurred: failed calling webhook \"" + what
                    + ".kyverno.svc-fail\": failed to call webhook: Post \"https://kyverno-svc.kyverno.svc:443/" + what
                    + "/fail?timeout=10s\": no endpoints available for service \"kyverno-svc\"");
        }
    }

    private void mutate(Policy policy, Request request, String kind) {
        for (Rule rule : policy.rules()) {
            if (rule.mutates()) {
                try {
                    rule.mutate(request, kind);
                } catch (NotUnderstood unknown) {
                    notUnderstood(policy, rule, unknown);
                }
            }
        }
    }

    private void validate(List<Policy> concerned, Request request, String kind) {
        StringBuilder blocked = new StringBuilder();
        for (Policy policy : concerned) {
            List<String> lines = new ArrayList<>();
            for (Rule rule : policy.rules()) {
                objection(policy, rule, request, kind).ifPresent(objection -> {
                    if (rule.failureAction(policy.failureAction()).equalsIgnoreCase("Enforce")) {
                        lines.add("  " + rule.name() + ": '" + objection + "'\n");
                    } else {
                        remarks.add(new Remark(policy, "PolicyViolation", kind + " " + request.namespace() + "/"
                                + request.name() + ": [" + rule.name() + "] fail; " + objection));
                    }
                });
            }
            if (!lines.isEmpty()) {
                blocked.append(policy.name()).append(":\n").append(String.join("", lines));
            }
        }
        if (!blocked.isEmpty()) {
            throw new AdmissionRefusal(400, "", "admission webhook \"validate.kyverno.svc-fail\" denied the request: \n\n"
                    + "resource " + kind + "/" + request.namespace() + "/" + request.name()
                    + " was blocked due to the following policies \n\n" + blocked);
        }
    }

    private Optional<String> objection(Policy policy, Rule rule, Request request, String kind) {
        try {
            return rule.objection(request, kind);
        } catch (NotUnderstood unknown) {
            notUnderstood(policy, rule, unknown);
            return Optional.empty();
        }
    }

    private void notUnderstood(Policy policy, Rule rule, NotUnderstood unknown) {
        remarks.add(new Remark(policy, "PolicyError", "rule " + rule.name()
                + ": the lab's Kyverno does not know " + unknown.getMessage()));
    }
}
