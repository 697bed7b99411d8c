package dev.pitwall.link.kube;

import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.models.ServerWay;
import dev.pitwall.link.trust.Service;

/**
 * To a model server through the API server's proxy. It takes a proxied call for one that runs long, so it bounds no load
 * (kubernetes: long-running requests), and passes on that a client has gone.
 */
final class ProxiedWay implements ServerWay {
    private final OpenServer open;
    private final ProxyPath path;
    private final String name;

    ProxiedWay(OpenServer open, ProxyPath path, String name) {
        this.open = open;
        this.path = path;
        this.name = name;
    }

    @Override
    public HttpReader reader(Limits limits) throws TroubleException {
        open.reopenIfChanged();
        return path.reader(open.server(), Service.MODELS, name, limits);
    }

    /** The connection to the API server is of all ways of the cluster. */
    @Override
    public void close() {
        // Nothing is its own.
    }
}
