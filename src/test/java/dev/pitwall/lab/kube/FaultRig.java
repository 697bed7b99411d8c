package dev.pitwall.lab.kube;

import dev.pitwall.lab.LabContext;
import dev.pitwall.lab.LabServer;
import dev.pitwall.lab.fault.FaultBoard;
import dev.pitwall.lab.fault.LabPicture;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.net.LabAuthority;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.ssh.kernel.BootSequence;
import dev.pitwall.lab.ssh.kernel.NvidiaModuleLoad;
import dev.pitwall.lab.talos.TalosServers;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** A whole cluster of a scene and the machines below it, whose time goes as fast as the test lets it. */
final class FaultRig implements AutoCloseable {
    private static final Instant PRESENT = Instant.parse("2026-09-01T08:00:00Z");

    final World world;
    final FaultBoard board;
    final RunningCluster cluster;
    /** The first node with a card. */
    final String node;
    private final ResourceCatalog catalog = ResourceCatalog.load();
    private final LabHttp http = new LabHttp();
    private final LabServer talos;
    private final LabPicture picture;
    private Instant now = PRESENT;

    /** @param starts faults to begin with */
    FaultRig(String scene, Path dir, List<String> starts) throws Exception {
        world = new World(new LabClock(() -> now), 1);
        SceneWorld.fill(world, new SceneFile().bundled(scene));
        world.change(FaultRig::small);
        node = world.read(w -> w.nodes.values().stream().filter(each -> !each.cards.isEmpty()).map(each -> each.name)
                .findFirst().orElseThrow());
        board = new FaultBoard(world);
        world.bootSteps.add(new BootSequence(new NvidiaModuleLoad()));
        LabAuthority authority = new LabAuthority(InstantSource.system());
        talos = TalosServers.start(new LabContext(world, authority, http, dir, InstantSource.system(), Duration.ZERO));
        cluster = new RunningCluster(world, catalog, new ProcessSockets(), authority.caPem(), 16_384,
                new RunningCluster.Faults(board, starts));
        picture = new LabPicture(world, cluster.store(), catalog);
        // Builds come and go all the time and have no part in any fault.
        hand().change(new ObjectKey(Resource.DEPLOYMENTS, "tekton-pipelines", "tekton-pipelines-controller"),
                object -> object.withObjectProperty("spec").put("replicas", 0));
    }

    /** As many nodes as faults need, and no pods that come and go by themselves. */
    private static void small(World world) {
        world.pods = 0;
        world.podChangesPerSecond = 0;
        List<String> masters = world.nodes.values().stream().filter(node -> node.role.equals("master") && node.cards.isEmpty())
                .map(node -> node.name).skip(1).toList();
        List<String> workers = world.nodes.values().stream().filter(node -> node.role.equals("worker") && node.cards.isEmpty())
                .map(node -> node.name).skip(3).toList();
        world.nodes.keySet().removeAll(masters);
        world.nodes.keySet().removeAll(workers);
    }

    void live(Duration time) {
        Instant from = now;
        now = now.plus(time);
        cluster.live(from);
    }

    Instant now() {
        return now;
    }

    /** An administrator's. */
    ClusterHand hand() {
        return new ClusterHand(cluster.store(), cluster.gate().inside(), "system:admin");
    }

    List<String> picture() {
        return picture.draw();
    }

    @Override
    public void close() {
        cluster.close();
        talos.close();
        http.close();
    }
}
