package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.stream.Duplex;
import dev.pitwall.lab.kube.stream.SpdyConnection;
import dev.pitwall.lab.kube.stream.SpdyConnection.Stream;
import dev.pitwall.lab.kube.stream.Upgrades;
import dev.pitwall.lab.kube.stream.WebSocket;
import io.undertow.server.HttpServerExchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The {@code portforward} subresource: SPDY/3.1, either on its own or inside a WebSocket. A connection carries pairs of streams, one
 * for data and one for errors, that belong to a port of the pod.
 */
final class PortForwards {
    private static final Logger LOG = LoggerFactory.getLogger(PortForwards.class);
    private static final String PROTOCOL = "portforward.k8s.io";
    private static final String TUNNEL = "SPDY/3.1+portforward.k8s.io";
    private static final int BUFFER = 16 << 10;

    private final ObjectStore store;
    private final Proxy proxy;

    PortForwards(ObjectStore store, Proxy proxy) {
        this.store = store;
        this.proxy = proxy;
    }

    /** @throws ApiFailure 400 if the request is no upgrade that is known, or the pod is on no node */
    void answer(Call call, ResourceType type, RequestPath path) {
        HttpServerExchange exchange = call.exchange();
        JsonNode pod = store.get(Target.of(type, path).key()).tree();
        if (pod.at("/spec/nodeName").asText("").isEmpty()) {
            throw ApiFailure.badRequest("pod " + path.name() + " does not have a host assigned");
        }
        if (Upgrades.isWebSocket(exchange)) {
            Upgrades.protocol(exchange, List.of(TUNNEL)).orElseThrow(() -> ApiFailure.badRequest(
                    "unable to negotiate websocket protocol: the server accepts " + TUNNEL));
            Upgrades.toWebSocket(exchange, TUNNEL, connection -> {
                WebSocket socket = new WebSocket(connection);
                serve(pod, socket.stream(), socket.sink());
            });
        } else if (Upgrades.isSpdy(exchange)) {
            Upgrades.protocol(exchange, List.of(PROTOCOL)).orElseThrow(() -> ApiFailure.of(403, "Forbidden",
                    "unable to upgrade: unable to negotiate protocol: the server accepts [" + PROTOCOL + "]"));
            Upgrades.toSpdy(exchange, PROTOCOL, connection -> spdy(pod, connection));
        } else {
            throw ApiFailure.badRequest("Upgrade request required");
        }
    }

    private void spdy(JsonNode pod, Duplex connection) throws IOException {
        serve(pod, connection.in(), connection.out());
    }

    private void serve(JsonNode pod, InputStream in, OutputStream out) throws IOException {
        Map<String, Stream> errors = new ConcurrentHashMap<>();
        try (SpdyConnection connection = new SpdyConnection(in, out)) {
            connection.serve(stream -> {
                String request = stream.header("requestid");
                if (stream.header("streamtype").equals("error")) {
                    errors.put(request, stream);
                } else {
                    Optional<Stream> error = Optional.ofNullable(errors.remove(request));
                    Thread.ofVirtual().name("lab-port-forward").start(() -> forward(pod, stream, error));
                }
            });
        }
    }

    private void forward(JsonNode pod, Stream data, Optional<Stream> error) {
        int port = data.header("port").matches("\\d{1,5}") ? Integer.parseInt(data.header("port")) : 0;
        try {
            Optional<URI> backend = proxy.backend(pod, port);
            if (backend.isEmpty()) {
                tell(error, "error forwarding port " + port + " to pod " + pod.at("/metadata/uid").asText()
                        + ", uid : failed to connect to localhost:" + port + ": dial tcp4 127.0.0.1:" + port
                        + ": connect: connection refused");
            } else {
                connect(backend.get(), data);
            }
            data.finish();
            if (error.isPresent()) {
                error.get().finish();
            }
        } catch (IOException e) {
            LOG.debug("a forwarded port ended: {}", e.toString());
        }
    }

    private static void tell(Optional<Stream> error, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (error.isPresent()) {
            error.get().write(bytes, 0, bytes.length);
        }
    }

    private static void connect(URI backend, Stream data) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), backend.getPort())) {
            Thread sending = Thread.ofVirtual().name("lab-port-forward-in").start(() -> send(data, socket));
            byte[] buffer = new byte[BUFFER];
            InputStream in = socket.getInputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                data.write(buffer, 0, count);
            }
            sending.interrupt();
        }
    }

    private static void send(Stream data, Socket socket) {
        try {
            data.in().transferTo(socket.getOutputStream());
            socket.shutdownOutput();
        } catch (InterruptedIOException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.debug("a forwarded port takes no more: {}", e.toString());
        }
    }
}
