package dev.pitwall.lab.kube;

import dev.pitwall.lab.LabContext;
import dev.pitwall.lab.net.LabAuthority;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.scene.Fleet;
import dev.pitwall.lab.scene.Scene;
import dev.pitwall.lab.scene.SceneException;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.LabFault;
import dev.pitwall.lab.world.World;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** A lab with nothing but a cluster, for tests and for trying it by hand. */
public final class KubeLab implements AutoCloseable {
    public final World world;
    public final ProcessSockets sockets = new ProcessSockets();
    public final KubeServer server;
    public final Path kubeconfig;
    private final LabHttp http = new LabHttp();

    private KubeLab(Scene scene, Path dir, double speed, int window) throws IOException {
        LabClock clock = new LabClock(InstantSource.system());
        clock.speed(speed);
        world = new World(clock, 1);
        SceneWorld.fill(world, scene);
        LabAuthority authority = new LabAuthority(InstantSource.system());
        server = KubeServer.start(new LabContext(world, authority, http, dir, InstantSource.system(),
                Duration.ZERO), sockets, window);
        kubeconfig = dir.resolve("kubeconfig");
    }

    public static KubeLab garage(Path dir) throws IOException, SceneException {
        return garage(dir, 4096);
    }

    static KubeLab garage(Path dir, int window) throws IOException, SceneException {
        return new KubeLab(new SceneFile().bundled("garage"), dir, 1, window);
    }

    static KubeLab scene(Path dir, String name) throws IOException, SceneException {
        return new KubeLab(new SceneFile().bundled(name), dir, 1, 4096);
    }

    public static KubeLab fast(Path dir, double speed) throws IOException, SceneException {
        return new KubeLab(new SceneFile().bundled("garage"), dir, speed, 4096);
    }

    static KubeLab fleet(Path dir, Fleet.Size size) throws IOException, SceneException {
        return new KubeLab(Fleet.scene(size, 1), dir, 1, 4096);
    }

    void fault(String trap) {
        world.change(w -> w.faults.add(new LabFault(trap, Optional.empty(), w.clock().instant())));
    }

    void fault(String trap, String card) {
        world.change(w -> w.faults.add(new LabFault(trap, Optional.of(card), w.clock().instant())));
    }

    void heal(String trap) {
        world.change(w -> w.faults.removeIf(fault -> fault.trap().equals(trap)));
    }

    @Override
    public void close() {
        server.close();
        http.close();
    }

    /** Serves a scene: {@code KubeLab DIR garage|fleet}. Lines on standard input: {@code on TRAP}, {@code off TRAP}, {@code speed N}. */
    public static void main(String[] arguments) throws Exception {
        Path dir = Path.of(arguments[0]);
        KubeLab lab = arguments[1].equals("fleet") ? fleet(dir, new Fleet.Size(16, 64, 200, 5000)) : garage(dir);
        System.out.println(lab.server.endpoints());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "on" -> lab.fault(words[1]);
                case "off" -> lab.heal(words[1]);
                case "speed" -> lab.world.clock().speed(Double.parseDouble(words[1]));
                default -> System.out.println("?");
            }
        }
        lab.close();
    }
}
