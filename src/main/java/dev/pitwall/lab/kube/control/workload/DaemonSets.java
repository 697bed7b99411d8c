package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.Nodes;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.control.workload.Revisions.History;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The DaemonSet controller: one pod on each node that its template lets it on. [kubernetes: pkg/controller/daemon] */
public final class DaemonSets implements Controller {
    /** Pods made in one turn; more are made in the next. */
    private static final int BURST = 250;

    private final ControlPlane plane;
    private final Claims claims;
    private final Revisions revisions;
    private final PodMaker maker;
    private final FailedDaemons failed = new FailedDaemons();
    private final Workloads sets;
    private final WorkQueue queue = new WorkQueue();
    private final Map<String, Known> templates = new HashMap<>();

    /** A template as it was read from one generation of its DaemonSet. */
    private record Known(long generation, DaemonTemplate template) {
    }

    public DaemonSets(ControlPlane shared) {
        this.plane = shared.as("daemon-set-controller");
        this.claims = new Claims(plane);
        this.revisions = new Revisions(plane, Revisions.POD_HASH);
        this.sets = new Workloads(plane, Resource.DAEMON_SETS);
        this.maker = new PodMaker(plane);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.DAEMON_SETS, Resource.REVISIONS, Resource.PODS, Resource.NODES);
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, this::sync);
    }

    @Override
    public void seen(StoredObject object) {
        sets.seen(object).forEach(queue::add);
        other(object.key());
    }

    @Override
    public void gone(StoredObject object) {
        sets.gone(object).forEach(queue::add);
        templates.remove(object.uid());
        other(object.key());
    }

    private void other(ObjectKey key) {
        if (key.resource().equals(Resource.NODES)) {
            nodeChanged();
        } else if (key.resource().equals(Resource.REVISIONS)) {
            // Somebody else's hand in the history; it is rare, and its owner may have changed.
            plane.objects().in(Resource.DAEMON_SETS, key.namespace()).stream()
                    .filter(set -> key.name().startsWith(set.key().name() + "-")).forEach(set -> queue.add(set.key()));
        }
    }

    /** Only those DaemonSets to which the node is something else now. */
    private void nodeChanged() {
        Nodes.News news = plane.nodes().news();
        if (!news.matters()) {
            return;
        }
        for (Item set : plane.objects().all(Resource.DAEMON_SETS)) {
            DaemonTemplate template = template(set);
            if (!news.before().map(template::place).equals(news.now().map(template::place))) {
                queue.add(set.key());
            }
        }
    }

    private DaemonTemplate template(Item set) {
        Known known = templates.get(set.uid());
        long generation = set.tree().at("/metadata/generation").asLong();
        if (known == null || known.generation() != generation) {
            known = new Known(generation, new DaemonTemplate(set.tree().at("/spec/template")));
            templates.put(set.uid(), known);
        }
        return known.template();
    }

    private void sync(ObjectKey key, Instant now) {
        Optional<Item> found = plane.objects().find(key);
        if (found.isEmpty()) {
            return;
        }
        Item set = found.get();
        Owner owner = Owner.of(set, "apps/v1", "DaemonSet", "daemonset-controller");
        if (Claims.takesAll(set.tree())) {
            maker.event(owner, Type.Warning, "SelectingAll",
                    "This daemon set is selecting all pods. A non-empty selector is required.", now);
        } else if (!owner.isLeaving()) {
            work(set, owner, now);
        }
    }

    private void work(Item set, Owner owner, Instant now) {
        DaemonPlan plan = DaemonPlan.of(set);
        History history = revisions.of(owner, set);
        List<PodFacts> pods = claims.pods(owner, Claims.selector(set.tree()), pod -> true);
        DaemonView view = new DaemonView(plan, template(set), history.current().hash(), plane.nodes().all(), pods, now);
        DaemonCare care = new DaemonCare(view, owner, maker, failed);
        DaemonSteps steps = care.steps();
        if (steps.isEmpty() && plan.strategy() == DaemonPlan.Strategy.ROLLING_UPDATE) {
            steps = new DaemonUpdate(view).steps();
        }
        Optional<String> refused = take(steps, set, owner, plan.revisionLabels(history.current().hash()), now);
        revisions.forget(history.old(), plan.historyLimit(), pods.stream()
                .map(pod -> pod.labels().getOrDefault(Revisions.POD_HASH, "")).collect(Collectors.toSet()));
        DaemonStatus status = DaemonStatus.of(view);
        plane.hand().status(set.key(), object -> status.write(object.withObjectProperty("status"),
                set.tree().at("/metadata/generation").asLong()));
        care.comesBack().ifPresent(moment -> queue.at(set.key(), moment));
        PodFacts.nextAvailable(pods, plan.minReadySeconds(), now).ifPresent(moment -> queue.at(set.key(), moment));
        if (refused.isPresent()) {
            queue.failed(set.key(), now);
        } else if (steps.create().size() > BURST) {
            queue.add(set.key());
        }
    }

    /** Deletes what is to go, and makes what is missing up to the first that is refused. */
    private Optional<String> take(DaemonSteps steps, Item set, Owner owner, Map<String, String> labels,
                                  Instant now) {
        steps.delete().forEach(pod -> maker.delete(pod, owner, now));
        DaemonTemplate template = template(set);
        for (String node : steps.create().stream().limit(BURST).toList()) {
            Optional<String> refused =
                    maker.create(template.draft(owner, node, labels), owner, set.key().name() + "-", now);
            if (refused.isPresent()) {
                return refused;
            }
        }
        return Optional.empty();
    }
}
