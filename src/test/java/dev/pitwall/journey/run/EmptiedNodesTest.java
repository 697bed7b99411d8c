package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.NodeDown;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.operator.PaperCluster;
import dev.pitwall.journey.run.Emptying.Comes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

/** Nodes are emptied before their machine goes down, and take pods again when it is back. */
class EmptiedNodesTest {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private final Rig rig = new Rig();
    private final FakeHost host = rig.host;
    private final PaperCluster cluster = new PaperCluster();
    private final AtomicLong seconds = new AtomicLong();
    private final Patience patience = new Patience(() -> Instant.ofEpochSecond(seconds.get()), this::pass,
            Duration.ofSeconds(2), Duration.ofMinutes(5), Duration.ofMinutes(3));
    private final Maker maker = new Maker(patience);

    @BeforeEach
    void nodes() {
        node("gpu-1", "false");
        node("gpu-2", "false");
        pod("web", "gpu-1");
        pod("shop", "gpu-2");
    }

    private void node(String name, String closed) {
        cluster.with(ObjectType.NODE, "{metadata: {name: " + name + "}, spec: {unschedulable: " + closed + "}, status: {conditions:"
                + " [{type: Ready, status: 'True'}], nodeInfo: {bootID: boot-1}}}");
    }

    private void pod(String name, String node) {
        cluster.with(ObjectType.POD, "{metadata: {name: " + name + ", namespace: shop, ownerReferences: [{kind: ReplicaSet, name: "
                + name + ", controller: true}]}, spec: {nodeName: " + node + "}}");
    }

    /** A kubelet reports its boot a while after the machine is up. */
    private void pass(Duration time) {
        seconds.addAndGet(Math.max(1, time.toSeconds()));
        if (host.vmOn) {
            booted("gpu-1", "boot-" + host.vmStarts);
        }
    }

    private void booted(String name, String boot) {
        for (JsonNode node : List.copyOf(cluster.objects.get(ObjectType.NODE))) {
            if (node.at("/metadata/name").asText().equals(name)) {
                ((ObjectNode) node.at("/status/nodeInfo")).put("bootID", boot);
            }
        }
    }

    private boolean takesPods(String name) throws Exception {
        return !cluster.get(ObjectRef.of(ObjectType.NODE, name)).orElseThrow().at("/spec/unschedulable").asBoolean(false);
    }

    private Emptying.Node node(String name, Comes comes) {
        return new Emptying.Node(new NodeDrain(drain(name), cluster, patience), comes);
    }

    private static Drain drain(String name) {
        return new Drain("paper", name, List.of(), Drain.Whom.UNHARMED, LIMIT);
    }

    private Outcome cycle() throws Exception {
        VmPowerCycle change = new VmPowerCycle(FakeHost.NAME, FakeHost.VM, "worker",
                Optional.of(new NodeDown("gpu-1", FakeHost.VM, Optional.of(drain("gpu-1")), List.of())), Duration.ofMinutes(3),
                Duration.ofMinutes(5));
        VmPowerCycleMaking making = new VmPowerCycleMaking(change, host.proxmox,
                new Emptying(List.of(node("gpu-1", Comes.WITH_MACHINE))), patience);
        return maker.bring(making, making.mark());
    }

    private List<String> pods() {
        return cluster.objects.get(ObjectType.POD).stream().map(p -> p.at("/metadata/name").asText()).toList();
    }

    @Test
    void aVmIsPowerCycledWhenThePodsOfItsNodeHaveLeftAndTakesPodsAgain() throws Exception {
        assertThat(cycle()).isInstanceOf(Outcome.Made.class);

        assertThat(pods()).containsExactly("shop");
        assertThat(host.vmStarts).isEqualTo(2);
        assertThat(takesPods("gpu-1")).isTrue();
    }

    @Test
    void aPodThatMayNotLeaveStopsItBeforeThePowerAndTheNodeTakesPodsAsBefore() throws Exception {
        cluster.held = Optional.of("Cannot evict pod as it would violate the pod's disruption budget.");

        assertThat(cycle()).isInstanceOfSatisfying(Outcome.Failed.class, failed -> assertThat(failed.what())
                .contains("shop/web has not left within 10 min", "disruption budget", "Nothing was cut off")
                .contains("gpu-1 takes pods again as before"));

        assertThat(host.commands).noneMatch(c -> c.contains("shutdown"));
        assertThat(host.vmStarts).isEqualTo(1);
        assertThat(takesPods("gpu-1")).isTrue();
    }

    @Test
    void aNodeThatTookNoPodsBeforeTakesNoneAfterwards() throws Exception {
        cluster.objects.get(ObjectType.NODE).clear();
        node("gpu-1", "true");

        assertThat(cycle()).isInstanceOf(Outcome.Made.class);

        assertThat(takesPods("gpu-1")).isFalse();
    }

    @Test
    void allNodesOfAHostAreClosedBeforeTheFirstPodLeavesAndOnlyThoseThatStartWithItAreWaitedFor() throws Exception {
        HostReboot change = new HostReboot(FakeHost.NAME, List.of(new HostReboot.Guest(FakeHost.VM, "worker", true)),
                Duration.ofMinutes(2), Duration.ofMinutes(15));
        HostRebootMaking reboot = new HostRebootMaking(change, new HostWays(FakeHost.NAME, rig.systems(), patience),
                new Emptying(List.of(node("gpu-1", Comes.WITH_MACHINE), node("gpu-2", Comes.LATER))), patience);

        assertThat(maker.bring(reboot, reboot.mark())).isInstanceOf(Outcome.Made.class);

        assertThat(cluster.asked).filteredOn(a -> a.startsWith("patch") || a.startsWith("evict")).containsExactly(
                "patch gpu-1", "patch gpu-2", "evict web", "evict shop", "patch gpu-1", "patch gpu-2");
        assertThat(host.boots).isEqualTo(2);
        assertThat(takesPods("gpu-1") && takesPods("gpu-2")).isTrue();
    }
}
