package dev.pitwall.lab.net;

import io.undertow.UndertowOptions;
import io.undertow.connector.ByteBufferPool;
import io.undertow.protocols.ssl.UndertowXnioSsl;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.ServerConnection;
import io.undertow.server.protocol.http.HttpOpenListener;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.SslClientAuthMode;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * All HTTP listeners of one lab, on loopback. They share two I/O threads; each request is handled on a virtual thread
 * of its own, in blocking mode, so a handler may wait and stream as long as it likes.
 *
 * <p>A listener can fall silent and answer again on the same port, as a host does that is switched off and on.
 */
public final class LabHttp implements AutoCloseable {
    /** Proxmox takes 512 KiB and Kubernetes 3 MiB; each server refuses what is too much for it. */
    private static final long MAX_BODY_BYTES = 8L << 20;
    private static final int BUFFER_BYTES = 16 << 10;
    /** A TLS record of 16 KiB and what is around it. */
    private static final int RECORD_BYTES = 17 << 10;
    private static final OptionMap SOCKETS = OptionMap.builder()
            .set(Options.TCP_NODELAY, true)
            .set(Options.REUSE_ADDRESSES, true)
            .set(Options.BACKLOG, 1000)
            .set(Options.SSL_CLIENT_AUTH_MODE, SslClientAuthMode.REQUESTED)
            .getMap();

