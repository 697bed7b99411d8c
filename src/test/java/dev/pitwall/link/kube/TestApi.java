package dev.pitwall.link.kube;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import javax.net.ssl.SSLContext;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.Headers;

import org.xnio.Options;
import org.xnio.SslClientAuthMode;

/**
 * A small API server that can be told to misbehave: list with pages, watch, 401 and 403, and any one-off answer. The
 * practice lab has the full one; this is for what a healthy server never does.
 */
final class TestApi implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();
    static final String NODES = "/api/v1/nodes";
    static final String PODS = "/api/v1/pods";
    static final String SERVICES = "/api/v1/services";
    static final String DAEMON_SETS = "/apis/apps/v1/daemonsets";
    static final String POLICIES = "/apis/nvidia.com/v1/clusterpolicies";

    private final Undertow server;
    private final Map<String, TreeMap<String, String>> objects = new ConcurrentHashMap<>();
    private final Map<String, List<BlockingQueue<String>>> watchers = new ConcurrentHashMap<>();
    private final Map<String, List<Happened>> past = new HashMap<>();
    private final Map<String, Deque<Answer>> odd = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> asked = new ConcurrentHashMap<>();
    private final AtomicLong version = new AtomicLong(100);
    private final AtomicInteger openWatches = new AtomicInteger();
    final Set<String> forbidden = ConcurrentHashMap.newKeySet();
    final List<String> authorizations = new CopyOnWriteArrayList<>();
    volatile String token = "";
    /** Who asks for a right whose question contains this has it not; empty denies nothing. */
    volatile String denied = "";
    /** Fixed answers by path. */
    final Map<String, String> answers = new ConcurrentHashMap<>();
    /** Subjects of the client certificates that were shown. */
    final Set<String> certificates = ConcurrentHashMap.newKeySet();

    /** A change of an object, as a watch tells it that begins before it. */
    private record Happened(long version, String event) {
    }

    /** An answer out of the ordinary. */
    interface Answer {
        void send(HttpServerExchange exchange) throws IOException;
    }

    TestApi() {
        this(null, 0);
    }

    TestApi(int port) {
        this(null, port);
    }

    /** @param tls null for plain HTTP */
    TestApi(SSLContext tls, int port) {
        Undertow.Builder builder = Undertow.builder().setIoThreads(2).setWorkerThreads(32)
                .setServerOption(UndertowOptions.ENABLE_STATISTICS, true)
                .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
                .setHandler(new BlockingHandler(this::handle));
        if (tls == null) {
            builder.addHttpListener(port, "127.0.0.1");
        } else {
            builder.addHttpsListener(port, "127.0.0.1", tls)
                    .setSocketOption(Options.SSL_CLIENT_AUTH_MODE, SslClientAuthMode.REQUESTED);
        }
        this.server = builder.build();
        server.start();
        for (String path : List.of(NODES, PODS, SERVICES, DAEMON_SETS)) {
            objects.put(path, new TreeMap<>());
        }
    }

    int port() {
        return ((InetSocketAddress) server.getListenerInfo().getFirst().getAddress()).getPort();
    }

    long connections() {
        return server.getListenerInfo().getFirst().getConnectorStatistics().getActiveConnections();
    }

    int openWatches() {
        return openWatches.get();
    }

    /** @param verb {@code list} or {@code watch} */
    long asked(String verb, String path) {
        return asked.getOrDefault(verb + path, new LongAdder()).sum();
    }

    /** The next request of that sort is answered so. */
    void once(String verb, String path, Answer answer) {
        odd.computeIfAbsent(verb + path, p -> new ConcurrentLinkedDeque<>()).add(answer);
    }

    void install(String path) {
        objects.put(path, new TreeMap<>());
    }

    void put(String path, ObjectNode object) {
        synchronized (objects) {
            ObjectNode metadata = (ObjectNode) object.get("metadata");
            String key = metadata.path("namespace").asText() + "/" + metadata.path("name").asText();
            metadata.put("resourceVersion", Long.toString(version.incrementAndGet()));
            boolean there = objects.get(path).put(key, object.toString()) != null;
            tell(path, there ? "MODIFIED" : "ADDED", object.toString());
        }
    }

    void delete(String path, ObjectNode object) {
        synchronized (objects) {
            ObjectNode metadata = (ObjectNode) object.get("metadata");
            metadata.put("resourceVersion", Long.toString(version.incrementAndGet()));
            objects.get(path).remove(metadata.path("namespace").asText() + "/" + metadata.path("name").asText());
            tell(path, "DELETED", object.toString());
        }
    }

    private void tell(String path, String type, String object) {
        String event = "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
        past.computeIfAbsent(path, p -> new ArrayList<>()).add(new Happened(version.get(), event));
        spread(path, event);
    }

    private void spread(String path, String text) {
        watchers.getOrDefault(path, List.of()).forEach(queue -> queue.add(text));
    }

    /** Sends raw text to every open watch of a resource, once there is one: a client is live before that. */
    void send(String path, String text) {
        await().until(() -> !watchers.getOrDefault(path, List.of()).isEmpty());
        spread(path, text);
    }

    /** Ends every open watch of a resource in the middle. */
    void cut(String path) {
        send(path, CUT);
    }

    private static final String CUT = "cut";

    private void handle(HttpServerExchange exchange) throws Exception {
        String path = exchange.getRequestPath();
        boolean watch = exchange.getQueryParameters().containsKey("watch");
        String verb = watch ? "watch" : "list";
        String authorization = exchange.getRequestHeaders().getFirst(Headers.AUTHORIZATION);
        authorizations.add(String.valueOf(authorization));
        asked.computeIfAbsent(verb + path, p -> new LongAdder()).increment();
        remember(exchange);
        Deque<Answer> special = odd.get(verb + path);
        Answer next = special == null ? null : special.poll();
        if (next != null) {
            next.send(exchange);
        } else if (!token.isEmpty() && !("Bearer " + token).equals(authorization)) {
            status(exchange, 401, "Unauthorized", "Unauthorized");
        } else if (forbidden.contains(path)) {
            status(exchange, 403, "Forbidden", "forbidden: User \"x\" cannot list resource");
        } else if (path.equals("/version")) {
            json(exchange, 200, "{\"major\":\"1\",\"minor\":\"33\",\"gitVersion\":\"v1.33.5+rke2r1\"}");
        } else if (!objects.containsKey(path)) {
            unknown(exchange);
        } else if (watch) {
            watch(exchange, path);
        } else {
            list(exchange, path);
        }
    }

    private void remember(HttpServerExchange exchange) {
        try {
            if (exchange.getConnection().getSslSession() != null) {
                certificates.add(((java.security.cert.X509Certificate) exchange.getConnection().getSslSession()
                        .getPeerCertificates()[0]).getSubjectX500Principal().getName());
            }
        } catch (javax.net.ssl.SSLPeerUnverifiedException none) {
            certificates.add("none");
        }
    }

    private void unknown(HttpServerExchange exchange) throws IOException {
        String answer = answers.get(exchange.getRequestPath());
        if (answer == null) {
            status(exchange, 404, "NotFound", "the server could not find the requested resource");
        } else if (!denied.isEmpty() && exchange.getRequestPath().endsWith("/selfsubjectaccessreviews")
                && new String(exchange.getInputStream().readAllBytes(), StandardCharsets.UTF_8).contains(denied)) {
            json(exchange, 200, "{\"status\":{\"allowed\":false}}");
        } else {
            json(exchange, 200, answer);
        }
    }

    private void list(HttpServerExchange exchange, String path) throws IOException {
        List<String> all;
        long at;
        synchronized (objects) {
            all = new ArrayList<>(objects.get(path).values());
            at = version.get();
        }
        int limit = number(exchange, "limit", Integer.MAX_VALUE);
        int from = number(exchange, "continue", 0);
        int to = (int) Math.min(all.size(), (long) from + limit);
        String next = to < all.size() ? ",\"continue\":\"" + to + "\"" : "";
        json(exchange, 200, "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + at + "\""
                + next + "},\"items\":[" + String.join(",", all.subList(from, to)) + "]}");
    }

    private static int number(HttpServerExchange exchange, String name, int usual) {
        Deque<String> values = exchange.getQueryParameters().get(name);
        return values == null || values.getFirst().isEmpty() ? usual : Integer.parseInt(values.getFirst());
    }

    private void watch(HttpServerExchange exchange, String path) throws Exception {
        BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        List<BlockingQueue<String>> all = watchers.computeIfAbsent(path, p -> new CopyOnWriteArrayList<>());
        int since = number(exchange, "resourceVersion", Integer.MAX_VALUE);
        synchronized (objects) {
            past.getOrDefault(path, List.of()).stream().filter(h -> h.version() > since).forEach(h -> queue.add(h.event()));
            all.add(queue);
        }
        openWatches.incrementAndGet();
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        try (OutputStream body = exchange.getOutputStream()) {
            body.flush();
            int quiet = 0;
            while (true) {
                String text = queue.poll(50, TimeUnit.MILLISECONDS);
                if (CUT.equals(text)) {
                    exchange.getConnection().close();
                    return;
                }
                if (text != null) {
                    body.write(text.getBytes(StandardCharsets.UTF_8));
                    if (queue.isEmpty()) {
                        body.flush();
                    }
                } else if (++quiet % 4 == 0) {
                    // A client that has gone is noticed only by writing to it.
                    body.write(("{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\""
                            + version.get() + "\"}}}\n").getBytes(StandardCharsets.UTF_8));
                    body.flush();
                }
                if (!exchange.getConnection().isOpen()) {
                    return;
                }
            }
        } catch (IOException gone) {
            exchange.getConnection().close();
        } finally {
            all.remove(queue);
            openWatches.decrementAndGet();
        }
    }

    static void status(HttpServerExchange exchange, int code, String reason, String message) throws IOException {
        json(exchange, code, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                + "\"message\":" + JSON.writeValueAsString(message) + ",\"reason\":\"" + reason + "\",\"code\":" + code
                + "}");
    }

    static void json(HttpServerExchange exchange, int code, String body) {
        exchange.setStatusCode(code);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        exchange.getResponseSender().send(body);
    }

    static ObjectNode object(String json) {
        try {
            JsonNode node = JSON.readTree(json);
            return (ObjectNode) node;
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static ObjectNode node(String name, boolean gpu) {
        return object("""
                {"metadata":{"name":"%s","labels":{"kubernetes.io/hostname":"%s","nvidia.com/gpu.present":"%s",
                 "left.out/label":"x"},"managedFields":[{"manager":"kubelet","fieldsV1":{"f:x":{}}}]},
                 "spec":{"taints":[{"key":"nvidia.com/gpu","value":"present","effect":"NoSchedule"}]},
                 "status":{"nodeInfo":{"systemUUID":"4C4C4544-0042-3510-8054-B4C04F4D4E32","kernelVersion":"6.8.0",
                 "kubeletVersion":"v1.33.5","osImage":"Ubuntu 24.04","containerRuntimeVersion":"containerd://2.1.4"},
                 "capacity":{"cpu":"8","nvidia.com/gpu":"1"},"allocatable":{"nvidia.com/gpu":"1"},
                 "addresses":[{"type":"InternalIP","address":"10.0.0.7"}],
                 "conditions":[{"type":"Ready","status":"True","reason":"KubeletReady",
                 "lastHeartbeatTime":"2026-01-01T00:00:00Z"}],"images":[{"names":["a","b"]}]}}
                """.formatted(name, name, gpu).replace("\"nvidia.com/gpu\":\"1\"",
                gpu ? "\"nvidia.com/gpu\":\"1\"" : "\"memory\":\"1Gi\""));
    }

    static ObjectNode pod(String namespace, String name, String node, int gpus) {
        return object("""
                {"metadata":{"namespace":"%s","name":"%s","uid":"%s-uid","labels":{"app":"%s"},
                 "ownerReferences":[{"kind":"ReplicaSet","name":"rs","controller":true}]},
                 "spec":{"nodeName":"%s","containers":[{"name":"main","env":[{"name":"A","value":"B"}],
                 "resources":{"limits":{"cpu":"1","nvidia.com/gpu":"%d"}}}]},
                 "status":{"phase":"Running","startTime":"2026-01-01T00:00:00Z",
                 "conditions":[{"type":"Ready","status":"True"}],
                 "containerStatuses":[{"name":"main","ready":true,"restartCount":2,
                 "state":{"running":{"startedAt":"2026-01-01T00:00:05Z"}}}]}}
                """.formatted(namespace, name, name, name, node, gpus));
    }

    @Override
    public void close() {
        server.stop();
    }
}
