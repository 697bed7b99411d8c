package dev.pitwall.lab.kube;

import dev.pitwall.card.TroubleException;
import dev.pitwall.lab.LabContext;
import dev.pitwall.lab.fault.FaultBoard;
import dev.pitwall.lab.net.LabAuthority;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.scene.Fleet;
import dev.pitwall.lab.scene.Scene;
import dev.pitwall.lab.scene.SceneException;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** A lab with nothing but a cluster, for tests and for trying it by hand. */
public final class KubeLab implements AutoCloseable {
    public final World world;
    public final ProcessSockets sockets = new ProcessSockets();
    public final KubeServer server;
    public final Path kubeconfig;
    private final FaultBoard board;
    private final LabHttp http = new LabHttp();

    private KubeLab(Scene scene, Path dir, double speed, int window) throws IOException, TroubleException {
        LabClock clock = new LabClock(InstantSource.system());
        clock.speed(speed);
        world = new World(clock, 1);
        SceneWorld.fill(world, scene);
        LabAuthority authority = new LabAuthority(InstantSource.system());
        board = new FaultBoard(world);
        server = KubeServer.start(new LabContext(world, authority, http, dir, InstantSource.system(),
                Duration.ZERO, board, List.of()), sockets, window);
        kubeconfig = dir.resolve("kubeconfig");
    }

    public static KubeLab garage(Path dir) throws IOException, SceneException, TroubleException {
        return garage(dir, 4096);
    }

    static KubeLab garage(Path dir, int window) throws IOException, SceneException, TroubleException {
        return new KubeLab(new SceneFile().bundled("garage"), dir, 1, window);
    }

    static KubeLab scene(Path dir, String name) throws IOException, SceneException, TroubleException {
        return new KubeLab(new SceneFile().bundled(name), dir, 1, 4096);
    }

    static KubeLab scene(Path dir, String name, double speed) throws IOException, SceneException, TroubleException {
        return new KubeLab(new SceneFile().bundled(name), dir, speed, 4096);
    }

    public static KubeLab fast(Path dir, double speed) throws IOException, SceneException, TroubleException {
        return new KubeLab(new SceneFile().bundled("garage"), dir, speed, 4096);
    }

    static KubeLab fleet(Path dir, Fleet.Size size) throws IOException, SceneException, TroubleException {
        return new KubeLab(Fleet.scene(size, 1), dir, 1, 4096);
    }

    @Override
    public void close() {
        server.close();
        http.close();
    }
}
