package dev.pitwall.lab;

import java.util.List;

/** One of the lab's servers: it answers from the world and stops without a trace. */
public interface LabServer extends AutoCloseable {

    /** Where it can be reached, in a fixed order. */
    List<LabEndpoint> endpoints();

    /** Stops it; sockets, threads and timers are gone when this returns. */
    @Override
    void close();
}
