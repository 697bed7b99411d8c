package dev.pitwall.lab.prometheus;

import dev.pitwall.lab.world.World;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Scrapes every exporter each 15 s of lab time, over HTTP like the real one, and stores what it gets. */
final class Scraper implements AutoCloseable {
    static final Duration INTERVAL = Duration.ofSeconds(15);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    /** However fast the lab runs, scraping leaves the machine some time for other things. */
    private static final Duration SHORTEST_REAL_INTERVAL = Duration.ofMillis(50);

    /** How the last scrape of a target went. */
    record Outcome(Instant at, double seconds, String error) {
        boolean up() {
            return error.isEmpty();
        }
    }

    private final World world;
    private final MetricStore store;
    private final Supplier<List<ScrapeTarget>> targets;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT)
            .executor(Thread::startVirtualThread).build();
    private final Map<String, Outcome> outcomes = new ConcurrentHashMap<>();
    private final Map<String, Set<Labels>> seen = new HashMap<>();
    private final Thread thread;

    /** @param targets asked before each round: an exporter's pod may have been replaced */
    Scraper(World world, MetricStore store, Supplier<List<ScrapeTarget>> targets) {
        this.world = world;
        this.store = store;
        this.targets = targets;
        scrapeAll();
        thread = Thread.ofVirtual().name("lab-prometheus-scraper").start(this::run);
    }

    Outcome outcome(ScrapeTarget target) {
        return outcomes.getOrDefault(target.node(), new Outcome(Instant.EPOCH, 0, "not scraped yet"));
    }

    List<ScrapeTarget> targets() {
        return targets.get();
    }

    private void run() {
        Instant next = world.clock().instant().plus(INTERVAL);
        try {
            while (!Thread.currentThread().isInterrupted()) {
                world.clock().await(next);
                scrapeAll();
                store.forget(world.clock().instant().minus(History.LENGTH.multipliedBy(2)).toEpochMilli());
                Thread.sleep(SHORTEST_REAL_INTERVAL);
                next = next.plus(INTERVAL).isAfter(world.clock().instant()) ? next.plus(INTERVAL)
                        : world.clock().instant();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void scrapeAll() {
        targets.get().forEach(this::scrape);
    }

    private void scrape(ScrapeTarget target) {
        Instant at = world.clock().instant();
        long started = System.nanoTime();
        Map<Labels, Double> values = Map.of();
        String error = "";
        try {
            HttpResponse<String> answer = client.send(HttpRequest.newBuilder(target.uri().resolve("/metrics"))
                    .timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
            values = Exposition.parse(answer.body());
        } catch (IOException e) {
            error = "Get \"" + target.uri().resolve("/metrics") + "\": dial tcp: connect: connection refused";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        double seconds = (System.nanoTime() - started) / 1e9;
        outcomes.put(target.node(), new Outcome(at, seconds, error));
        store(target, at.toEpochMilli(), values, error.isEmpty(), seconds);
    }

    /** A series that is gone gets a stale mark, so that it ends now and not five minutes later. */
    private void store(ScrapeTarget target, long time, Map<Labels, Double> values, boolean up, double seconds) {
        Set<Labels> before = seen.getOrDefault(target.node(), Set.of());
        Map<Labels, Double> stored = new HashMap<>();
        values.forEach((labels, value) -> stored.put(target.stored(labels), value));
        stored.put(target.own("up"), up ? 1.0 : 0.0);
        stored.put(target.own("scrape_duration_seconds"), seconds);
        stored.put(target.own("scrape_samples_scraped"), (double) values.size());
        stored.forEach((labels, value) -> store.add(labels, time, value));
        before.stream().filter(labels -> !stored.containsKey(labels))
                .forEach(labels -> store.add(labels, time, MetricStore.STALE));
        seen.put(target.node(), Set.copyOf(stored.keySet()));
    }

    @Override
    public void close() {
        thread.interrupt();
        client.shutdownNow();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        client.close();
    }
}
