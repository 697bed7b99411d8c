package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The StatefulSet controller: pods with names and claims that last. [kubernetes: pkg/controller/statefulset] */
public final class StatefulSets implements Controller {
    private static final String HASH = "controller.kubernetes.io/hash";

    private final ControlPlane plane;
    private final PodMaker maker;
    private final Claims claims;
    private final Revisions revisions;
    private final Workloads sets;
    private final WorkQueue queue = new WorkQueue();

    public StatefulSets(ControlPlane shared) {
        this.plane = shared.as("statefulset-controller");
        this.maker = new PodMaker(plane);
        this.claims = new Claims(plane);
        this.revisions = new Revisions(plane, HASH);
        this.sets = new Workloads(plane, Resource.STATEFUL_SETS);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.STATEFUL_SETS, Resource.VOLUME_CLAIMS, Resource.PODS);
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, this::sync);
    }

    @Override
    public void seen(StoredObject object) {
        sets.seen(object).forEach(queue::add);
    }

    @Override
    public void gone(StoredObject object) {
        sets.gone(object).forEach(queue::add);
        if (object.key().resource().equals(Resource.VOLUME_CLAIMS)) {
            // A pod may have waited for the claim of its forerunner to go.
            plane.objects().in(Resource.STATEFUL_SETS, object.key().namespace()).stream()
                    .filter(set -> object.key().name().contains("-" + set.key().name() + "-"))
                    .forEach(set -> queue.add(set.key()));
        }
    }

    private void sync(ObjectKey key, Instant now) {
        Optional<Item> found = plane.objects().find(key).filter(set -> !Claims.takesAll(set.tree()));
        if (found.isEmpty()) {
            return;
        }
        Item set = found.get();
        StatefulSpec spec = StatefulSpec.of(key.name(), set.tree());
        Owner owner = Owner.of(set, "apps/v1", "StatefulSet", "statefulset-controller");
        List<PodFacts> pods = claims.pods(owner, Claims.selector(set.tree()),
                pod -> spec.ordinal(pod.key().name()).isPresent());
        Revisions.History history = revisions.of(owner, set);
        Optional<Revisions.Revision> before = history.old().stream()
                .filter(revision -> revision.name().equals(set.tree().at("/status/currentRevision").asText())).findFirst();
        StatefulTurn.Revision update = new StatefulTurn.Revision(history.current().name(),
                set.tree().at("/spec/template"));
        StatefulTurn.Revision current = before.map(this::revision).orElse(update);
        StatefulTurn.Outcome outcome = new StatefulTurn(plane, maker, owner, spec, pods, current, update, now).take();
        StatefulStatus status = StatefulStatus.of(spec, pods, current.name(), update.name(), now);
        plane.hand().status(key, object -> status.write(object, set.tree().at("/metadata/generation").asLong()));
        forget(spec, history, pods, current.name());
        again(key, outcome, now);
    }

    private StatefulTurn.Revision revision(Revisions.Revision revision) {
        JsonNode template = plane.hand().find(revision.key()).map(StoredObject::copy)
                .map(tree -> tree.at("/data/spec/template")).filter(JsonNode::isObject).orElseThrow();
        return new StatefulTurn.Revision(revision.name(), ((ObjectNode) template).without("$patch"));
    }

    private void forget(StatefulSpec spec, Revisions.History history, List<PodFacts> pods, String current) {
        Set<String> live = new HashSet<>(Set.of(current));
        pods.forEach(pod -> live.add(StatefulPod.revision(pod)));
        revisions.forget(history.old().stream().filter(revision -> !live.contains(revision.name())).toList(),
                spec.history(), Set.of());
    }

    private void again(ObjectKey key, StatefulTurn.Outcome outcome, Instant now) {
        if (outcome.refused().isPresent()) {
            queue.failed(key, now);
        }
        if (outcome.due().isBefore(Instant.MAX)) {
            queue.at(key, outcome.due());
        }
    }
}
