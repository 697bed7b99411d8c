package dev.pitwall.lab.kube.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * Builds that come and go: while Tekton's controller is ready, a Job in namespace {@code ci} every few seconds, which is
 * taken away a while after it is done.
 */
public final class Builds implements Controller {
    private static final String NAMESPACE = "ci";
    private static final Map<String, String> TEKTON = Map.of("app.kubernetes.io/name", "tekton-pipelines-controller");
    private static final String IMAGE = "ghcr.io/tektoncd/pipeline/entrypoint:v1.3.1";

    private final ClusterHand hand;
    private final Pods pods;
    private final Instant since;
    private final AgentTexts texts = AgentTexts.load();
    private Instant next;

    /** @param since the builds before it left nothing behind, and are not made */
    public Builds(ClusterHand hand, Pods pods, Instant since) {
        this.hand = hand.as("system:serviceaccount:tekton-pipelines:tekton-pipelines-controller");
        this.pods = pods;
        this.since = since;
        this.next = since;
    }

    @Override
    public Set<Resource> watches() {
        return Set.of();
    }

    @Override
    public Instant act(Instant now) {
        if (now.isBefore(next)) {
            return next;
        }
        long every = texts.seconds("buildEvery");
        next = Instant.ofEpochSecond(now.getEpochSecond() / every * every).plusSeconds(every);
        boolean wanted = hand.find(new ObjectKey(Resource.NAMESPACES, "", NAMESPACE)).isPresent()
                && pods.isReady("tekton-pipelines", TEKTON);
        if (wanted && !now.isBefore(since)) {
            start(now.getEpochSecond() / every);
        }
        return next;
    }

    private void start(long number) {
        String name = "build-" + Long.toString(number, 36);
        ObjectKey key = new ObjectKey(Resource.JOBS, NAMESPACE, name);
        ObjectNode job = Json.object();
        job.putObject("metadata").putObject("labels").put("app", "build");
        ObjectNode spec = job.putObject("spec").put("backoffLimit", 0)
                .put("ttlSecondsAfterFinished", texts.seconds("buildKept"));
        ObjectNode template = spec.putObject("template");
        template.putObject("metadata").putObject("labels").put("app", "build");
        ObjectNode container = template.putObject("spec").put("restartPolicy", "Never").putArray("containers")
                .addObject().put("name", "step").put("image", IMAGE);
        container.putObject("resources").putObject("requests").put("cpu", "250m").put("memory", "256Mi");
        if (hand.find(key).isEmpty()) {
            try {
                hand.create(key, job);
            } catch (AdmissionRefusal refused) {
                // A quota is full, or a webhook down: this build is not made.
            }
        }
    }
}
