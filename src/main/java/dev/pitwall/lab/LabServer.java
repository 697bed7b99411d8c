package dev.pitwall.lab;

import dev.pitwall.card.TroubleException;

import java.io.IOException;
import java.util.List;

/** One of the lab's servers: it answers from the world and stops without a trace. */
public interface LabServer extends AutoCloseable {

    /** Starts a server; it answers when this returns. */
    @FunctionalInterface
    interface Starter {
        LabServer start(LabContext lab) throws IOException, TroubleException;
    }

    /** Where it can be reached, in a fixed order. */
    List<LabEndpoint> endpoints();

    /** Adds what a client needs to connect to the site file. */
    default void describe(LabSite site) {
    }

    /** Stops it; sockets, threads and timers are gone when this returns. */
    /** Sessions that clients hold open now, for servers that do not speak HTTP. */
    default int sessions() {
        return 0;
    }

    @Override
    void close();
}
