package dev.pitwall.link;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/** An HTTP server on a real loopback socket that answers byte for byte what a test says, cuts and stalls included. */
public final class ScriptedServer implements AutoCloseable {
    private final ServerSocket socket;
    private final String scheme;
    private final Function<Request, Reply> script;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param path with its query */
    public record Request(String method, String path, Map<String, String> headers, String body) {
        public String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }

    /**
     * @param announced length in the header; more than the body means a cut
     * @param stalls    true to send nothing at all
     */
    public record Reply(int status, String reason, String type, String body, int announced, String extra,
                        boolean stalls) {
        public static Reply json(String body) {
            return of(200, "OK", "application/json;charset=UTF-8", body);
        }

        public static Reply html(String body) {
            return of(200, "OK", "text/html; charset=utf-8", body);
        }

        public static Reply of(int status, String reason, String type, String body) {
            return new Reply(status, reason, type, body, body.getBytes(StandardCharsets.UTF_8).length, "", false);
        }

        /** An error as Proxmox before 8.4 sends it: all there is to read is the reason phrase. */
        public static Reply reasonOnly(int status, String reason) {
            return of(status, reason, "application/json;charset=UTF-8", "{\"data\":null}");
        }

        public static Reply stalling() {
            return new Reply(200, "OK", "text/plain", "", 0, "", true);
        }

        public Reply cutAfter(String part) {
            return new Reply(status, reason, type, part, announced, extra, false);
        }

        public Reply with(String header) {
            return new Reply(status, reason, type, body, announced, extra + header + "\r\n", stalls);
        }
    }

    private ScriptedServer(ServerSocket socket, String scheme, Function<Request, Reply> script) {
        this.socket = socket;
        this.scheme = scheme;
        this.script = script;
        Thread.ofVirtual().start(this::accept);
    }

    public static ScriptedServer plain(Function<Request, Reply> script) {
        try {
            return new ScriptedServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), "http", script);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static ScriptedServer tls(TestCertificate certificate, Function<Request, Reply> script) {
        try {
            return new ScriptedServer(certificate.context().getServerSocketFactory()
                    .createServerSocket(0, 50, InetAddress.getLoopbackAddress()), "https", script);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A port on which nothing listens. */
    public static int closedPort() {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public int port() {
        return socket.getLocalPort();
    }

    public URI uri() {
        return URI.create(scheme + "://127.0.0.1:" + port());
    }

    /** What came in, in order. */
    public List<Request> requests() {
        return requests;
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                open.add(client);
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                if (!line.endsWith(" HTTP/1.1")) {
                    refuse(client, in);
                    return;
                }
                Reply reply = reply(in, line);
                if (reply.stalls()) {
                    closed.await();
                    return;
                }
                client.getOutputStream().write(bytes(reply));
                client.getOutputStream().flush();
                if (reply.announced() > reply.body().getBytes(StandardCharsets.UTF_8).length || reply.status() >= 400) {
                    return;
                }
            }
        } catch (IOException e) {
            // The client hung up, as in a refused handshake.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is no HTTP, such as a TLS handshake, gets the answer that web servers give. */
    private static void refuse(Socket client, InputStream in) throws IOException {
        client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        client.shutdownOutput();
        in.transferTo(OutputStream.nullOutputStream());
    }

    private Reply reply(InputStream in, String line) throws IOException {
        Map<String, String> headers = new TreeMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            headers.put(header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        String[] words = line.split(" ");
        Request request = new Request(words[0], words.length > 1 ? words[1] : "", headers, body);
        requests.add(request);
        return script.apply(request);
    }

    private static byte[] bytes(Reply reply) {
        return ("HTTP/1.1 " + reply.status() + " " + reply.reason() + "\r\nContent-Type: " + reply.type()
                + "\r\nContent-Length: " + reply.announced() + "\r\n" + reply.extra() + "\r\n" + reply.body())
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int b;
        while ((b = in.read()) >= 0 && b != '\n') {
            line.write(b);
        }
        return line.toString(StandardCharsets.UTF_8).strip();
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            socket.close();
            for (Socket client : open) {
                client.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
