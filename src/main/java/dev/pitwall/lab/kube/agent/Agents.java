package dev.pitwall.lab.kube.agent;

import dev.pitwall.lab.kube.admit.Admission;
import dev.pitwall.lab.kube.agent.kyverno.Kyverno;
import dev.pitwall.lab.kube.agent.kyverno.KyvernoWebhook;
import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.EventRecorder;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.kubelet.Programs;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.world.World;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** All third-party agents of a cluster, put together. Closing it ends the calls that they have under way. */
public final class Agents implements AutoCloseable {
    /** Builds older than this have left nothing behind. */
    private static final Duration BUILDS = Duration.ofMinutes(2);

    private final World world;
    private final ClusterClock clock;
    private final Instant present;
    private final KyvernoWebhook webhook;
    private final ModelServerPods servers;
    private final ModelCalls calls;
    private final Supplier<Optional<URI>> prometheus;

    /**
     * The sockets of those servers of the lab that are processes in containers.
     *
     * @param models a model server by its name
     */
    public record Sockets(Function<String, Optional<URI>> models, Supplier<Optional<URI>> prometheus) {
    }

    /**
     * @param present   the moment at which the lab's present begins
     * @param sockets   what answers for programs; empty while nothing does
     */
    public Agents(World world, ObjectStore store, ClusterClock clock, Instant present, Sockets sockets) {
        this.present = present;
        this.prometheus = sockets.prometheus();
        this.world = world;
        this.clock = clock;
        this.webhook = new KyvernoWebhook(store);
        this.servers = new ModelServerPods(world, store, clock, present, sockets.models());
        this.calls = new ModelCalls(sockets.models());
    }

    /** Comes after the API server's own mutating plugins and before its quota, as webhooks do. */
    public Admission admission() {
        return webhook;
    }

    /** What runs in the containers they know. */
    public Programs programs(ClusterHand hand) {
        return new AgentPrograms(world, hand, servers, prometheus);
    }

    /**
     * In the order they belong into the loop.
     *
     * @param pods comes before them
     */
    public List<Controller> controllers(ClusterHand hand, Pods pods, EventRecorder events) {
        return List.of(new Kyverno(hand, pods, events, clock, webhook), new Notebooks(hand, pods, events),
                new Builds(hand, pods, present.minus(BUILDS)), servers, new Kubemoot(world, hand, pods, clock, calls));
    }

    @Override
    public void close() {
        calls.close();
    }
}
