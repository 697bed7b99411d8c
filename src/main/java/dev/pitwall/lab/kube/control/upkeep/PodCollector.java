package dev.pitwall.lab.kube.control.upkeep;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.Moments;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.Conditions.Condition;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;

/**
 * Takes away pods that nobody looks after: those bound to a node that is gone, those that terminate on a node that is
 * out of service, and the oldest of too many that have come to their end. [kubernetes: gc_controller.go of podgc]
 */
public final class PodCollector implements Controller {
    /** So long a node may be missing before its pods go ({@code quarantineTime}). */
    private static final Duration QUARANTINE = Duration.ofSeconds(40);
    private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";
    private static final Comparator<PodFacts> OLDEST_FIRST = Comparator.comparing(PodFacts::created)
            .thenComparing(pod -> pod.key().namespace()).thenComparing(pod -> pod.key().name());

    private final ControlPlane plane;
    private final ClusterHand hand;
    private final int mostEnded;
    private final WorkQueue nodes = new WorkQueue();
    private final WorkQueue missing = new WorkQueue();
    private final TreeSet<PodFacts> ended = new TreeSet<>(OLDEST_FIRST);

    /** @param mostEnded pods that have come to their end and stay all the same */
    public PodCollector(ControlPlane plane, int mostEnded) {
        this.plane = plane;
        this.hand = plane.as("pod-garbage-collector").hand();
        this.mostEnded = mostEnded;
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.PODS, Resource.NODES);
    }

    @Override
    public void observe(Change change) {
        ObjectKey key = change.object().key();
        if (key.resource().equals(Resource.PODS)) {
            podChanged(plane.pods().news());
        } else if (plane.nodes().news().now().isEmpty() || plane.nodes().news().matters()) {
            nodes.add(key);
        }
    }

    private void podChanged(Pods.News news) {
        news.before().filter(PodFacts::isDone).ifPresent(ended::remove);
        news.now().filter(PodFacts::isDone).ifPresent(ended::add);
        news.now().filter(pod -> !pod.node().isEmpty()).ifPresent(pod -> {
            boolean bound = news.before().filter(before -> before.node().equals(pod.node())).isEmpty();
            boolean goes = pod.deletion().isPresent() && news.before().flatMap(PodFacts::deletion).isEmpty();
            if (bound || goes) {
                nodes.add(NodeFacts.key(pod.node()));
            }
        });
    }

    @Override
    public Instant act(Instant now) {
        while (ended.size() > mostEnded) {
            PodFacts oldest = ended.pollFirst();
            hand.delete(oldest.key(), 0);
        }
        Instant due = nodes.work(now, this::look);
        Instant end = missing.work(now, (node, moment) -> collect(node.name(), moment));
        return Moments.earlier(due, end);
    }

    private void look(ObjectKey node, Instant now) {
        if (plane.nodes().find(node.name()).isEmpty()) {
            missing.at(node, now.plus(QUARANTINE));
        } else if (plane.nodes().find(node.name()).filter(PodCollector::isOutOfService).isPresent()) {
            plane.pods().onNode(node.name()).stream().filter(pod -> pod.deletion().isPresent())
                    .forEach(pod -> hand.delete(pod.key(), 0));
        }
    }

    private static boolean isOutOfService(NodeFacts node) {
        return !node.isReady() && node.taints().stream().anyMatch(taint -> taint.key().equals(OUT_OF_SERVICE));
    }

    private void collect(String node, Instant now) {
        if (plane.nodes().find(node).isPresent()) {
            return;
        }
        for (PodFacts pod : plane.pods().onNode(node)) {
            if (!pod.isDone()) {
                hand.status(pod.key(), object -> fail(object, now));
            }
            hand.delete(pod.key(), 0);
        }
    }

    private static void fail(ObjectNode pod, Instant now) {
        pod.withObjectProperty("status").put("phase", "Failed");
        Conditions.set(pod, new Condition("DisruptionTarget", "True", "DeletionByPodGC",
                "PodGC: node no longer exists"), now);
    }
}
