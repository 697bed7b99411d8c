package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.Timestamp;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Binds every pod, has it run and be ready a second later, and ends it as a test says: all that a workload sees of kubelets. */
final class PodRunner implements Controller {
    static final String NODE = "node-a";
    private static final int STOPS_WITHIN = 2;

    private final ClusterHand hand;
    private final Pods pods;
    private final Map<String, Instant> starts = new HashMap<>();
    private final Map<String, Instant> stops = new HashMap<>();
    private Function<JsonNode, Optional<Life>> lives = pod -> Optional.empty();
    private Function<JsonNode, Boolean> holds = pod -> false;

    PodRunner(ClusterHand hand, Pods pods) {
        this.hand = hand;
        this.pods = pods;
    }

    /** How long a pod runs and with what its container ends. */
    record Life(int seconds, int exitCode) {
    }

    /** @param lives by the pod; empty for one that goes on */
    void lives(Function<JsonNode, Optional<Life>> lives) {
        this.lives = lives;
    }

    /** Pods that stay unbound. */
    void hold(Function<JsonNode, Boolean> holds) {
        this.holds = holds;
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.PODS);
    }

    @Override
    public void observe(Change change) {
        // It looks at all pods each time.
    }

    @Override
    public Instant act(Instant now) {
        return pods.all().stream().map(pod -> step(pod, now)).min(Instant::compareTo).orElse(Instant.MAX);
    }

    private Instant step(PodFacts pod, Instant now) {
        ObjectNode tree = pod.object().copy();
        if (pod.deletion().isPresent()) {
            return stop(pod, now);
        }
        if (pod.isDone() || pod.node().isEmpty() && holds.apply(tree)) {
            return Instant.MAX;
        }
        Instant start = starts.computeIfAbsent(pod.uid(), uid -> now.plusSeconds(1));
        if (start.isAfter(now)) {
            return start;
        }
        if (!pod.ready()) {
            hand.change(pod.key(), object -> object.withObjectProperty("spec").put("nodeName", NODE));
            hand.status(pod.key(), object -> run(object, now));
        }
        Optional<Life> life = lives.apply(tree);
        Instant end = life.map(known -> start.plusSeconds(known.seconds())).orElse(Instant.MAX);
        if (!end.isAfter(now)) {
            hand.status(pod.key(), object -> end(object, life.orElseThrow(), now));
            return Instant.MAX;
        }
        return end;
    }

    private Instant stop(PodFacts pod, Instant now) {
        Instant end = stops.computeIfAbsent(pod.uid(), uid -> pod.isDone() ? now : now.plusSeconds(STOPS_WITHIN));
        if (end.isAfter(now)) {
            return end;
        }
        hand.delete(pod.key(), 0);
        return Instant.MAX;
    }

    private static void run(ObjectNode pod, Instant now) {
        pod.withObjectProperty("status").put("phase", "Running").put("startTime", Timestamp.of(now));
        Conditions.set(pod, new Conditions.Condition("Ready", "True", "", ""), now);
        ObjectNode container = pod.withObjectProperty("status").putArray("containerStatuses").addObject()
                .put("name", pod.at("/spec/containers/0/name").asText()).put("restartCount", 0).put("ready", true);
        container.putObject("state").putObject("running").put("startedAt", Timestamp.of(now));
    }

    private static void end(ObjectNode pod, Life life, Instant now) {
        pod.withObjectProperty("status").put("phase", life.exitCode() == 0 ? "Succeeded" : "Failed");
        Conditions.set(pod, new Conditions.Condition("Ready", "False", "PodCompleted", ""), now);
        ObjectNode container = (ObjectNode) pod.at("/status/containerStatuses/0");
        container.put("ready", false).putObject("state").putObject("terminated").put("exitCode", life.exitCode())
                .put("finishedAt", Timestamp.of(now));
    }
}
