package dev.pitwall.site;

import dev.pitwall.card.TroubleException;

/**
 * One source that is asked again and again. A probe keeps its connection between reads and owns it.
 */
public interface Probe<T> extends AutoCloseable {

    /**
     * Asks once. Blocks; bounded by the probe's own time limits; stops early when the thread is interrupted.
     *
     * @throws TroubleException if there is no usable answer
     */
    T read() throws TroubleException, InterruptedException;

    /** Ends the connection; a read in progress fails. */
    @Override
    void close();
}
