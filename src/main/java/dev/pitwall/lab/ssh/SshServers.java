package dev.pitwall.lab.ssh;

import dev.pitwall.lab.LabContext;
import dev.pitwall.lab.LabEndpoint;
import dev.pitwall.lab.LabServer;
import dev.pitwall.lab.LabSite;
import dev.pitwall.lab.PrivateFile;
import dev.pitwall.lab.net.ListenerSwitch;
import dev.pitwall.lab.ssh.command.LabCommands;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.world.BootStep;
import dev.pitwall.lab.world.HostApi;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.Power;
import dev.pitwall.lab.world.World;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.io.IoAcceptor;
import org.apache.sshd.common.session.SessionContext;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.ServerBuilder;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.forward.ForwardingFilter;
import org.apache.sshd.server.forward.RejectAllForwardingFilter;
import org.apache.sshd.server.session.AbstractServerSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sshd.common.file.FileSystemFactory;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;

/**
 * The SSH side of the lab: every Proxmox host, every node that has or is to have a card, every bare-metal machine, and
 * a jump host where one is wanted. Each machine has a loopback port and a host key of its own; one server and a few
 * threads serve them all. Only {@code root} can sign in, with the lab's key or password. A machine that is silent, or
 * whose VM does not run, refuses connections, and answers on the same port later.
 */
public final class SshServers implements LabServer {
    private static final Logger LOG = LoggerFactory.getLogger(SshServers.class);
    private static final String USER = "root";
    private static final String JUMP_HOST = "jump";
    /** What Debian 12's OpenSSH says of itself. */
    private static final String VERSION = "OpenSSH_9.2p1 Debian-2+deb12u7";

    /** MINA's server, with its acceptor in reach: one acceptor serves the ports of all machines. */
    private static final class ManyPorts extends SshServer {
        IoAcceptor ports() {
            return acceptor;
        }
    }

    private final World world;
    private final Optional<String> jumpHost;
    private final LabKeys keys;
    private final KeyPair labKey;
    private final Commands commands = LabCommands.all();
    private final ManyPorts sshd = new ManyPorts();
    private final Map<String, Machine> known = new LinkedHashMap<>();
    private final Map<String, ServedMachine> machines = new LinkedHashMap<>();
    private final BootStep boots = Machine.boots();
    private final ListenerSwitch power;
    private boolean closed;

    /**
     * Starts serving.
     *
     * @param folder   where the keys are kept
     * @param password root's password on every machine
     * @param jumpHost name of a machine that only forwards; empty for none
     * @throws UncheckedIOException if a port or a key cannot be had
     */
    public SshServers(World world, Path folder, String password, Optional<String> jumpHost) {
        this.world = world;
        this.power = new ListenerSwitch(world);
        this.jumpHost = jumpHost;
        this.keys = new LabKeys(folder);
        this.labKey = keys.labKey();
        ServerBuilder.builder().factory(() -> sshd).build();
        configure(password);
        try {
            sshd.start();
            sshd.ports().unbind();
            LabTexts texts = new LabTexts();
            for (String name : all()) {
                known.put(name, new Machine(name, world, texts));
            }
            for (String name : served()) {
                machines.put(name, new ServedMachine(known.get(name), keys.hostKey(name),
                        new SshPort(sshd.ports())));
            }
            world.bootSteps.add(boots);
        } catch (IOException e) {
            throw new UncheckedIOException("the lab's SSH servers could not start", e);
        }
        machines.forEach((name, m) -> power.add("ssh " + name, w -> Power.isOn(w, name), on -> turn(m, on)));
        power.start();
    }

