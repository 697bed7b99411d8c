package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.Nodes;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.schedule.Refusal.Filter;
import dev.pitwall.lab.kube.schedule.Refusal.Remedy;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * The default scheduler: binds pods to nodes, and says why it cannot. It stands in the loop after
 * {@link Pods}, {@link Nodes} and {@link dev.pitwall.lab.kube.control.KnownObjects}.
 */
public final class Scheduler implements Controller {
    private static final String NAME = "default-scheduler";
    /** Pods tried before the other controllers have their turn. */
    private static final int BURST = 500;
    private static final Set<Filter> BY_OTHER_PODS = EnumSet.of(Filter.SPREAD, Filter.PODS);

    private final ControlPlane plane;
    private final Reports reports;
    private final Random chance;
    private final Ledger ledger = new Ledger();
    private final Backlog backlog = new Backlog();
    /** Verdicts that hold for every pod of a likeness until something changes that could help. */
    private final Map<String, Verdict> verdicts = new HashMap<>();
    private final Set<String> changedNodes = new HashSet<>();
    private final Set<String> relievedNodes = new HashSet<>();
    private boolean podsMoved;

    /** @param plane its {@link ControlPlane#suffixes()} seed the choice among equal nodes, so that a run repeats */
    public Scheduler(ControlPlane plane) {
        this.plane = plane;
        this.reports = new Reports(plane);
        this.chance = new Random(plane.suffixes().name(NAME).hashCode());
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Pods.PODS, NodeFacts.NODES);
    }

    @Override
    public void observe(Change change) {
        if (resource(change).equals(Pods.PODS)) {
            podChanged(plane.pods().news());
        } else {
            nodeChanged(plane.nodes().news());
        }
    }

    @Override
    public Instant act(Instant now) {
        wake(now);
        for (int i = 0; i < BURST; i++) {
            Optional<Waiting> next = backlog.next(now);
            if (next.isEmpty()) {
                break;
            }
            attempt(next.get(), now);
        }
        return backlog.due(now);
    }

    private static Resource resource(Change change) {
        return switch (change) {
            case Change.Added added -> added.now().key().resource();
            case Change.Modified modified -> modified.now().key().resource();
            case Change.Deleted deleted -> deleted.before().key().resource();
        };
    }

    private void nodeChanged(Nodes.News news) {
        String name = news.now().or(news::before).map(NodeFacts::name).orElseThrow();
        ledger.node(name, news.now());
        if (news.now().isPresent() && news.matters()) {
            changedNodes.add(name);
        }
        if (news.matters()) {
            verdicts.clear();
        }
    }

    private void podChanged(Pods.News news) {
        PodFacts pod = news.last();
        boolean there = news.now().isPresent() && !pod.isDone();
        if (there && pod.node().isEmpty()) {
            if (pod.deletion().isEmpty() && Demand.scheduler(pod).equals(NAME)) {
                backlog.put(pod);
            } else {
                backlog.remove(pod.key());
            }
            return;
        }
        backlog.remove(pod.key());
        if (there) {
            podsMoved |= ledger.put(pod);
        } else if (ledger.remove(pod.key())) {
            relievedNodes.add(pod.node());
            podsMoved = true;
        }
    }

    private void wake(Instant now) {
        if (changedNodes.isEmpty() && relievedNodes.isEmpty() && !podsMoved) {
            return;
        }
        verdicts.clear();
        backlog.wake(this::isHelped, now);
        changedNodes.clear();
        relievedNodes.clear();
        podsMoved = false;
    }

    private boolean isHelped(Waiting waiting) {
        return podsMoved && waiting.refusedBy.stream().anyMatch(BY_OTHER_PODS::contains)
                || changedNodes.stream().anyMatch(node -> ledger.load(node).filter(load -> load.isThere()
                        && alone(waiting, load).filter(refusal -> refusal.remedy() == Remedy.NONE).isEmpty()).isPresent())
                || relievedNodes.stream().anyMatch(node -> ledger.load(node).filter(load -> load.isThere()
                        && alone(waiting, load).isEmpty()).isPresent());
    }

    private static Optional<Refusal> alone(Waiting waiting, NodeLoad load) {
        return Placement.alone(waiting.pod(), waiting.demand(), load);
    }

    private void attempt(Waiting waiting, Instant now) {
        if (!waiting.demand().gates().isEmpty()) {
            reports.gated(waiting.pod(), now);
            return;
        }
        Verdict known = verdicts.get(waiting.likeness());
        if (known != null) {
            fail(waiting, known, now);
            return;
        }
        waiting.attempts++;
        waiting.lastTry = now;
        Placement placement = new Placement(waiting.pod(), waiting.demand(), ledger, plane.objects());
        Optional<NodeFacts> chosen = placement.choose(chance);
        if (chosen.isPresent()) {
            bind(waiting, chosen.get().name(), now);
        } else {
            Verdict verdict = placement.nodes() == 0 ? Verdict.NO_NODES
                    : Verdict.of(placement.nodes(), placement.refusals().values());
            verdicts.put(waiting.likeness(), verdict);
            fail(waiting, verdict, now);
        }
    }

    private void bind(Waiting waiting, String node, Instant now) {
        backlog.remove(waiting.key());
        reports.bind(waiting.pod(), node, now).ifPresent(bound -> podsMoved |= ledger.put(bound));
        verdicts.values().removeIf(verdict -> verdict.refusedBy().stream().anyMatch(BY_OTHER_PODS::contains));
    }

    /** The same is said again only at a retry of its own, and so that it does not fall silent. */
    private void fail(Waiting waiting, Verdict verdict, Instant now) {
        boolean tried = waiting.lastTry.equals(now) && !waiting.saidAt.equals(now);
        if (tried || !waiting.said.equals(verdict.text()) || !waiting.saidAt.plus(Backlog.STUCK_MOST).isAfter(now)) {
            reports.failed(waiting.pod(), verdict.text(), now);
            waiting.said = verdict.text();
            waiting.saidAt = now;
        }
        backlog.stuck(waiting, verdict.refusedBy(), now);
    }
}
