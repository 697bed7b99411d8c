package dev.pitwall.link.kube;

import dev.pitwall.link.models.ServerWay;
import dev.pitwall.link.models.UrlWay;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.Endpoint;
import java.time.InstantSource;

/** The ways to model servers inside a cluster. Nothing is contacted before the first call. */
public final class ServerWays implements AutoCloseable {
    private final OpenServer open;
    private final NetworkTrouble troubles;

    public ServerWays(ClusterAccess access, NetworkTrouble troubles, InstantSource clock) {
        this.open = new OpenServer(access, troubles, clock);
        this.troubles = troubles;
    }

    /** @param name of the server in the site */
    public ServerWay to(String name, Endpoint endpoint) {
        return switch (endpoint) {
            case Endpoint.Url url -> new UrlWay(name, url.url(), troubles);
            case Endpoint.Service inside -> new ProxiedWay(open, ProxyPath.of(inside), name);
            case Endpoint.Pod inside -> new ProxiedWay(open, ProxyPath.of(inside), name);
        };
    }

    @Override
    public void close() {
        open.close();
    }
}
