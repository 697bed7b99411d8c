package dev.pitwall.lab.ssh;

import dev.pitwall.lab.life.LabLife;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.keyverifier.AcceptAllServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.keyprovider.FileKeyPairProvider;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The garage's machines, five hundred times as fast, and an SSH client for them. */
final class SshLab implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(60);
    /** Lab seconds a real one. */
    static final double SPEED = 500;

    /** What a command said. */
    record Answer(int status, String out, String err) {
    }

    private final World world;
    private final SshServers servers;
    private final LabLife life;
    private final Path dir;
    private final SshClient client = quickClient();
    /** One a machine; a machine that goes down ends it. */
    private final Map<String, ClientSession> sessions = new HashMap<>();

    SshLab(Path dir) throws Exception {
        this(dir, Optional.empty());
    }

    /** A lab whose machines were left another way than the garage's before it started. */
    static SshLab of(Path dir, Consumer<World> before) throws Exception {
        return new SshLab(dir, Optional.of(before));
    }

    private SshLab(Path dir, Optional<Consumer<World>> before) throws Exception {
        Files.createDirectories(dir);
        this.dir = dir;
        LabClock clock = new LabClock(InstantSource.system());
        clock.speed(SPEED);
        world = new World(clock, 1);
        SceneWorld.fill(world, new SceneFile().bundled("garage"));
        before.ifPresent(world::change);
        servers = new SshServers(world, dir, "secret", Optional.of("jump"));
        life = LabLife.start(world, () -> { });
        client.setServerKeyVerifier(AcceptAllServerKeyVerifier.INSTANCE);
        client.start();
    }

    /** The key of NTRU Prime, the library's first choice, takes a hundred milliseconds of processor time to make in Java. */
    static SshClient quickClient() {
        SshClient client = SshClient.setUpDefaultClient();
        client.setKeyExchangeFactories(client.getKeyExchangeFactories().stream()
                .filter(factory -> factory.getName().startsWith("curve25519")).toList());
        return client;
    }

    World world() {
        return world;
    }

    SshServers servers() {
        return servers;
    }

    int port(String machine) {
        return servers.entries().stream().filter(e -> e.name().equals(machine)).findFirst().orElseThrow().port();
    }

    ClientSession connect(String machine) throws Exception {
        ClientSession session = client.connect("root", "127.0.0.1", port(machine)).verify(LONG).getSession();
        session.addPublicKeyIdentity(new FileKeyPairProvider(dir.resolve("id_ed25519")).loadKeys(null).iterator().next());
        session.auth().verify(LONG);
        return session;
    }

    Answer exec(String machine, String command) throws Exception {
        ClientSession session = sessions.get(machine);
        if (session == null || !session.isOpen()) {
            session = connect(machine);
            sessions.put(machine, session);
        }
        return exec(session, command);
    }

    static Answer exec(ClientSession session, String command) throws Exception {
        try (var channel = session.createExecChannel(command)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            channel.setOut(out);
            channel.setErr(err);
            channel.open().verify(LONG);
            channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), LONG);
            Integer status = channel.getExitStatus();
            return new Answer(status == null ? -1 : status, out.toString(StandardCharsets.UTF_8),
                    err.toString(StandardCharsets.UTF_8));
        }
    }

    /** Reboots a machine and waits until it answers with another boot. */
    void reboot(String machine) throws Exception {
        String before = exec(machine, "cat /proc/sys/kernel/random/boot_id").out();
        exec(machine, "reboot");
        org.awaitility.Awaitility.await().pollInterval(Duration.ofMillis(20)).ignoreExceptions().until(() -> {
            // The machine need not wait for the lab's next step to do what is due.
            world.change(w -> w.runDue(w.clock().instant()));
            String now = exec(machine, "cat /proc/sys/kernel/random/boot_id").out();
            return !now.isEmpty() && !now.equals(before);
        });
    }

    @Override
    public void close() {
        client.stop();
        life.close();
        servers.close();
    }
}
