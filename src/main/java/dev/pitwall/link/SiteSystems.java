package dev.pitwall.link;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.ImageFactory;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.GuestMachine;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.site.Supply;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Talos;
import dev.pitwall.link.talos.FactoryClient;
import dev.pitwall.link.talos.MachineApi;
import dev.pitwall.link.helm.RealHelm;
import dev.pitwall.link.kube.KubeCluster;
import dev.pitwall.link.kube.SignedIn;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.site.Site;

import java.net.URI;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The machines, Proxmox APIs and cluster of one site, and Helm on it. Each is connected at its first use and serves all who ask for it. */
public final class SiteSystems implements Systems {
    private final Site site;
    private final HostLinks links;
    private final NetworkTrouble troubles;
    private final Words words;
    private final InstantSource clock;
    private final Map<String, Machine> machines = new HashMap<>();
    private final Map<String, Proxmox> apis = new HashMap<>();
    /** Which access answers for a node that has none of its own. */
    private final Map<String, String> accessOf = new HashMap<>();
    private Optional<Cluster> cluster = Optional.empty();
    private Optional<Talos> talos = Optional.empty();
    private Optional<ImageFactory> factory = Optional.empty();
    private Optional<Helm> helm = Optional.empty();
    private boolean closed;

    public SiteSystems(Site site, HostLinks links, NetworkTrouble troubles, InstantSource clock) {
        this.site = site;
        this.links = links;
        this.troubles = troubles;
        this.words = troubles.words();
        this.clock = clock;
    }

    @Override
    public Machine machine(String name) throws TroubleException {
        Optional<ShellAccess> access = shell(name);
        if (access.isEmpty()) {
            Optional<Machine> guest = GuestMachine.of(name, this::proxmox);
            if (guest.isPresent()) {
                return guest.get();
            }
            throw words.failure(Kind.MISSING, new Place(Service.SSH, name, name, 22), "systems.noshell");
        }
        synchronized (this) {
            refuseClosed(name);
            return machines.computeIfAbsent(name, n -> links.machine(access.get()));
        }
    }

    @Override
    public String identity(String name) {
        return shell(name).map(ShellAccess::identity).orElse(name);
    }

    private Optional<ShellAccess> shell(String name) {
        return site.shells().stream().filter(s -> s.name().equals(name)).findFirst();
    }

    @Override
    public List<String> nodeShells() {
        return site.shells().stream().filter(s -> s.role() == ShellAccess.Role.NODE).map(ShellAccess::name).toList();
    }

    @Override
    public Proxmox proxmox(String node) throws TroubleException, InterruptedException {
        Optional<ProxmoxAccess> own = site.proxmox().stream().filter(a -> a.name().equals(node)).findFirst();
        if (own.isPresent()) {
            return api(own.get());
        }
        Optional<ProxmoxAccess> known = known(node);
        if (known.isPresent()) {
            return api(known.get());
        }
        Optional<TroubleException> silent = Optional.empty();
        for (ProxmoxAccess access : site.proxmox()) {
            try {
                if (lists(api(access).get("nodes"), node)) {
                    remember(node, access);
                    return api(access);
                }
            } catch (TroubleException e) {
                silent = Optional.of(e);
            }
        }
        // One that could not be asked may be the one that knows the node.
        throw silent.orElseGet(() -> words.failure(Kind.MISSING, new Place(Service.PROXMOX, node, node, 8006),
                "systems.noproxmox"));
    }

    private static boolean lists(JsonNode nodes, String node) {
        return nodes.valueStream().anyMatch(row -> row.path("node").asText().equals(node));
    }

    private synchronized Optional<ProxmoxAccess> known(String node) {
        return site.proxmox().stream().filter(a -> a.name().equals(accessOf.get(node))).findFirst();
    }

    private synchronized void remember(String node, ProxmoxAccess access) {
        accessOf.put(node, access.name());
    }

    private synchronized Proxmox api(ProxmoxAccess access) throws TroubleException {
        refuseClosed(access.name());
        Proxmox open = apis.get(access.name());
        if (open == null) {
            open = links.api(access);
            apis.put(access.name(), open);
        }
        return open;
    }

    @Override
    public synchronized Optional<Cluster> cluster() throws TroubleException {
        if (cluster.isEmpty() && site.cluster().isPresent()) {
            refuseClosed(site.name());
            cluster = Optional.of(KubeCluster.open(site.cluster().get(), troubles, clock));
        }
        return cluster;
    }

    @Override
    public synchronized Optional<Helm> helm() throws TroubleException {
        Optional<Cluster> open = cluster();
        if (helm.isEmpty() && open.isPresent()) {
            helm = Optional.of(new RealHelm(open.get(), new SignedIn(site.cluster().orElseThrow(), clock), troubles, clock,
                    System.getenv()));
        }
        return helm;
    }

    @Override
    public synchronized Optional<Talos> talos() throws TroubleException {
        refuseClosed("talos");
        if (talos.isEmpty() && site.talos().isPresent()) {
            talos = Optional.of(MachineApi.open(site.talos().get(), troubles, clock));
        }
        return talos;
    }

    @Override
    public synchronized Optional<ImageFactory> imageFactory() throws TroubleException {
        refuseClosed("image factory");
        if (factory.isEmpty() && site.talos().isPresent()) {
            factory = Optional.of(FactoryClient.open(address(Supply.IMAGE_FACTORY), troubles));
        }
        return factory;
    }

    @Override
    public String address(Supply supply) {
        return Optional.ofNullable(site.sources().get(supply.key())).map(URI::toString).orElse(supply.usual());
    }

    private void refuseClosed(String name) throws TroubleException {
        if (closed) {
            throw words.failure(Kind.CONNECT, new Place(Service.SSH, name, name, 22), "network.closed");
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        machines.values().forEach(Machine::close);
        apis.values().forEach(Proxmox::close);
        talos.ifPresent(Talos::close);
        factory.ifPresent(ImageFactory::close);
        helm.ifPresent(Helm::close);
        cluster.ifPresent(Cluster::close);
    }
}
