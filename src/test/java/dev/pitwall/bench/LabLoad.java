package dev.pitwall.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Prints what the practice lab's fleet costs: how long it takes to start with 64 cards, 200 nodes and 5,000 pods, how
 * many changes a second ten watchers get, how soon a thousand pods more have nodes, and the heap it lives on. The lab
 * runs as {@code pitwall lab} in a process of its own with a heap of 300 MB at most.
 */
final class LabLoad {
    private static final int WATCHERS = 10;
    private static final int HEAP_MB = 300;
    /** Pods of the Deployment that comes. */
    private static final int CROWD = 1000;
    private static final ObjectMapper JSON = new ObjectMapper();
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
            Api api = api();
            figures.add(watch(api, seconds));
            figures.add(schedule(api));
            figures.add(String.format(Locale.ROOT, "heap of %d MB at most: %s; %.1f s of processor time in all", HEAP_MB,
                    heap(lab.pid()), lab.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1000.0));
            lab.destroy();
            return figures;
        } finally {
            lab.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    /** The cluster's API as its administrator. */
    private record Api(String server, String token, SSLContext trust) {
        HttpRequest.Builder request(String path) {
            return HttpRequest.newBuilder(URI.create(server + path)).header("Authorization", "Bearer " + token);
        }

        HttpClient client() {
            return HttpClient.newBuilder().sslContext(trust).build();
        }

        /** A watch of pods that tells nothing but what comes from now on. */
        HttpRequest watch(HttpClient client, String more) throws IOException, InterruptedException {
            String list = client.send(request("/api/v1/pods?limit=1").build(), BodyHandlers.ofString()).body();
            return request("/api/v1/pods?watch=true&resourceVersion="
                    + JSON.readTree(list).at("/metadata/resourceVersion").asText() + more).build();
        }
    }

    private Api api() throws Exception {
        JsonNode config = new YAMLMapper().readTree(dir.resolve("kubeconfig").toFile());
        String token = config.path("users").valueStream().map(user -> user.at("/user/token").asText(""))
                .filter(text -> !text.isEmpty()).findFirst().orElseThrow();
        return new Api(config.at("/clusters/0/cluster/server").asText(), token, trusting(dir.resolve("ca.pem")));
    }

    private String watch(Api api, int seconds) throws Exception {
        List<AtomicLong> counts = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try (HttpClient client = api.client()) {
            HttpRequest request = api.watch(client, "&timeoutSeconds=" + seconds);
            for (int i = 0; i < WATCHERS; i++) {
                AtomicLong count = new AtomicLong();
                counts.add(count);
                threads.add(Thread.ofVirtual().start(() -> follow(client, request, count)));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        long least = counts.stream().mapToLong(AtomicLong::get).min().orElseThrow();
        long most = counts.stream().mapToLong(AtomicLong::get).max().orElseThrow();
        return String.format(Locale.ROOT, "%d watchers of all pods for %d s: %d to %d events each, %.0f to %.0f"
                + " a second", WATCHERS, seconds, least, most, least / (double) seconds, most / (double) seconds);
    }

    private static void follow(HttpClient client, HttpRequest request, AtomicLong count) {
        try {
            client.send(request, BodyHandlers.ofLines()).body().forEach(line -> count.incrementAndGet());
        } catch (IOException e) {
            throw new IllegalStateException("a watch broke", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A Deployment comes to the busy cluster: how soon each of its pods has a node. */
    private String schedule(Api api) throws Exception {
        String deployment = """
                {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "crowd"}, "spec": {"replicas": %d,
                "selector": {"matchLabels": {"app": "crowd"}}, "template": {"metadata": {"labels": {"app": "crowd"}},
                "spec": {"securityContext": {"runAsNonRoot": true, "runAsUser": 1000, "seccompProfile": {"type": "RuntimeDefault"}},
                "containers": [{"name": "app", "image": "nginx:1.29", "securityContext":
                {"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}}, "resources": {"requests": {"cpu": "1m", "memory": "1Mi"}}}]}}}}""".formatted(CROWD);
        try (HttpClient client = api.client()) {
            HttpRequest watch = api.watch(client, "&labelSelector=app%3Dcrowd&timeoutSeconds=300");
            long began = System.nanoTime();
            int status = client.send(api.request("/apis/apps/v1/namespaces/default/deployments")
                    .header("Content-Type", "application/json").POST(BodyPublishers.ofString(deployment)).build(),
                    BodyHandlers.discarding()).statusCode();
            if (status != 201) {
                throw new IOException("the Deployment was not taken: " + status);
            }
            Set<String> bound = new HashSet<>();
            try (Stream<String> events = client.send(watch, BodyHandlers.ofLines()).body()) {
                for (Iterator<String> each = events.iterator(); bound.size() < CROWD && each.hasNext();) {
                    JsonNode pod = JSON.readTree(each.next()).path("object");
                    if (pod.path("spec").has("nodeName")) {
                        bound.add(pod.at("/metadata/name").asText());
                    }
                }
            }
            return String.format(Locale.ROOT, "a Deployment of %d pods comes: %d have a node after %d ms", CROWD,
                    bound.size(), Duration.ofNanos(System.nanoTime() - began).toMillis());
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
