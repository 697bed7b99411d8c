package dev.pitwall.lab.models;

import dev.pitwall.lab.LabContext;
import dev.pitwall.lab.LabEndpoint;
import dev.pitwall.lab.LabServer;
import dev.pitwall.lab.LabSite;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.net.ListenerSwitch;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.Power;
import dev.pitwall.lab.world.World;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The lab's model servers: one Ollama a card, each on a port of its own, silent while its pod or machine is down. */
public final class OllamaServers implements LabServer {
    private final World world;
    private final LabHttp http;
    private final ListenerSwitch ports;
    private final Map<String, URI> addresses = new LinkedHashMap<>();
    private boolean closed;

    public OllamaServers(World world, LabHttp http) {
        this.world = world;
        this.http = http;
        this.ports = new ListenerSwitch(world);
        ModelLibrary library = new ModelLibrary();
        for (String name : world.read(w -> List.copyOf(w.servers.keySet()))) {
            Runner runner = new Runner(world, name);
            InetSocketAddress address = http.listen(listener(name), Optional.empty(),
                    new OllamaApi(world, name, runner, library));
            addresses.put(name, URI.create("http://127.0.0.1:" + address.getPort()));
            ports.add(http, listener(name), w -> isUp(w, name));
        }
        ports.start();
    }

    /** Starts a lab's model servers. */
    public static OllamaServers start(LabContext context) {
        return new OllamaServers(context.world(), context.http());
    }

    /** A server's address, for the API server's proxy; empty for a name the lab does not have. */
    public Optional<URI> backend(String server) {
        return Optional.ofNullable(addresses.get(server));
    }

    private static boolean isUp(World w, String name) {
        LabModelServer server = w.servers.get(name);
        return server != null && server.up && Power.isOn(w, server.node);
    }

    @Override
    public List<LabEndpoint> endpoints() {
        return addresses.entrySet().stream().map(e -> new LabEndpoint("ollama", e.getKey(), e.getValue())).toList();
    }

    @Override
    public void describe(LabSite site) {
        addresses.forEach((name, uri) -> site.modelServer(name, uri,
                world.read(w -> Optional.of(w.servers.get(name).node).filter(n -> !n.isEmpty()))));
    }

    private static String listener(String name) {
        return "ollama " + name;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        ports.close();
        addresses.keySet().forEach(name -> http.remove(listener(name)));
    }
}
