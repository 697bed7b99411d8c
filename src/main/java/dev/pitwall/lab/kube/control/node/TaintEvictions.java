package dev.pitwall.lab.kube.control.node;

import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.EventRecorder.Source;
import dev.pitwall.lab.kube.control.EventRecorder.Subject;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.Conditions.Condition;
import dev.pitwall.lab.kube.object.Taint;
import dev.pitwall.lab.kube.object.Toleration;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Drives pods out of nodes with a NoExecute taint that they do not tolerate, or no longer. Pods on nodes without such a
 * taint cost one look. [kubernetes: taint_eviction.go]
 */
public final class TaintEvictions implements Controller {
    private static final String COMPONENT = "taint-eviction-controller";

    private final ControlPlane plane;
    private final ClusterHand hand;
    private final WorkQueue queue = new WorkQueue();
    private final Map<String, List<Taint>> taints = new HashMap<>();
    private final Map<ObjectKey, Marked> marked = new HashMap<>();

    public TaintEvictions(ControlPlane plane) {
        this.plane = plane;
        this.hand = plane.as(COMPONENT).hand();
    }

    /** A pod that is to go. A taint that comes while it is marked does not move the moment. */
    private record Marked(String uid, Instant goes) {
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.NODES, Resource.PODS);
    }

    @Override
    public void gone(StoredObject object) {
        if (object.key().resource().equals(Resource.NODES)) {
            taints.remove(object.key().name());
        } else {
            marked.remove(object.key());
        }
    }

    @Override
    public void seen(StoredObject object) {
        ObjectKey key = object.key();
        if (key.resource().equals(Resource.NODES)) {
            List<Taint> now = plane.nodes().find(key.name()).map(TaintEvictions::executing).orElse(List.of());
            List<Taint> before = now.isEmpty() ? taints.remove(key.name()) : taints.put(key.name(), now);
            if (!now.equals(before == null ? List.of() : before)) {
                plane.pods().onNode(key.name()).forEach(pod -> queue.add(pod.key()));
            }
        } else {
            Pods.News news = plane.pods().news();
            boolean bound = news.before().filter(pod -> pod.node().equals(news.last().node())).isEmpty();
            if (bound && taints.containsKey(news.last().node())) {
                queue.add(key);
            }
        }
    }

    private static List<Taint> executing(NodeFacts node) {
        return node.taints().stream().filter(taint -> taint.effect() == Taint.Effect.NoExecute).toList();
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, this::sync);
    }

    private void sync(ObjectKey key, Instant now) {
        Optional<PodFacts> found = plane.pods().find(key);
        if (found.filter(pod -> pod.deletion().isEmpty()).isEmpty()) {
            marked.remove(key);
            return;
        }
        PodFacts pod = found.get();
        List<Taint> there = taints.getOrDefault(pod.node(), List.of());
        OptionalLong bears = there.isEmpty() ? OptionalLong.empty() : bears(pod, there);
        if (bears.isEmpty()) {
            cancel(pod, now);
            return;
        }
        Instant goes = Optional.ofNullable(marked.get(key))
                .filter(before -> before.uid().equals(pod.uid()) && bears.getAsLong() > 0).map(Marked::goes)
                .orElseGet(() -> now.plusSeconds(bears.getAsLong()));
        if (goes.isAfter(now)) {
            marked.put(key, new Marked(pod.uid(), goes));
            queue.at(key, goes);
        } else {
            marked.remove(key);
            evict(pod, now);
        }
    }

    /** For how many seconds a pod bears taints; empty for ever. */
    private static OptionalLong bears(PodFacts pod, List<Taint> taints) {
        List<Toleration> tolerations = Toleration.of(pod.object().tree().at("/spec/tolerations"));
        if (taints.stream().anyMatch(taint -> !Toleration.any(tolerations, taint))) {
            return OptionalLong.of(0);
        }
        // Of several that tolerate one taint the first counts.
        return taints.stream().flatMap(taint -> tolerations.stream().filter(one -> one.tolerates(taint)).limit(1))
                .flatMapToLong(toleration -> toleration.seconds().stream()).map(seconds -> Math.max(0, seconds)).min();
    }

    private void cancel(PodFacts pod, Instant now) {
        if (marked.remove(pod.key()) != null) {
            event(pod, "Cancelling deletion of Pod ", now);
        }
    }

    private void evict(PodFacts pod, Instant now) {
        event(pod, "Marking for deletion Pod ", now);
        hand.status(pod.key(), object -> Conditions.set(object, new Condition("DisruptionTarget", "True",
                "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint"), now));
        hand.delete(pod.key());
    }

    private void event(PodFacts pod, String what, Instant now) {
        plane.events().record(Subject.core(pod.object(), "Pod"), Source.of(COMPONENT), Type.Normal,
                "TaintManagerEviction", what + pod.key().namespace() + "/" + pod.key().name(), now);
    }
}
