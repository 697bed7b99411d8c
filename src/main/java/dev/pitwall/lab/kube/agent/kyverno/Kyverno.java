package dev.pitwall.lab.kube.agent.kyverno;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.EventRecorder;
import dev.pitwall.lab.kube.control.EventRecorder.Source;
import dev.pitwall.lab.kube.control.EventRecorder.Subject;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Kyverno's admission controller: while a pod of it is ready, its webhooks are registered and answer, and each policy's
 * status says whether it is carried out.
 */
public final class Kyverno implements Controller {
    private static final Map<String, String> POD = Map.of("app.kubernetes.io/component", "admission-controller");
    private static final String COMPONENT = "kyverno-admission";
    /** Remarks of the webhooks are made known this often. */
    private static final Duration BREATH = Duration.ofSeconds(1);

    private final ClusterHand hand;
    private final Pods pods;
    private final EventRecorder events;
    private final ClusterClock clock;
    private final KyvernoWebhook webhook;
    private boolean dirty = true;

    /** @param pods comes before this one in the loop */
    public Kyverno(ClusterHand hand, Pods pods, EventRecorder events, ClusterClock clock, KyvernoWebhook webhook) {
        this.clock = clock;
        this.hand = hand.as("system:serviceaccount:kyverno:kyverno-admission-controller");
        this.pods = pods;
        this.events = events;
        this.webhook = webhook;
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Policies.POLICIES, Resource.PODS);
    }

    @Override
    public void observe(Change change) {
        ObjectKey key = change.object().key();
        dirty |= key.resource().equals(Policies.POLICIES) || key.namespace().equals("kyverno");
    }

    @Override
    public Instant act(Instant now) {
        if (dirty) {
            dirty = false;
            boolean ready = pods.isReady("kyverno", POD);
            webhook.ready(ready);
            if (ready) {
                register(KyvernoWebhook.MUTATING, "mutate");
                register(KyvernoWebhook.VALIDATING, "validate");
                webhook.policies().all().forEach(policy -> status(policy, now));
            }
        }
        for (Optional<KyvernoWebhook.Remark> next = webhook.remark(); next.isPresent(); next = webhook.remark()) {
            KyvernoWebhook.Remark remark = next.get();
            event(remark.policy(), remark.reason(), remark.message(), now);
        }
        // Days of the past are not lived through second by second.
        return clock.isPast() || webhook.policies().all().isEmpty() ? Instant.MAX : now.plus(BREATH);
    }

    private void event(Policy policy, String reason, String message, Instant now) {
        events.record(new Subject(policy.object(), "kyverno.io/v1", "ClusterPolicy"), Source.of(COMPONENT), Type.Warning,
                reason, message, now);
    }

    private void register(ObjectKey key, String path) {
        if (hand.find(key).isPresent()) {
            return;
        }
        ObjectNode object = Json.object();
        object.putObject("metadata").putObject("labels").put("webhook.kyverno.io/managed-by", "kyverno");
        ObjectNode hook = object.putArray("webhooks").addObject().put("name", path + ".kyverno.svc-fail")
                .put("failurePolicy", "Fail").put("sideEffects", "NoneOnDryRun").put("timeoutSeconds", 10)
                .put("matchPolicy", "Equivalent");
        hook.putArray("admissionReviewVersions").add("v1");
        hook.putObject("clientConfig").putObject("service").put("name", "kyverno-svc").put("namespace", "kyverno")
                .put("path", "/" + path + "/fail").put("port", 443);
        ObjectNode rule = hook.putArray("rules").addObject().put("scope", "*");
        rule.putArray("apiGroups").add("*");
        rule.putArray("apiVersions").add("*");
        rule.putArray("operations").add("CREATE").add("UPDATE");
        rule.putArray("resources").add("*");
        hand.create(key, object);
    }

    private void status(Policy policy, Instant now) {
        boolean all = policy.problems().isEmpty();
        String message = all ? "Ready" : String.join("; ", policy.problems());
        boolean news = !Conditions.find(policy.object().tree(), "Ready").path("message").asText().equals(message);
        hand.status(policy.object().key(), object -> Conditions.set(object, new Conditions.Condition("Ready",
                all ? "True" : "False", all ? "Succeeded" : "Failed", message), now));
        if (!all && news) {
            event(policy, "PolicyError", message, now);
        }
    }
}
