package dev.pitwall.lab.talos;

import dev.pitwall.lab.LabContext;
import dev.pitwall.lab.LabEndpoint;
import dev.pitwall.lab.LabServer;
import dev.pitwall.lab.LabSite;
import dev.pitwall.lab.PrivateFile;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.net.ListenerSwitch;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.Power;
import dev.pitwall.lab.world.World;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Talos side of a lab: the machine API of each Talos node, each on a port of its own, and an Image Factory. A lab
 * without Talos nodes has none of it.
 */
public final class TalosServers implements LabServer {
    private static final String FACTORY = "image factory";
    private static final String TALOSCONFIG = "talosconfig";

    private final World world;
    private final LabHttp http;
    private final TalosMachines machines;
    private final Waiting waiting;
    private final ListenerSwitch power;
    private final TalosAuthority authority;
    private final Map<String, TalosPort> ports = new LinkedHashMap<>();
    private final Optional<URI> factory;
    private boolean closed;

    private TalosServers(LabContext lab) throws IOException {
        this.world = lab.world();
        this.http = lab.http();
        TalosData data = new TalosData();
        this.machines = new TalosMachines(world, data);
        this.waiting = new Waiting(world);
        this.power = new ListenerSwitch(world);
        this.authority = new TalosAuthority(lab.time());
        Images images = new Images(world, data);
        Upgrading upgrading = new Upgrading(world, images, machines);
        ModuleLoader modules = machines.modules();
        MachineApi machine = new MachineApi(world, machines, new NodeServices(data, modules),
                new Configuring(world, data, machines), upgrading,
                new FileStreams(world, modules, lab.dir().resolve("kubeconfig")), waiting);
        Versions versions = new Versions();
        for (String name : talosNodes()) {
            TalosPort port = new TalosPort(authority, name, new TalosDoor(world, name), List.of(machine,
                    new StateApi(world, new NodeResources(modules), versions, waiting),
                    new LifecycleApi(world, data, images, upgrading, machines), new ImageApi(world, images, upgrading)));
            ports.put(name, port);
            power.add("talos " + name, w -> answers(w, name), port::turn);
        }
        this.factory = ports.isEmpty() ? Optional.empty() : Optional.of(URI.create("http://127.0.0.1:" + http.listen(FACTORY,
                Optional.empty(), new ImageFactory(world, data, images)).getPort()));
        power.start();
    }

    /** Starts the machine APIs and writes {@code talosconfig} into the lab's folder, if the lab has Talos nodes. */
    public static TalosServers start(LabContext lab) throws IOException {
        TalosServers servers = new TalosServers(lab);
        if (!servers.ports.isEmpty()) {
            servers.writeTalosconfig(lab.dir());
        }
        return servers;
    }

    /** A node answers while its machine runs and is not in the middle of a boot. */
    static boolean answers(World w, String name) {
        LabNode node = w.nodes.get(name);
        return Power.isOn(w, name) && node.talos.filter(talos -> !talos.stage.equals("rebooting")).isPresent();
    }

    private List<String> talosNodes() {
        return world.read(w -> w.nodes.values().stream().filter(node -> node.talos.isPresent()).map(node -> node.name)
                .toList());
    }

    /** A node's machine API, {@code 127.0.0.1:port}; empty for a node without Talos. */
    public Optional<String> endpoint(String node) {
        return Optional.ofNullable(ports.get(node)).map(port -> "127.0.0.1:" + port.number());
    }

    /** The Image Factory; empty without Talos nodes. */
    public Optional<URI> factory() {
        return factory;
    }

    /**
     * Two contexts: the cluster's name with the role {@code os:admin}, and {@code NAME-reader}. Their endpoints are the
     * control-plane nodes, which pass calls on to the nodes named by address.
     */
    private void writeTalosconfig(Path dir) throws IOException {
        String cluster = world.read(w -> w.cluster);
        Map<String, Object> contexts = new LinkedHashMap<>();
        contexts.put(cluster, context(authority.client(List.of("os:admin")), cluster));
        contexts.put(cluster + "-reader", context(authority.client(List.of("os:reader")), cluster));
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("context", cluster);
        config.put("contexts", contexts);
        PrivateFile.write(dir.resolve(TALOSCONFIG), GoYaml.write(config).getBytes(StandardCharsets.UTF_8));
    }

    private Map<String, Object> context(TalosAuthority.Identity client, String cluster) {
        Map<String, Object> context = new LinkedHashMap<>();
        context.put("endpoints", controlPlane());
        context.put("nodes", world.read(w -> w.nodes.values().stream().filter(node -> node.talos.isPresent())
                .map(node -> node.address).toList()));
        context.put("ca", base64(authority.caPem()));
        context.put("crt", base64(client.certificatePem()));
        context.put("key", base64(client.keyPem()));
        context.put("cluster", cluster);
        return context;
    }

    private List<String> controlPlane() {
        return world.<List<String>>read(w -> w.nodes.values().stream().filter(node -> node.role.equals("master"))
                .map(node -> node.name).toList()).stream().flatMap(name -> endpoint(name).stream()).toList();
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Override
    public List<LabEndpoint> endpoints() {
        List<LabEndpoint> all = new ArrayList<>();
        ports.forEach((name, port) -> all.add(new LabEndpoint("talos", name, URI.create("grpcs://127.0.0.1:"
                + port.number()))));
        factory.ifPresent(uri -> all.add(new LabEndpoint("image-factory", "factory", uri)));
        return List.copyOf(all);
    }

    @Override
    public void describe(LabSite site) {
        factory.ifPresent(uri -> {
            site.source("talos-image-factory", uri);
            site.talos(TALOSCONFIG, world.read(w -> w.cluster));
        });
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        power.close();
        waiting.close();
        ports.values().forEach(TalosPort::close);
        machines.close();
        factory.ifPresent(uri -> http.remove(FACTORY));
    }
}
