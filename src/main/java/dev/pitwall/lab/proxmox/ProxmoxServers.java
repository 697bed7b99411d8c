package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.LabContext;
import dev.pitwall.lab.LabEndpoint;
import dev.pitwall.lab.LabServer;
import dev.pitwall.lab.LabSite;
import dev.pitwall.lab.net.LabAuthority;
import dev.pitwall.lab.net.ListenerSwitch;
import dev.pitwall.lab.world.HostApi;
import dev.pitwall.lab.world.LabSystem;
import dev.pitwall.lab.world.LabToken;
import dev.pitwall.lab.world.Power;
import dev.pitwall.lab.world.World;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The Proxmox API of every Proxmox host, each on its own port with its own certificate; together one cluster. */
public final class ProxmoxServers implements LabServer {
    /** pveproxy's own limit. [facts: proxmox.md 1.1] */
    private static final Duration IDLE = Duration.ofSeconds(5);

    private final LabContext lab;
    private final Map<String, LabEndpoint> endpoints = new LinkedHashMap<>();
    /** A host that falls silent refuses connections; when it speaks again it has the port it had. */
    private final ListenerSwitch ports;

    private HostApi local;
    private final Datacenter datacenter;

    private ProxmoxServers(LabContext lab) {
        this.lab = lab;
        this.datacenter = Datacenter.open(lab.world());
        this.ports = new ListenerSwitch(lab.world());
    }

    /** Starts them; a world without Proxmox hosts has none. */
    public static ProxmoxServers start(LabContext lab) throws IOException {
        ProxmoxServers servers = new ProxmoxServers(lab);
        servers.open();
        servers.ports.start();
        return servers;
    }

    /** What the hosts do, for whoever asks by another way than the API: {@code qm} in a shell, the guests' own side. */
    public Datacenter datacenter() {
        return datacenter;
    }

    /** The API for programs on the hosts themselves. */
    public HostApi localApi() {
        return local;
    }

    @Override
    public List<LabEndpoint> endpoints() {
        return List.copyOf(endpoints.values());
    }

    /** With the scene's first token, so that the site works without a question. */
    @Override
    public void describe(LabSite site) {
        Optional<LabToken> token = lab.world().read(w -> w.tokens.values().stream().findFirst());
        token.ifPresent(t -> endpoints.forEach((name, endpoint) -> site.proxmox(name, endpoint.uri(), t.id(),
                t.secret(), lab.authority().fingerprint(name))));
    }

    @Override
    public void close() {
        datacenter.close();
        ports.close();
        endpoints.keySet().forEach(name -> lab.http().remove(listener(name)));
        endpoints.clear();
    }

    private void open() throws IOException {
        World world = lab.world();
        Rights rights = datacenter.rights();
        Doorman doorman = new Doorman(world, new Tickets(lab.time()), lab.time());
        RouteTable routes = datacenter.routes();
        addAll(world, lab.authority(), datacenter, routes, doorman);
        PveApi api = new PveApi(world, routes, doorman, rights, lab.loginPenalty());
        local = new LocalApi(api, datacenter.nodes());
        Map<String, String> hosts = new LinkedHashMap<>();
        world.read(w -> w.hosts.values().stream().filter(host -> host.proxmox).toList())
                .forEach(host -> hosts.put(host.name, host.address));
        hosts.forEach((name, address) -> {
            var tls = lab.authority().serverContext(name, List.of(name, name + ".lan", address));
            InetSocketAddress socket = lab.http().listen(listener(name), 0, Optional.of(tls), Optional.of(IDLE),
                    new PveListener(name, api, lab.loginPenalty()));
            endpoints.put(name, new LabEndpoint("proxmox", name, URI.create("https://127.0.0.1:" + socket.getPort())));
            ports.add(lab.http(), listener(name), w -> Power.isOn(w, name) && isServed(w, name));
        });
    }

    /** Every method there is, one group of calls after the other. */
    static void addAll(World world, LabAuthority authority, Datacenter datacenter, RouteTable routes, Doorman doorman) {
        Rights rights = datacenter.rights();
        new AccessCalls(world, doorman, rights).addTo(routes);
        new AclCalls(world, rights).addTo(routes);
        new ClusterCalls(world, authority, rights).addTo(routes);
        new MappingCalls(world, datacenter).addTo(routes);
        new HaCalls(world).addTo(routes);
        new BackupCalls(world, datacenter).addTo(routes);
        new StorageCalls(world, rights).addTo(routes);
        new NodeCalls(world, authority).addTo(routes);
        new TaskCalls(world, datacenter).addTo(routes);
        new VmCalls(world, datacenter).addTo(routes);
        new ContainerCalls(world, datacenter).addTo(routes);
        new ConfigCalls(world, datacenter).addTo(routes);
        new PowerCalls(datacenter).addTo(routes);
        new AgentCalls(world, datacenter).addTo(routes);
    }

    /** False while somebody has stopped the service. */
    private static boolean isServed(World world, String host) {
        LabSystem.UnitNote note = world.hosts.get(host).system.units.get("pveproxy");
        return note == null || note.active();
    }

    private static String listener(String host) {
        return "proxmox " + host;
    }
}
