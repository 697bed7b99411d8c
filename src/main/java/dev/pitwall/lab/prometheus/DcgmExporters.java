package dev.pitwall.lab.prometheus;

import dev.pitwall.lab.LabEndpoint;
import dev.pitwall.lab.LabServer;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.net.ListenerSwitch;
import dev.pitwall.lab.world.World;
import io.undertow.server.HttpServerExchange;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The DCGM exporters of a cluster: one on each node with a card, on {@code /metrics} and {@code /health}. */
public final class DcgmExporters implements LabServer {
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

    private static final Duration POD_CHECK = Duration.ofMillis(250);

    private final LabHttp http;
    private final Map<String, DcgmExporter> exporters = new LinkedHashMap<>();
    private final Map<String, URI> addresses = new LinkedHashMap<>();
    private final ListenerSwitch power;
    private final Thread pods;
    private boolean closed;

    public DcgmExporters(World world, LabHttp http, ClusterNames names) {
        this.http = http;
        this.power = new ListenerSwitch(world);
        DcgmCounters counters = new DcgmCounters();
        List<String> nodes = world.read(w -> w.nodes.values().stream()
                .filter(n -> !n.cards.isEmpty() || passesCard(w, n.vmid)).map(n -> n.name).toList());
        for (String node : nodes) {
            DcgmExporter exporter = new DcgmExporter(world, node, counters, names);
            InetSocketAddress address = http.listen(listener(node), Optional.empty(), e -> answer(exporter, e));
            exporters.put(node, exporter);
            addresses.put(node, URI.create("http://127.0.0.1:" + address.getPort()));
            power.add(http, listener(node), exporter::running);
        }
        power.start();
        pods = Thread.ofVirtual().name("lab-dcgm-pods").start(this::followPods);
    }

    /** The pods are the cluster's and no part of the world, so nobody tells of them. */
    private void followPods() {
        try {
            while (true) {
                Thread.sleep(POD_CHECK);
                exporters.values().forEach(DcgmExporter::lookAtPod);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean passesCard(World w, int vmid) {
        return w.vms.get(vmid) != null
                && w.vms.get(vmid).config.keySet().stream().anyMatch(k -> k.startsWith("hostpci"));
    }

    /** The exporter of a node, for the API server's proxy; empty for a node without one. */
    public Optional<URI> backend(String node) {
        return Optional.ofNullable(addresses.get(node));
    }

    Map<String, URI> addresses() {
        return Map.copyOf(addresses);
    }

    DcgmExporter exporter(String node) {
        return exporters.get(node);
    }

    @Override
    public List<LabEndpoint> endpoints() {
        return addresses.entrySet().stream().map(e -> new LabEndpoint("dcgm", e.getKey(), e.getValue())).toList();
    }

    private void answer(DcgmExporter exporter, HttpServerExchange exchange) {
        switch (exchange.getRequestPath()) {
            case "/metrics" -> Replies.text(exchange, 200, METRICS_TYPE, exporter.metrics());
            case "/health" -> Replies.text(exchange, 200, "text/plain; charset=utf-8", "OK");
            case "/" -> Replies.text(exchange, 200, "text/html; charset=utf-8",
                    "<html><head><title>GPU Exporter</title></head><body><h1>GPU Exporter</h1>"
                            + "<p><a href=\"./metrics\">Metrics</a></p></body></html>");
            default -> Replies.text(exchange, 404, "text/plain; charset=utf-8", "404 page not found\n");
        }
    }

    private static String listener(String node) {
        return "dcgm " + node;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        pods.interrupt();
        try {
            pods.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        power.close();
        exporters.keySet().forEach(node -> http.remove(listener(node)));
    }
}
