package dev.pitwall.lab.prometheus;

import dev.pitwall.lab.LabContext;
import dev.pitwall.lab.LabEndpoint;
import dev.pitwall.lab.LabServer;
import dev.pitwall.lab.LabSite;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.World;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A Prometheus over the lab's DCGM exporters. It owns them: closing it closes both. */
public final class PrometheusServer implements LabServer {
    private static final String LISTENER = "prometheus";

    private final LabHttp http;
    private final DcgmExporters exporters;
    private final Scraper scraper;
    private final URI uri;
    private boolean closed;

    public PrometheusServer(World world, LabHttp http, DcgmExporters exporters, ClusterNames names) {
        this.http = http;
        this.exporters = exporters;
        MetricStore store = new MetricStore(History.LENGTH.multipliedBy(2));
        Supplier<List<ScrapeTarget>> targets = () -> exporters.addresses().entrySet().stream().sorted(Map.Entry.comparingByKey())
                .map(e -> ScrapeTarget.of(e.getKey(), e.getValue(), names)).toList();
        targets.get().forEach(target -> backfill(world, store, target));
        scraper = new Scraper(world, store, targets);
        PrometheusApi api = new PrometheusApi(world.clock(), store, scraper);
        InetSocketAddress address = http.listen(LISTENER, Optional.empty(), api);
        uri = URI.create("http://127.0.0.1:" + address.getPort());
    }

    /**
     * Starts a lab's exporters and Prometheus.
     *
     * @param names what the cluster calls its pods; {@link ClusterNames#of} for a lab without a cluster
     */
    public static PrometheusServer start(LabContext context, ClusterNames names) {
        DcgmExporters exporters = new DcgmExporters(context.world(), context.http(), names);
        return new PrometheusServer(context.world(), context.http(), exporters, names);
    }

    public URI uri() {
        return uri;
    }

    public DcgmExporters exporters() {
        return exporters;
    }

    /** See {@link History}: this past is made up. */
    private void backfill(World world, MetricStore store, ScrapeTarget target) {
        DcgmExporter exporter = exporters.exporter(target.node());
        if (!world.read(exporter::running)) {
            return;
        }
        Instant now = world.clock().instant();
        Map<Labels, Double> present = Exposition.parse(exporter.metrics());
        for (CardSample sample : exporter.samples()) {
            LabCard card = world.read(w -> w.cards.get(sample.id()));
            boolean busy = world.read(w -> w.servers.values().stream().anyMatch(s -> s.card.equals(sample.id())));
            List<History.Past> past = History.of(sample, now, Scraper.INTERVAL, busy, card.powerLimitW);
            present.keySet().stream().filter(l -> l.get("UUID").equals(sample.uuid())).forEach(labels -> {
                Labels stored = target.stored(labels);
                past.forEach(p -> p.sample().value(labels.get(Labels.NAME))
                        .ifPresent(value -> store.add(stored, p.time(), value)));
            });
            past.forEach(p -> store.add(target.own("up"), p.time(), 1));
        }
    }

    @Override
    public List<LabEndpoint> endpoints() {
        List<LabEndpoint> all = new ArrayList<>(List.of(new LabEndpoint("prometheus", "prometheus", uri)));
        all.addAll(exporters.endpoints());
        return all;
    }

    @Override
    public void describe(LabSite site) {
        site.prometheus(uri);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        http.remove(LISTENER);
        scraper.close();
        exporters.close();
    }
}
