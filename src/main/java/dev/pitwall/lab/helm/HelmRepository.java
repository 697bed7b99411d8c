package dev.pitwall.lab.helm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.LabContext;
import dev.pitwall.lab.LabEndpoint;
import dev.pitwall.lab.LabServer;
import dev.pitwall.lab.LabSite;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.net.LabHttp;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A chart repository over plain HTTP: {@code /index.yaml} and the archives it names. Anything else is not there, and
 * nothing can be written. [helm.sh: The Chart Repository Guide]
 */
public final class HelmRepository implements LabServer {
    private static final String LISTENER = "helm";
    private static final String INDEX = "/index.yaml";

    private final LabHttp http;
    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private final URI uri;
    private boolean closed;

    public HelmRepository(LabHttp http, InstantSource clock, Charts charts) {
        this.http = http;
        List<ChartArchive> archives = charts.all().stream().map(ChartArchive::of).toList();
        archives.forEach(archive -> files.put("/" + archive.chart().archiveName(), archive.bytes()));
        files.put(INDEX, index(archives, clock));
        InetSocketAddress address = http.listen(LISTENER, Optional.empty(), this::answer);
        uri = URI.create("http://127.0.0.1:" + address.getPort());
    }

    /** Starts a lab's repository. */
    public static HelmRepository start(LabContext lab) {
        return new HelmRepository(lab.http(), lab.world().clock(), Charts.load());
    }

    /** What {@code helm repo add NAME} takes. */
    public URI uri() {
        return uri;
    }

    private static byte[] index(List<ChartArchive> archives, InstantSource clock) {
        ObjectNode index = Json.object().put("apiVersion", "v1").put("generated", clock.instant().toString());
        ObjectNode entries = index.putObject("entries");
        for (ChartArchive archive : archives) {
            ObjectNode entry = entries.withArray(archive.chart().name()).addObject();
            entry.setAll(archive.chart().metadata());
            entry.put("created", archive.chart().created().toString()).put("digest", archive.digest());
            entry.putArray("urls").add(archive.chart().archiveName());
        }
        try {
            return new YAMLMapper().writeValueAsBytes(index);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(HttpServerExchange exchange) {
        Optional<byte[]> file = Optional.ofNullable(files.get(exchange.getRequestPath()));
        boolean reads = exchange.getRequestMethod().equals(Methods.GET) || exchange.getRequestMethod().equals(Methods.HEAD);
        if (!reads) {
            exchange.setStatusCode(StatusCodes.METHOD_NOT_ALLOWED);
            exchange.getResponseHeaders().put(Headers.ALLOW, "GET, HEAD");
            return;
        }
        if (file.isEmpty()) {
            exchange.setStatusCode(StatusCodes.NOT_FOUND);
            send(exchange, "text/plain", "404 page not found\n".getBytes(StandardCharsets.US_ASCII));
            return;
        }
        send(exchange, exchange.getRequestPath().equals(INDEX) ? "text/yaml" : "application/gzip", file.get());
    }

    private static void send(HttpServerExchange exchange, String type, byte[] bytes) {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, type);
        exchange.setResponseContentLength(bytes.length);
        if (exchange.getRequestMethod().equals(Methods.HEAD)) {
            return;
        }
        exchange.getResponseSender().send(ByteBuffer.wrap(bytes));
    }

    @Override
    public List<LabEndpoint> endpoints() {
        return List.of(new LabEndpoint("helm", "charts", uri));
    }

    /** It has the charts of all three makers. */
    @Override
    public void describe(LabSite site) {
        List.of("gpu-operator-charts", "device-plugin-charts", "ollama-charts").forEach(maker -> site.source(maker, uri));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            http.remove(LISTENER);
        }
    }
}
