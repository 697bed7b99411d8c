package dev.pitwall.lab.models;

import dev.pitwall.lab.LabContext;
import dev.pitwall.lab.LabEndpoint;
import dev.pitwall.lab.LabServer;
import dev.pitwall.lab.LabSite;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.Power;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * The lab's model servers: one a card, each on a port of its own, silent while its pod or machine is down. They come and
 * go with the world's list of servers: {@link #appear} and {@link #vanish} write it, and the ports follow at once.
 */
public final class ModelServers implements LabServer {
    /** What answers on one port. */
    private record Port(URI uri, LabModelServer.Kind kind, AutoCloseable engine) {
    }

    private final World world;
    private final LabHttp http;
    private final ModelLibrary library = new ModelLibrary();
    /** Guarded by this. */
    private final Map<String, Port> ports = new LinkedHashMap<>();
    private final Map<String, Boolean> open = new LinkedHashMap<>();
    /** Of servers that went, the port that they had: whoever knows their address finds them there when they come again. */
    private final Map<String, Integer> past = new LinkedHashMap<>();
    private final Semaphore changes = new Semaphore(0);
    private final Thread watcher;
    private boolean closed;

    public ModelServers(World world, LabHttp http) {
        this.world = world;
        this.http = http;
        follow();
        world.onChange(changes::release);
        this.watcher = Thread.ofVirtual().name("lab-model-servers").start(this::watch);
    }

    /** Starts a lab's model servers. */
    public static ModelServers start(LabContext context) {
        return new ModelServers(context.world(), context.http());
    }

    /**
     * A server that comes to be, as when its pod starts.
     *
     * @param card    id of the card it was given, {@code host/0000:01:00}
     * @param version for example {@code 0.33.0}, or {@code b10621} of a llama-server
     */
    public record Appearance(String name, String namespace, String node, String card, String version,
                             LabModelServer.Kind kind) {
    }

    /** Lets a server be there; its disk is empty. One of that name that is there already is replaced. */
    public static void appear(World world, Appearance as) {
        world.change(w -> {
            LabModelServer server = new LabModelServer(as.name());
            server.namespace = as.namespace();
            server.node = as.node();
            server.card = as.card();
            server.version = as.version();
            server.kind = as.kind();
            w.servers.put(as.name(), server);
            Wiring.renew(w);
        });
    }

    /** Lets a server be gone, with what it had in memory and on its disk. */
    public static void vanish(World world, String name) {
        world.change(w -> w.servers.remove(name));
    }

    /** A server's address, for the API server's proxy; empty for one that is not there. */
    public synchronized Optional<URI> backend(String server) {
        return Optional.ofNullable(ports.get(server)).map(Port::uri);
    }

    /** As {@link #backend(String)}, by the Service in front of it. */
    public Optional<URI> backend(String namespace, String service, int port) {
        boolean known = world.read(w -> Optional.ofNullable(w.servers.get(service))
                .filter(server -> server.namespace.equals(namespace) && server.kind.port() == port).isPresent());
        return known ? backend(service) : Optional.empty();
    }

    private void watch() {
        try {
            while (true) {
                changes.acquire();
                changes.drainPermits();
                follow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private record Wanted(LabModelServer.Kind kind, boolean up) {
    }

    /** Opens and closes ports as the world says. */
    private synchronized void follow() {
        if (closed) {
            return;
        }
        Map<String, Wanted> wanted = world.read(w -> {
            Map<String, Wanted> all = new LinkedHashMap<>();
            w.servers.values().forEach(server -> all.put(server.name, new Wanted(server.kind,
                    server.up && Power.isOn(w, server.node))));
            return all;
        });
        for (String name : new ArrayList<>(ports.keySet())) {
            if (!wanted.containsKey(name) || wanted.get(name).kind() != ports.get(name).kind()) {
                shut(name);
            }
        }
        wanted.forEach((name, as) -> {
            if (!ports.containsKey(name)) {
                open(name, as.kind());
            }
            turn(name, as.up());
        });
    }

    private void open(String name, LabModelServer.Kind kind) {
        Port port = switch (kind) {
            case OLLAMA -> new Port(listen(name, new OllamaApi(world, name, new Runner(world, name, library), library)),
                    kind, () -> { });
            case LLAMA_SERVER -> {
                Router router = new Router(world, name, library);
                yield new Port(listen(name, new RouterApi(world, name, router, library)), kind, router);
            }
        };
        ports.put(name, port);
        open.put(name, true);
    }

    private URI listen(String name, io.undertow.server.HttpHandler handler) {
        return URI.create("http://127.0.0.1:" + bound(name, handler).getPort());
    }

    /** Where it was before, unless somebody else listens there now. */
    private InetSocketAddress bound(String name, io.undertow.server.HttpHandler handler) {
        Integer before = past.get(name);
        if (before != null) {
            try {
                return http.listen(listener(name), before, Optional.empty(), handler);
            } catch (UncheckedIOException taken) {
                past.remove(name);
            }
        }
        return http.listen(listener(name), Optional.empty(), handler);
    }

    private void turn(String name, boolean up) {
        if (open.get(name) != up) {
            open.put(name, up);
            if (up) {
                http.answer(listener(name));
            } else {
                http.silence(listener(name));
            }
        }
    }

    private void shut(String name) {
        http.remove(listener(name));
        past.put(name, ports.get(name).uri().getPort());
        open.remove(name);
        try {
            ports.remove(name).engine().close();
        } catch (Exception e) {
            throw new IllegalStateException("a model server's threads do not end", e);
        }
    }

    @Override
    public synchronized List<LabEndpoint> endpoints() {
        return ports.entrySet().stream().map(e -> new LabEndpoint(e.getValue().kind().word(), e.getKey(),
                e.getValue().uri())).toList();
    }

    @Override
    public synchronized void describe(LabSite site) {
        ports.forEach((name, port) -> site.modelServer(name, port.uri(),
                world.read(w -> Optional.of(w.servers.get(name).node).filter(n -> !n.isEmpty()))));
    }

    private static String listener(String name) {
        return "model server " + name;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            new ArrayList<>(ports.keySet()).forEach(this::shut);
        }
        watcher.interrupt();
        try {
            watcher.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
