package dev.pitwall.engine.live;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Endpoint;
import java.util.OptionalInt;

/** Makes connections to the model servers of one site. */
public interface Drivers extends AutoCloseable {

    /**
     * Contacts nobody yet. The driver is closed by whoever asked for it.
     *
     * @param name in the site
     */
    ServerDriver driver(String name, Endpoint endpoint);

    /**
     * Asks the site's cluster whether Kubemoot is there, whose agents load and unload models by themselves.
     *
     * @return how many model providers it has; empty where it is not there
     */
    OptionalInt kubemoot() throws TroubleException, InterruptedException;

    /** Ends what the drivers share. */
    @Override
    void close();
}
