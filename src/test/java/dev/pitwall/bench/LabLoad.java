package dev.pitwall.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Prints what the practice lab's fleet costs: how long it takes to start with 64 cards, 200 nodes and 5,000 pods, how
 * many changes a second ten watchers get, and the heap it lives on. The lab runs as {@code pitwall lab} in a process of
 * its own with a heap of 300 MB at most.
 */
final class LabLoad {
    private static final int WATCHERS = 10;
    private static final int HEAP_MB = 300;
    private static final Pattern USED = Pattern.compile("used (\\d+)K");

    private final Path java;
    private final Path jar;
    private final Path dir;

    LabLoad(Path java, Path jar, Path dir) {
        this.java = java;
        this.jar = jar;
        this.dir = dir;
    }

    /** One line for each figure. */
    List<String> measure(int seconds) throws Exception {
        long began = System.nanoTime();
        Process lab = new ProcessBuilder(java.toString(), "-Xmx" + HEAP_MB + "m", "-XX:+UseSerialGC", "-jar",
                jar.toString(), "lab", "--scene", "fleet", "--hosts", "16", "--cards", "64", "--nodes", "200", "--pods",
                "5000", "--dir", dir.toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (BufferedReader out = lab.inputReader()) {
            String ready = out.readLine();
            if (ready == null || !ready.startsWith("lab ready")) {
                throw new IOException("the lab did not start: " + ready);
            }
            long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
            Thread.ofVirtual().start(() -> out.lines().forEach(line -> { }));
            List<String> figures = new ArrayList<>();
            figures.add(String.format(Locale.ROOT, "ready after %d ms, JVM included", millis));
            figures.add(watch(seconds));
            figures.add(String.format(Locale.ROOT, "heap of %d MB at most: %s; %.1f s of processor time in all", HEAP_MB,
                    heap(lab.pid()), lab.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1000.0));
            lab.destroy();
            return figures;
        } finally {
            lab.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    private String watch(int seconds) throws Exception {
        JsonNode config = new YAMLMapper().readTree(dir.resolve("kubeconfig").toFile());
        String token = config.path("users").valueStream().map(user -> user.at("/user/token").asText(""))
                .filter(text -> !text.isEmpty()).findFirst().orElseThrow();
        URI pods = URI.create(config.at("/clusters/0/cluster/server").asText()
                + "/api/v1/pods?watch=true&allowWatchBookmarks=true&timeoutSeconds=" + seconds);
        List<AtomicLong> counts = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try (HttpClient client = HttpClient.newBuilder().sslContext(trusting(dir.resolve("ca.pem"))).build()) {
            for (int i = 0; i < WATCHERS; i++) {
                AtomicLong count = new AtomicLong();
                counts.add(count);
                threads.add(Thread.ofVirtual().start(() -> follow(client, HttpRequest.newBuilder(pods)
                        .header("Authorization", "Bearer " + token).build(), count)));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        long least = counts.stream().mapToLong(AtomicLong::get).min().orElseThrow();
        long most = counts.stream().mapToLong(AtomicLong::get).max().orElseThrow();
        return String.format(Locale.ROOT, "%d watchers of all pods for %d s: %d to %d events each after the first list, %.0f to %.0f"
                + " a second", WATCHERS, seconds, least, most, least / (double) seconds, most / (double) seconds);
    }

    /** Counts the events after those that tell what is there. */
    private static void follow(HttpClient client, HttpRequest request, AtomicLong count) {
        try {
            HttpResponse<Stream<String>> answer = client.send(request, HttpResponse.BodyHandlers.ofLines());
            long before = 5000;
            for (String line : (Iterable<String>) answer.body()::iterator) {
                if (before > 0) {
                    before--;
                } else if (!line.contains("\"BOOKMARK\"")) {
                    count.incrementAndGet();
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("a watch broke", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is in use after a full collection. */
    private String heap(long pid) throws Exception {
        Path jcmd = java.resolveSibling("jcmd");
        run(jcmd, pid, "GC.run");
        String info = run(jcmd, pid, "GC.heap_info");
        // The first two are the young and the old generation; metaspace follows.
        long all = USED.matcher(info).results().limit(2).mapToLong(m -> Long.parseLong(m.group(1))).sum();
        return all / 1024 + " MB in use after a collection";
    }

    private static String run(Path program, long pid, String command) throws Exception {
        Process process = new ProcessBuilder(program.toString(), Long.toString(pid), command).redirectErrorStream(true)
                .start();
        try (InputStream out = process.getInputStream()) {
            return new String(out.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static SSLContext trusting(Path ca) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(ca)) {
            store.setCertificateEntry("lab", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