    private final XnioWorker worker;
    private final ByteBufferPool buffers = new DefaultByteBufferPool(false, BUFFER_BYTES, 64, 0);
    private final ByteBufferPool records = new DefaultByteBufferPool(false, RECORD_BYTES, 64, 0);
    private final ExecutorService handlers =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("lab-http-", 0).factory());
    private final Map<String, Listener> listeners = new LinkedHashMap<>();
    private boolean closed;

    public LabHttp() {
        try {
            worker = Xnio.getInstance(LabHttp.class.getClassLoader()).createWorker(OptionMap.builder()
                    .set(Options.WORKER_NAME, "lab-http")
                    .set(Options.WORKER_IO_THREADS, 2)
                    .set(Options.WORKER_TASK_CORE_THREADS, 1)
                    .set(Options.WORKER_TASK_MAX_THREADS, 4)
                    .set(Options.THREAD_DAEMON, true)
                    .set(Options.TCP_NODELAY, true)
                    .getMap());
        } catch (IOException e) {
            throw new UncheckedIOException("the lab's HTTP servers could not start", e);
        }
    }

    /**
     * Opens a listener on a free port of 127.0.0.1.
     *
     * @param name    unique in this lab
     * @param tls     a client certificate is asked for but not required
     * @param handler called on a virtual thread, in blocking mode
     * @throws UncheckedIOException if no port can be had
     */
    public InetSocketAddress listen(String name, Optional<SSLContext> tls, HttpHandler handler) {
        return listen(name, 0, tls, handler);
    }

    /** As {@link #listen(String, Optional, HttpHandler)}, on a wanted port; 0 means any. */
    public InetSocketAddress listen(String name, int port, Optional<SSLContext> tls, HttpHandler handler) {
        return listen(name, port, tls, Optional.empty(), handler);
    }

    /**
     * As {@link #listen(String, int, Optional, HttpHandler)}, with an end for idle connections.
     *
     * @param idle how long a connection may wait for its next request; empty means for ever
     */
    public synchronized InetSocketAddress listen(String name, int port, Optional<SSLContext> tls,
                                                 Optional<Duration> idle, HttpHandler handler) {
        if (closed) {
            throw new IllegalStateException("this lab's HTTP servers are closed");
        }
        if (listeners.containsKey(name)) {
            throw new IllegalArgumentException("there is a listener " + name + " already");
        }
        Listener listener = new Listener(tls, idle, handler);
        listener.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        listeners.put(name, listener);
        return listener.address;
    }

    /** Closes a listener and its connections and keeps its port: new connections are refused. */
    public synchronized void silence(String name) {
        listener(name).silence();
    }

    /** Lets a silent listener answer again, on the port it had. */
    public synchronized void answer(String name) {
        listener(name).answer();
    }

    /** Connections that clients hold open now, by listener. */
    public synchronized Map<String, Integer> connections() {
        Map<String, Integer> open = new LinkedHashMap<>();
        listeners.forEach((name, listener) -> open.put(name, listener.connections.size()));
        return open;
    }

    /** Closes a listener for good. */
    public synchronized void remove(String name) {
        listener(name).shut();
        listeners.remove(name);
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        handlers.shutdownNow();
        listeners.values().forEach(Listener::shut);
        listeners.clear();
        worker.shutdownNow();
        try {
            worker.awaitTermination(5, TimeUnit.SECONDS);
            handlers.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        buffers.close();
        records.close();
    }

    private Listener listener(String name) {
        Listener listener = listeners.get(name);
        if (listener == null) {
            throw new IllegalArgumentException("there is no listener " + name);
        }
        return listener;
    }

    private final class Listener {
        private final Optional<SSLContext> tls;
        private final Optional<Duration> idle;
        private final HttpHandler handler;
        /** Stopping a server leaves its connections open when the worker is shared, so they are counted here. */
        private final Set<ServerConnection> connections = ConcurrentHashMap.newKeySet();
        private InetSocketAddress address;
        private AcceptingChannel<? extends StreamConnection> channel;
        private Socket placeholder;

        Listener(Optional<SSLContext> tls, Optional<Duration> idle, HttpHandler handler) {
            this.tls = tls;
            this.idle = idle;
            this.handler = handler;
        }

        void open(InetSocketAddress wanted) {
            OptionMap.Builder server = OptionMap.builder()
                    .set(UndertowOptions.BUFFER_PIPELINED_DATA, true)
                    .set(UndertowOptions.MAX_ENTITY_SIZE, MAX_BODY_BYTES)
                    .set(UndertowOptions.ALLOW_UNESCAPED_CHARACTERS_IN_URL, true)
                    .set(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false);
            idle.ifPresent(longest -> server.set(UndertowOptions.NO_REQUEST_TIMEOUT,
                    Math.toIntExact(longest.toMillis())));
            HttpOpenListener http = new HttpOpenListener(buffers, server.getMap());
            http.setRootHandler(this::onRequest);
            try {
                channel = accepting(wanted, http);
            } catch (IOException e) {
                throw new UncheckedIOException("port " + wanted.getPort() + " on 127.0.0.1 cannot be opened", e);
            }
            channel.resumeAccepts();
            address = channel.getLocalAddress(InetSocketAddress.class);
        }

        /** Undertow's own builder gives TLS direct buffers, which the JDK warns of when they are freed. */
        private AcceptingChannel<? extends StreamConnection> accepting(InetSocketAddress wanted, HttpOpenListener http)
                throws IOException {
            if (tls.isEmpty()) {
                return worker.createStreamConnectionServer(wanted, ChannelListeners.openListenerAdapter(http), SOCKETS);
            }
            return new UndertowXnioSsl(worker.getXnio(), OptionMap.EMPTY, records, tls.get())
                    .createSslConnectionServer(worker, wanted, ChannelListeners.openListenerAdapter(http), SOCKETS);
        }

        private void onRequest(HttpServerExchange exchange) {
            ServerConnection connection = exchange.getConnection();
            if (connections.add(connection)) {
                connection.addCloseListener(connections::remove);
            }
            exchange.dispatch(handlers, blocking -> {
                blocking.startBlocking();
                try {
                    handler.handleRequest(blocking);
                } catch (InterruptedException e) {
                    // The lab closes; there is nobody left to answer.
                    IoUtils.safeClose(connection);
                }
            });
        }

        /** A socket that is bound but does not listen refuses connections and keeps the port from others. */
        void silence() {
            if (channel == null) {
                return;
            }
            stopServer();
            try {
                placeholder = new Socket();
                placeholder.setReuseAddress(true);
                placeholder.bind(address);
            } catch (IOException e) {
                // The port may then be taken by another process; answer() says so if it is.
                shutPlaceholder();
            }
        }

        void answer() {
            if (channel != null) {
                return;
            }
            shutPlaceholder();
            open(address);
        }

        void shut() {
            stopServer();
            shutPlaceholder();
        }

        private void stopServer() {
            if (channel != null) {
                IoUtils.safeClose(channel);
                channel = null;
                connections.forEach(IoUtils::safeClose);
                connections.clear();
            }
        }

        private void shutPlaceholder() {
            if (placeholder != null) {
                try {
                    placeholder.close();
                } catch (IOException e) {
                    // Nothing is lost: the socket was never connected.
                }
                placeholder = null;
            }
        }
    }
}
