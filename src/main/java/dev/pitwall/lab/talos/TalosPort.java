package dev.pitwall.lab.talos;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.TlsServerCredentials;
import io.grpc.okhttp.OkHttpServerBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;

/**
 * One node's machine API on loopback: gRPC over TLS, with a client certificate or not at all. It can fall silent and
 * answer again on the same port.
 */
final class TalosPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TalosPort.class);
    /** It tells of every client without a certificate with a stack trace; held, so that its level stays. */
    private static final java.util.logging.Logger HANDSHAKES =
            java.util.logging.Logger.getLogger("io.grpc.okhttp.OkHttpServerTransport");

    private final TlsServerCredentials tls;
    private final ServerInterceptor door;
    private final List<BindableService> services;
    private final ExecutorService calls;
    private final String node;
    private Server server;
    private int port;

    TalosPort(TalosAuthority authority, String node, ServerInterceptor door, List<BindableService> services)
            throws IOException {
        HANDSHAKES.setLevel(Level.WARNING);
        this.node = node;
        this.door = door;
        this.services = services;
        this.tls = (TlsServerCredentials) TlsServerCredentials.newBuilder().keyManager(authority.serverKeys(node))
                .trustManager(authority.clientTrust()).clientAuth(TlsServerCredentials.ClientAuth.REQUIRE).build();
        this.calls = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("lab-talos-api-", 0).factory());
        open();
    }

    private void open() throws IOException {
        OkHttpServerBuilder builder = OkHttpServerBuilder.forPort(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), tls).executor(calls);
        services.forEach(service -> builder.addService(ServerInterceptors.intercept(service, door)));
        server = builder.build().start();
        port = server.getPort();
    }

    int number() {
        return port;
    }

    /** @param on false closes the port and its connections */
    synchronized void turn(boolean on) {
        try {
            if (on) {
                open();
            } else {
                stop();
            }
        } catch (IOException e) {
            LOG.warn("the Talos port {} of lab node {} could not be opened again", port, node, e);
        }
    }

    private void stop() {
        server.shutdownNow();
        try {
            server.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized void close() {
        stop();
        calls.shutdownNow();
    }
}
