package dev.pitwall.lab.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlLoop;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.EventRecorder;
import dev.pitwall.lab.kube.control.KnownObjects;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.Nodes;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.Suffixes;
import dev.pitwall.lab.kube.kubelet.Kubelets;
import dev.pitwall.lab.kube.kubelet.RuntimeHandlers;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.scene.SceneException;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scheduler with the lab's real kubelets on the garage's nodes. */
class ScheduledPodsRunTest {
    private static final String NODE = "rke2-worker-dc1-gpu-a";

    private Instant now = Instant.parse("2026-11-30T12:00:00Z");
    private ObjectStore store;
    private ControlLoop loop;
    private Kubelets kubelets;

    @BeforeEach
    void garage() throws SceneException {
        World world = new World(new LabClock(() -> now), 1);
        SceneWorld.fill(world, new SceneFile().bundled("garage"));
        ClusterClock clock = new ClusterClock(world.clock());
        store = new ObjectStore(clock, ResourceCatalog.load(), 4096);
        ClusterHand hand = new ClusterHand(store, request -> { }, "admin");
        EventRecorder events = new EventRecorder(store, now);
        KnownObjects objects = new KnownObjects(ControlPlane.KNOWN);
        Pods pods = new Pods();
        Nodes nodes = new Nodes();
        ControlPlane plane = new ControlPlane(hand, events, clock, new Suffixes(new Random(1)), pods, nodes, objects);
        kubelets = new Kubelets(world, clock, pods, hand, events, (image, pod, container) -> Optional.empty(),
                RuntimeHandlers.of(world));
        loop = new ControlLoop(world, store, clock, List.of(pods, nodes, objects, new Scheduler(plane), kubelets));
        pass(1);
    }

    @AfterEach
    void close() {
        loop.close();
        kubelets.close();
        store.close();
    }

    private void pass(long seconds) {
        Instant from = now;
        now = now.plusSeconds(seconds);
        loop.live(from, now);
    }

    /** A pod that wants nearly all of one node and sleeps. */
    private void create(String name, int priority) {
        long all = Long.parseLong(store.get(NodeFacts.key(NODE)).tree()
                .at("/status/allocatable/cpu").asText());
        store.create(SchedulerRig.pod(name), SchedulerRig.yaml("""
                spec:
                  priority: %d
                  terminationGracePeriodSeconds: 10
                  restartPolicy: Always
                  nodeSelector: {kubernetes.io/hostname: %s}
                  tolerations: [{operator: Exists}]
                  containers:
                  - {name: main, image: busybox:1.36, command: [sleep, infinity], resources: {requests: {cpu: "%d"}}}
                status: {phase: Pending}
                """.formatted(priority, NODE, all)));
    }

    private ObjectNode pod(String name) {
        return store.get(SchedulerRig.pod(name)).copy();
    }

    private String phase(String name) {
        return pod(name).at("/status/phase").asText();
    }

    @Test
    void a_pod_runs_where_it_was_bound_and_a_more_important_one_gets_its_room_after_its_grace() {
        create("notebook", 0);
        pass(60);
        assertThat(phase("notebook")).isEqualTo("Running");
        assertThat(pod("notebook").at("/spec/nodeName").asText()).isEqualTo(NODE);

        create("serving", 1000);
        pass(2);
        assertThat(pod("notebook").path("metadata").has("deletionTimestamp")).isTrue();
        assertThat(phase("serving")).isEqualTo("Pending");
        assertThat(pod("serving").at("/status/nominatedNodeName").asText()).isEqualTo(NODE);

        pass(60);
        assertThat(store.find(SchedulerRig.pod("notebook"))).isEmpty();
        assertThat(phase("serving")).isEqualTo("Running");
    }
}
