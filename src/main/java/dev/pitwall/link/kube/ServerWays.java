package dev.pitwall.link.kube;

import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.charge.Leases;
import dev.pitwall.link.models.ServerWay;
import dev.pitwall.link.models.UrlWay;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.Endpoint;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;

/** The ways to model servers inside a cluster. Nothing is contacted before the first call. */
public final class ServerWays implements AutoCloseable {
    private static final String PROVIDERS = "/apis/kubemoot.ai/v1alpha1/modelproviders";

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

    /** How many model providers Kubemoot has here; empty where its kind is not known. */
    public OptionalInt kubemoot() throws TroubleException {
        try {
            return OptionalInt.of(open.server().get(PROVIDERS, "list modelproviders").path("items").size());
        } catch (ApiRefusal refusal) {
            if (refusal.absent()) {
                return OptionalInt.empty();
            }
            throw new TroubleException(refusal.trouble(), refusal);
        }
    }

    /** @param namespace of the engines' Lease; empty takes that of one that is there, else {@code default} */
    public Leases leases(Optional<String> namespace) {
        return new KubeLeases(open, namespace);
    }

    @Override
    public void close() {
        open.close();
    }
}
