package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.container.Backends;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HttpString;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;

/** The {@code proxy} subresource of services and pods. Answers are passed on as they come, so streams flow. */
final class Proxy implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    /** Headers that belong to one connection, and those that the client library sets itself. */
    private static final Set<String> NOT_PASSED = Set.of("connection", "host", "content-length", "transfer-encoding",
            "upgrade", "expect", "authorization", "keep-alive", "te", "trailer", "http2-settings", ":status");

    private final ObjectStore store;
    private final Backends backends;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT)
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newVirtualThreadPerTaskExecutor()).build();

    Proxy(ObjectStore store, Backends backends) {
        this.store = store;
        this.backends = backends;
    }

    void answer(Call call, RequestPath path) throws IOException {
        Target target = Target.of(path.name());
        Backend backend = path.plural().equals("services")
                ? service(path.namespace(), target) : pod(path.namespace(), target);
        try {
            pass(call.exchange(), backend, rest(call.exchange()));
        } catch (ConnectException e) {
            throw refused(backend.address());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    /** @param port a number or a port's name; empty for the only one */
    private record Target(String name, String port) {
        /** {@code NAME}, {@code NAME:PORT} or {@code SCHEME:NAME:PORT}. */
        static Target of(String text) {
            String[] parts = text.split(":", -1);
            return switch (parts.length) {
                case 1 -> new Target(parts[0], "");
                case 2 -> new Target(parts[0], parts[1]);
                case 3 -> new Target(parts[1], parts[2]);
                default -> throw ApiFailure.badRequest("invalid service request \"" + text + "\"");
            };
        }
    }

    /** @param address as the cluster would name it in an error */
    private record Backend(URI uri, String address) {
    }

    private Backend service(String namespace, Target target) {
        JsonNode service = store.get(new ObjectKey(Resource.SERVICES, namespace, target.name())).tree();
        JsonNode port = servicePort(service, target);
        JsonNode subset = store.find(new ObjectKey(Resource.ENDPOINTS, namespace, target.name()))
                .map(found -> found.tree().at("/subsets/0")).orElseThrow(() -> noEndpoints(target));
        String ip = subset.at("/addresses/0/ip").asText("");
        if (ip.isEmpty()) {
            throw noEndpoints(target);
        }
        String address = ip + ":" + port.path("targetPort").asText(port.path("port").asText());
        return backends.service(namespace, target.name(), port.path("port").asInt())
                .map(uri -> new Backend(uri, address)).orElseThrow(() -> noEndpoints(target));
    }

    private static JsonNode servicePort(JsonNode service, Target target) {
        JsonNode ports = service.at("/spec/ports");
        for (JsonNode port : ports) {
            boolean only = target.port().isEmpty() && ports.size() == 1;
            if (only || port.path("port").asText().equals(target.port())
                    || port.path("name").asText("").equals(target.port())) {
                return port;
            }
        }
        throw ApiFailure.serviceUnavailable("no service port \"" + target.port() + "\" found for service \""
                + target.name() + "\"");
    }

    private Backend pod(String namespace, Target target) {
        JsonNode pod = store.get(new ObjectKey(Resource.PODS, namespace, target.name())).tree();
        int port = podPort(pod, target);
        String ip = pod.at("/status/podIP").asText("");
        if (ip.isEmpty()) {
            throw ApiFailure.badRequest("address not allowed");
        }
        String address = ip + ":" + port;
        return backend(pod, port).map(uri -> new Backend(uri, address)).orElseThrow(() -> refused(address));
    }

    /** What answers on a port of a running pod; empty if nothing does. */
    Optional<URI> backend(JsonNode pod, int port) {
        return backends.pod(pod.at("/metadata/namespace").asText(), pod.at("/metadata/name").asText(), port);
    }

    private static int podPort(JsonNode pod, Target target) {
        if (target.port().isEmpty()) {
            return pod.at("/spec/containers/0/ports/0/containerPort").asInt(80);
        }
        for (JsonNode port : pod.at("/spec/containers/0/ports")) {
            if (port.path("name").asText("").equals(target.port())) {
                return port.path("containerPort").asInt();
            }
        }
        if (!target.port().matches("\\d{1,5}")) {
            throw ApiFailure.badRequest("invalid port \"" + target.port() + "\"");
        }
        return Integer.parseInt(target.port());
    }

    private static ApiFailure noEndpoints(Target target) {
        return ApiFailure.serviceUnavailable("no endpoints available for service \"" + target.name() + "\"");
    }

    private static ApiFailure refused(String address) {
        return ApiFailure.serviceUnavailable("error trying to reach service: dial tcp " + address
                + ": connect: connection refused");
    }

    /** What follows {@code /proxy}, still encoded, with the query. */
    private static String rest(HttpServerExchange exchange) {
        String raw = exchange.getRequestURI();
        int at = raw.indexOf("/proxy");
        String rest = raw.substring(at + "/proxy".length());
        String query = exchange.getQueryString();
        return (rest.isEmpty() ? "/" : rest) + (query.isEmpty() ? "" : "?" + query);
    }

    private void pass(HttpServerExchange exchange, Backend backend, String rest)
            throws IOException, InterruptedException {
        String base = backend.uri().toString().replaceAll("/$", "");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + rest))
                .method(exchange.getRequestMethod().toString(), body(exchange));
        exchange.getRequestHeaders().forEach(header -> {
            if (passed(header.getHeaderName().toString())) {
                header.forEach(value -> request.header(header.getHeaderName().toString(), value));
            }
        });
        HttpResponse<InputStream> response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        exchange.setStatusCode(response.statusCode());
        response.headers().map().forEach((name, values) -> {
            if (passed(name)) {
                values.forEach(value -> exchange.getResponseHeaders().add(new HttpString(name), value));
            }
        });
        try (InputStream in = response.body(); OutputStream out = exchange.getOutputStream()) {
            byte[] buffer = new byte[8192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                out.flush();
            }
        }
    }

    private static HttpRequest.BodyPublisher body(HttpServerExchange exchange) {
        String method = exchange.getRequestMethod().toString();
        return method.equals("GET") || method.equals("HEAD") ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofInputStream(exchange::getInputStream);
    }

    private static boolean passed(String header) {
        return !NOT_PASSED.contains(header.toLowerCase(Locale.ROOT));
    }
}
