package dev.pitwall.link.models;

import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.http.Limits;

/** A way to the port of one model server: straight, or through an API server. */
public interface ServerWay extends AutoCloseable {

    /**
     * A reader for one exchange or a few; whoever asks closes it. Nothing is contacted yet.
     *
     * @throws TroubleException if there is no way: an address that is none, a kubeconfig that cannot be used
     */
    HttpReader reader(Limits limits) throws TroubleException;

    @Override
    void close();
}
