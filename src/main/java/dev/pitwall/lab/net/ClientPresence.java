package dev.pitwall.lab.net;

import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Whether the client of a request is still there. Undertow does not read from a connection while a request is being
 * answered, so a hang-up has to be looked for.
 */
public final class ClientPresence {
    private final HttpServerExchange exchange;

    public ClientPresence(HttpServerExchange exchange) {
        this.exchange = exchange;
    }

    /** @throws InterruptedException if the client has closed the connection */
    public void require() throws InterruptedException {
        if (Thread.interrupted() || hasHungUp()) {
            throw new InterruptedException("the client went away");
        }
    }

    /** True once the client has closed the connection. */
    public boolean hasHungUp() {
        if (!(exchange.getConnection() instanceof HttpServerConnection connection)) {
            return !exchange.getConnection().isOpen();
        }
        try {
            return connection.getOriginalSourceConduit().read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true;
        }
    }
}
