package dev.pitwall.engine.live;

import dev.pitwall.site.Endpoint;

/** Makes connections to the model servers of one site. */
public interface Drivers extends AutoCloseable {

    /**
     * Contacts nobody yet. The driver is closed by whoever asked for it.
     *
     * @param name in the site
     */
    ServerDriver driver(String name, Endpoint endpoint);

    /** Ends what the drivers share. */
    @Override
    void close();
}
