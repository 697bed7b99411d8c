package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.Moments;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.Nodes;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.schedule.NodeLoad.Held;
import dev.pitwall.lab.kube.schedule.Preemption.Outcome;
import dev.pitwall.lab.kube.schedule.Refusal.Filter;
import dev.pitwall.lab.kube.schedule.Reports.Failure;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The default scheduler: binds pods to nodes, has lesser pods leave for more important ones, and says why it cannot. It
 * stands in the loop after {@link Pods}, {@link Nodes} and {@link dev.pitwall.lab.kube.control.KnownObjects}.
 */
public final class Scheduler implements Controller {
    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);
    /** Pods tried before the other controllers have their turn. */
    private static final int BURST = 500;
    private static final Set<Resource> WATCHED = Set.of(Resource.PODS, Resource.NODES, Resource.VOLUME_CLAIMS,
            Resource.VOLUMES, Resource.STORAGE_CLASSES);
    /** Filters that look at the other pods: what was said by them holds only until the next pod is bound. */
    private static final Set<Filter> BY_PODS = EnumSet.of(Filter.SPREAD, Filter.PODS);

    private final ControlPlane plane;
    private final Reports reports;
    private final Bindings bindings;
    private final Random chance;
    private final Ledger ledger = new Ledger();
    private final Backlog backlog = new Backlog();
    private final News news = new News(ledger);
    /** What was said of pods of a likeness, which holds for all of them until something changes that could help. */
    private final Map<String, Verdict> verdicts = new HashMap<>();

    /** @param plane its {@link ControlPlane#suffixes()} seed the choice among equal nodes, so that a run repeats */
    public Scheduler(ControlPlane plane) {
        this.plane = plane;
        this.reports = new Reports(plane);
        this.bindings = new Bindings(plane, reports);
        this.chance = new Random(plane.suffixes().name(Reports.NAME).hashCode());
    }

    @Override
    public Set<Resource> watches() {
        return WATCHED;
    }

    @Override
    public void observe(Change change) {
        ObjectKey key = change.object().key();
        if (key.resource().equals(Resource.PODS)) {
            podChanged(plane.pods().news());
        } else if (key.resource().equals(Resource.NODES)) {
            nodeChanged(plane.nodes().news());
        } else {
            bindings.seen(key);
            news.storage(key);
        }
    }

    @Override
    public Instant act(Instant now) {
        bindings.ended(now).forEach(end -> end(end, now));
        if (news.any()) {
            verdicts.clear();
            backlog.wake(news::helps, now);
            news.clear();
        }
        for (int i = 0; i < BURST; i++) {
            Optional<Waiting> next = backlog.next(now);
            if (next.isEmpty()) {
                break;
            }
            take(next.get(), now);
        }
        return Moments.earlier(backlog.due(now), bindings.due());
    }

    private void nodeChanged(Nodes.News node) {
        String name = node.now().or(node::before).map(NodeFacts::name).orElseThrow();
        ledger.node(name, node.now());
        if (node.matters()) {
            news.node(name);
        }
    }

    private void podChanged(Pods.News change) {
        PodFacts pod = change.last();
        boolean there = change.now().isPresent() && !pod.isDone();
        if (there && pod.node().isEmpty() && pod.deletion().isEmpty() && isMine(pod)) {
            backlog.put(pod);
            backlog.find(pod.key()).ifPresent(waiting ->
                    ledger.nominate(pod, waiting.demand(), waiting.demand().nominated()));
            return;
        }
        forget(pod);
        if (there && !pod.node().isEmpty()) {
            if (ledger.put(pod)) {
                news.pods();
            }
        } else if (ledger.remove(pod.key())) {
            news.left(pod.node());
        }
    }

    /** It waits no more. What it had on the node it was meant for is free again. */
    private void forget(PodFacts pod) {
        backlog.remove(pod.key());
        reports.forget(pod.key());
        ledger.unnominate(pod.key());
        if (bindings.isOpen(pod.key())) {
            bindings.remove(pod.key());
            ledger.find(pod.key()).ifPresent(held -> news.left(held.pod().node()));
        }
    }

    private static boolean isMine(PodFacts pod) {
        return Demand.scheduler(pod).equals(Reports.NAME);
    }

    private void take(Waiting waiting, Instant now) {
        try {
            attempt(waiting, now);
        } catch (RuntimeException e) {
            // One pod that cannot be read must not keep the others from their nodes.
            LOG.warn("pod {}/{} could not be placed", waiting.key().namespace(), waiting.key().name(), e);
            waiting.attempts++;
            waiting.lastTry = now;
            backlog.again(waiting, now);
        }
    }

    private void attempt(Waiting waiting, Instant now) {
        if (!waiting.demand().gates().isEmpty()) {
            reports.gated(waiting.pod(), now);
            backlog.gated(waiting);
            return;
        }
        Verdict known = verdicts.get(waiting.likeness());
        if (known != null && waiting.demand().nominated().isEmpty()) {
            fail(waiting, known, now);
            return;
        }
        waiting.attempts++;
        waiting.lastTry = now;
        PodVolumes volumes = new PodVolumes(waiting.pod(), waiting.demand(), plane.objects(), bindings.assumed());
        Placement placement =
                new Placement(waiting.pod(), waiting.demand(), ledger, plane.objects(), volumes);
        placement.choose(chance).ifPresentOrElse(node -> go(waiting, node, volumes, now),
                () -> preempt(waiting, placement, now));
    }

    private void go(Waiting waiting, NodeFacts node, PodVolumes volumes, Instant now) {
        if (volumes.waiting().isEmpty()) {
            bind(waiting, node.name(), now);
        } else {
            ledger.put(waiting.pod().at(node.name()));
            bindings.begin(waiting, node, volumes, now);
            backlog.binding(waiting);
        }
        verdicts.values().removeIf(verdict -> verdict.refusedBy().stream().anyMatch(BY_PODS::contains));
    }

    private void bind(Waiting waiting, String node, Instant now) {
        backlog.remove(waiting.key());
        ledger.unnominate(waiting.key());
        reports.bind(waiting.pod(), node, now).ifPresentOrElse(bound -> {
            if (ledger.put(bound)) {
                news.pods();
            }
        }, () -> ledger.remove(waiting.key()));
    }

    private void end(Bindings.End end, Instant now) {
        Waiting waiting = end.binding().waiting();
        switch (end) {
            case Bindings.End.Bound bound -> bind(waiting, bound.binding().node(), now);
            case Bindings.End.Failed failed -> {
                ledger.remove(waiting.key());
                news.left(failed.binding().node());
                reports.failed(waiting.pod(), Failure.SchedulerError, failed.text(), "", now);
                backlog.again(waiting, now);
            }
        }
    }

    private void preempt(Waiting waiting, Placement placement, Instant now) {
        if (placement.nodes() == 0) {
            fail(waiting, Verdict.NO_NODES, now);
            return;
        }
        Verdict verdict = placement.hindrance().map(text -> Verdict.of(placement.nodes(), text))
                .orElseGet(() -> Verdict.of(placement.nodes(), placement.refusals().values()));
        Preemption preemption = new Preemption(waiting, placement, ledger, new Budgets(plane.objects()), now);
        switch (preemption.outcome(chance)) {
            case Outcome.None none -> {
                Verdict whole = verdict.and(none.text(), none.nominated());
                if (whole.nominated().isEmpty()) {
                    verdicts.put(waiting.likeness(), whole);
                }
                fail(waiting, whole, now);
            }
            case Outcome.Chosen chosen -> {
                makeRoom(waiting, chosen, now);
                fail(waiting, verdict.nominating(chosen.node()), now);
            }
        }
    }

    private void makeRoom(Waiting waiting, Outcome.Chosen chosen, Instant now) {
        chosen.victims().forEach(victim -> reports.preempt(victim, waiting.pod(), chosen.node(), now));
        List<Held> lesser = ledger.nominated(chosen.node()).stream()
                .filter(other -> other.pod().priority() < waiting.pod().priority()).toList();
        for (Held other : lesser) {
            ledger.unnominate(other.pod().key());
            reports.unnominate(other.pod());
        }
    }

    /** The same is said again only at a retry of the pod itself, and so that it does not fall silent. */
    private void fail(Waiting waiting, Verdict verdict, Instant now) {
        boolean tried = waiting.lastTry.equals(now) && !waiting.saidAt.equals(now);
        if (tried || !waiting.said.equals(verdict.text()) || !waiting.saidAt.plus(Backlog.STUCK_MOST).isAfter(now)) {
            reports.failed(waiting.pod(), Failure.Unschedulable, verdict.text(), verdict.nominated(), now);
            waiting.said = verdict.text();
            waiting.saidAt = now;
        }
        ledger.nominate(waiting.pod(), waiting.demand(), verdict.nominated());
        backlog.stuck(waiting, verdict.refusedBy(), now);
    }
}