    /**
     * Starts serving a lab's machines, with {@code ssh_config} and {@code known_hosts} in its folder.
     *
     * @throws UncheckedIOException if a port or a file cannot be had
     */
    public static SshServers start(LabContext context) {
        SshServers servers = new SshServers(context.world(), context.dir(),
                context.world().<String>read(world -> world.shellPassword), Optional.of(JUMP_HOST));
        try {
            Path knownHosts = context.dir().resolve("known_hosts");
            PrivateFile.write(knownHosts, servers.knownHosts().getBytes(StandardCharsets.UTF_8));
            PrivateFile.write(context.dir().resolve("ssh_config"),
                    servers.sshConfig(knownHosts).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            servers.close();
            throw new UncheckedIOException("the lab's ssh_config could not be written", e);
        }
        return servers;
    }

    @Override
    public void describe(LabSite site) {
        for (SshEntry e : entries()) {
            String role = switch (e.kind()) {
                case PROXMOX_HOST -> "proxmox-host";
                case GUEST, METAL_NODE -> "node";
                case JUMP -> "jump";
            };
            site.ssh(e.name(), role, e.port(), e.user(), e.keyFile().getFileName().toString(), e.hostKey());
        }
    }

    /** The commands of all machines; what is added is there at once. */
    public Commands commands() {
        return commands;
    }

    /** Gives the hosts' own programs, such as {@code qm}, the API that they call. */
    public void connect(HostApi api) {
        known.values().forEach(machine -> machine.connect(api));
    }

    /** A machine by name, as its commands see it. */
    public Optional<Machine> machine(String name) {
        return Optional.ofNullable(known.get(name));
    }

    /** How each machine is reached, in a fixed order: hosts, nodes, jump host. */
    public List<SshEntry> entries() {
        return machines.values().stream().map(m -> new SshEntry(m.machine().name(), m.machine().state().kind(),
                "127.0.0.1", m.port().number(), USER, LabKeys.fingerprint(m.hostKey().getPublic()),
                keys.labKeyFile().toAbsolutePath())).toList();
    }

    @Override
    public List<LabEndpoint> endpoints() {
        return entries().stream().map(e -> new LabEndpoint("ssh", e.name(),
                URI.create("ssh://" + e.user() + "@" + e.host() + ":" + e.port()))).toList();
    }

    /** Text for {@code ssh -F}: an alias for each machine, its key pinned by the known_hosts file beside it. */
    public String sshConfig(Path knownHosts) {
        StringBuilder out = new StringBuilder();
        for (SshEntry e : entries()) {
            out.append("Host ").append(e.name()).append("\n  HostName ").append(e.host()).append("\n  Port ")
                    .append(e.port()).append("\n  User ").append(e.user()).append("\n  IdentityFile ")
                    .append(quoted(e.keyFile())).append("\n  IdentitiesOnly yes\n  HostKeyAlias ").append(e.name())
                    .append("\n  UserKnownHostsFile ").append(quoted(knownHosts.toAbsolutePath()))
                    .append("\n  StrictHostKeyChecking yes\n\n");
        }
        return out.toString();
    }

    private static String quoted(Path path) {
        return "\"" + path + "\"";
    }

    /** Lines for a known_hosts file, by the aliases of {@link #sshConfig}. */
    public String knownHosts() {
        StringBuilder out = new StringBuilder();
        machines.forEach((name, m) -> out.append(name).append(' ')
                .append(org.apache.sshd.common.config.keys.PublicKeyEntry.toString(m.hostKey().getPublic())).append('\n'));
        return out.toString();
    }

    private void configure(String password) {
        sshd.setHost("127.0.0.1");
        sshd.setPort(0);
        sshd.setNioWorkers(2);
        CoreModuleProperties.SERVER_IDENTIFICATION.set(sshd, VERSION);
        sshd.setKeyPairProvider(session -> List.of(served(session).hostKey()));
        sshd.setPublickeyAuthenticator((user, key, session) -> user.equals(USER)
                && KeyUtils.compareKeys(key, labKey.getPublic()));
        sshd.setPasswordAuthenticator((user, given, session) -> user.equals(USER) && given.equals(password));
        sshd.setCommandFactory((channel, line) ->
                new MachineSession(served(channel.getSession()).machine(), commands, Optional.of(line)));
        sshd.setShellFactory(channel ->
                new MachineSession(served(channel.getSession()).machine(), commands, Optional.empty()));
        sshd.setSubsystemFactories(List.of(new SftpSubsystemFactory.Builder()
                .withFileSystemAccessor(new SftpAccess()).build()));
        sshd.setFileSystemFactory(new FileSystemFactory() {
            @Override
            public Path getUserHomeDir(SessionContext session) {
                return null;
            }

            @Override
            public FileSystem createFileSystem(SessionContext session) {
                return new MachineFileSystem(served(session).machine().files());
            }
        });
        sshd.setForwardingFilter(forwarding());
    }

    /** A machine forwards to other sockets of the lab, never anywhere else. */
    private static ForwardingFilter forwarding() {
        ForwardingFilter none = RejectAllForwardingFilter.INSTANCE;
        return ForwardingFilter.asForwardingFilter(none, none,
                new org.apache.sshd.server.forward.TcpForwardingFilter() {
                    @Override
                    public boolean canListen(SshdSocketAddress address,
                                             org.apache.sshd.common.session.Session session) {
                        return false;
                    }

                    @Override
                    public boolean canConnect(Type type, SshdSocketAddress address,
                                              org.apache.sshd.common.session.Session session) {
                        return SshdSocketAddress.isLoopback(address.getHostName());
                    }
                });
    }

    private ServedMachine served(SessionContext session) {
        InetSocketAddress local = (InetSocketAddress) ((AbstractServerSession) session).getIoSession().getLocalAddress();
        return machines.values().stream().filter(m -> m.port().number() == local.getPort()).findFirst()
                .orElseThrow(() -> new IllegalStateException("no machine on port " + local.getPort()));
    }

    /** Every machine with a shell; Talos has none (facts: proxmox.md 1.13). */
    private List<String> all() {
        List<String> names = world.read(w -> {
            List<String> all = new ArrayList<>(w.hosts.keySet());
            w.nodes.values().stream().filter(n -> !all.contains(n.name) && n.talos.isEmpty())
                    .forEach(n -> all.add(n.name));
            return all;
        });
        jumpHost.ifPresent(names::add);
        return names;
    }

    /** Machines with an SSH server: hosts, then nodes that are bare metal, have a card in their VM, or are to have one. */
    private List<String> served() {
        List<String> names = world.read(w -> {
            List<String> all = new ArrayList<>(w.hosts.keySet());
            w.nodes.values().stream().filter(n -> !all.contains(n.name) && known.containsKey(n.name))
                    .filter(n -> n.shell || !n.cards.isEmpty() || n.vmid == 0 || passesCard(w.vms.get(n.vmid)))
                    .forEach(n -> all.add(n.name));
            return all;
        });
        jumpHost.ifPresent(names::add);
        return names;
    }

    private static boolean passesCard(LabVm vm) {
        return vm != null && vm.config.keySet().stream().anyMatch(k -> k.startsWith("hostpci"));
    }

    private void turn(ServedMachine m, boolean on) {
        try {
            if (on) {
                m.port().answer();
            } else {
                m.port().silence();
                dropSessions(m);
            }
        } catch (IOException e) {
            LOG.warn("the SSH port of lab machine {} could not change: {}", m.machine().name(), e.getMessage());
        }
    }

    private void dropSessions(ServedMachine m) {
        sshd.getActiveSessions().stream()
                .filter(s -> ((InetSocketAddress) s.getIoSession().getLocalAddress()).getPort() == m.port().number())
                .forEach(s -> s.close(true));
    }

    @Override
    public int sessions() {
        return sshd.getActiveSessions().size();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        world.bootSteps.remove(boots);
        power.close();
        try {
            sshd.stop(true);
            for (ServedMachine m : machines.values()) {
                m.port().release();
            }
        } catch (IOException e) {
            LOG.warn("the lab's SSH servers did not stop cleanly: {}", e.getMessage());
        }
    }
}
