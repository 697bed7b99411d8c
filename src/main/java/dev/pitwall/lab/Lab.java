package dev.pitwall.lab;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.lab.fault.FaultBoard;
import dev.pitwall.lab.life.LabLife;
import dev.pitwall.lab.net.LabAuthority;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.scene.Fleet;
import dev.pitwall.lab.scene.Scene;
import dev.pitwall.lab.scene.SceneException;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneIndex;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A running practice lab: a world, the servers that answer from it, and the files a client needs to find them. */
public final class Lab implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lab.class);

    private final World world;
    private final LabAuthority authority;
    private final LabHttp http;
    private final Path dir;
    private final LabFolder folder;
    private final FaultBoard faults;
    private final List<LabServer> servers = new ArrayList<>();
    private LabLife life;
    private boolean closed;

    private Lab(World world, LabAuthority authority, LabHttp http, Path dir, LabFolder folder) {
        this.world = world;
        this.authority = authority;
        this.http = http;
        this.dir = dir;
        this.folder = folder;
        this.faults = new FaultBoard(world);
    }

    /**
     * Starts a lab; every endpoint answers when this returns.
     *
     * @throws TroubleException if the scene, a fault or the folder cannot be used
     */
    public static Lab start(LabOptions options) throws TroubleException {
        Scene scene = scene(options);
        World world = new World(clock(options), options.seed());
        SceneWorld.fill(world, scene);
        LabFolder folder = LabFolder.take(options.dir());
        Lab lab = new Lab(world, new LabAuthority(options.time()), new LabHttp(), options.dir(), folder);
        try {
            lab.open(options);
            return lab;
        } catch (IOException | UncheckedIOException e) {
            lab.close();
            LOG.debug("practice lab did not start", e);
            throw new TroubleException(new Trouble(Trouble.Kind.REMOTE, "practice lab in " + options.dir(),
                    "it could not start: " + cause(e), "Free a port or disk space, then start it again."), e);
        } catch (TroubleException | RuntimeException e) {
            lab.close();
            throw e;
        }
    }

    /** The faults that a lab of these options could have; starts nothing. */
    public static List<FaultBoard.Known> faultsOf(LabOptions options) throws TroubleException {
        World world = new World(clock(options), options.seed());
        SceneWorld.fill(world, scene(options));
        return new FaultBoard(world).possible();
    }

    /** True if a lab runs in this folder now, of this process or another; a second one is refused there. */
    public static boolean isRunningIn(Path dir) {
        return LabFolder.isTaken(dir);
    }

    /** The lab's state; every server answers from it. */
    public World world() {
        return world;
    }

    public LabAuthority authority() {
        return authority;
    }

    /** Every address of the lab, in the order the servers started. */
    public List<LabEndpoint> endpoints() {
        return servers.stream().flatMap(server -> server.endpoints().stream()).toList();
    }

    /** Every user with a password, of the Proxmox API and of the machines. */
    public List<LabLogin> logins() {
        List<LabLogin> logins = new ArrayList<>(world.<List<LabLogin>>read(w -> w.users.values().stream()
                .map(user -> new LabLogin("proxmox", user.id(), user.password(), user.totp())).toList()));
        logins.add(new LabLogin("ssh", "root", world.<String>read(w -> w.shellPassword), Optional.empty()));
        return List.copyOf(logins);
    }

    /** The file that describes this lab as a site. */
    public Path siteFile() {
        return dir.resolve("site.json");
    }

    /** The file {@code kubectl} takes; its server writes it. */
    public Path kubeconfig() {
        return dir.resolve("kubeconfig");
    }

    public Path dir() {
        return dir;
    }

    /** Connections that clients hold open now, by server; those of all SSH servers together are {@code ssh}. */
    public Map<String, Integer> connections() {
        Map<String, Integer> open = new LinkedHashMap<>(http.connections());
        open.put("ssh", servers.stream().mapToInt(LabServer::sessions).sum());
        return open;
    }

    /** The faults that can be switched on as the lab is now. */
    public List<FaultBoard.Known> possibleFaults() {
        return faults.possible();
    }

    /**
     * Switches a fault on.
     *
     * @param card its id; empty for the first that fits
     * @throws TroubleException if there is no such fault or card, or the scene cannot express it
     */
    public void switchOn(String trap, Optional<String> card) throws TroubleException {
        faults.on(trap, card);
    }

    /**
     * Switches a fault off on every card. What it changed is as before when this returns; what followed from it in the
     * cluster comes back by itself, as the cluster's own controllers bring it.
     */
    public void switchOff(String trap) {
        faults.off(trap);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (life != null) {
            life.close();
        }
        servers.reversed().forEach(LabServer::close);
        http.close();
        folder.close();
    }

    private void open(LabOptions options) throws IOException, TroubleException {
        LabContext context = new LabContext(world, authority, http, dir, options.time(), options.loginPenalty(),
                faults, options.faults());
        for (LabServer.Starter starter : LabServers.all()) {
            servers.add(starter.start(context));
        }
        PrivateFile.write(dir.resolve("ca.pem"), authority.caPem().getBytes(StandardCharsets.UTF_8));
        LabSite site = new LabSite("lab " + world.scene);
        servers.forEach(server -> server.describe(site));
        site.write(dir);
        life = LabLife.start(world, faults::settle);
    }

    private static LabClock clock(LabOptions options) throws TroubleException {
        LabClock clock = new LabClock(options.time());
        try {
            clock.speed(options.speed());
            return clock;
        } catch (IllegalArgumentException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, "practice lab", e.getMessage(),
                    "Choose another speed."), e);
        }
    }

    private static Scene scene(LabOptions options) throws TroubleException {
        try {
            Scene scene = options.scene().equals("fleet") ? Fleet.scene(options.fleet(), options.seed())
                    : new SceneFile().bundled(options.scene());
            return switch (options.ground()) {
                case AS_IT_IS -> scene;
                case BARE -> scene.bare();
            };
        } catch (SceneException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, "practice lab", e.getMessage(),
                    options.scene().equals("fleet") ? "Choose other numbers."
                    : "Choose one of: " + new SceneIndex().available() + "."), e);
        }
    }

    private static String cause(Exception error) {
        Throwable cause = error instanceof UncheckedIOException wrapped ? wrapped : error;
        return cause.getMessage() == null ? "the system gave no reason" : cause.getMessage();
    }
}
