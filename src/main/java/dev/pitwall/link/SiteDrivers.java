package dev.pitwall.link;

import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.charge.Leases;
import dev.pitwall.engine.live.Drivers;
import dev.pitwall.engine.live.ServerDriver;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.kube.ServerWays;
import dev.pitwall.link.models.ModelServerDriver;
import dev.pitwall.link.models.ServerWay;
import dev.pitwall.link.models.UrlWay;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.Site;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;

/** The model servers of one site: those at an address straight, those of its cluster through the API server. */
public final class SiteDrivers implements Drivers {
    private final Optional<ServerWays> cluster;
    private final NetworkTrouble troubles;
    private final Limits reading;
    private final InstantSource clock;

    public SiteDrivers(Site site, TimeLimits limits, NetworkTrouble troubles, InstantSource clock) {
        this.cluster = site.cluster().map(access -> new ServerWays(access, troubles, clock));
        this.troubles = troubles;
        this.reading = limits.models();
        this.clock = clock;
    }

    @Override
    public ServerDriver driver(String name, Endpoint endpoint) {
        return new ModelServerDriver(way(name, endpoint), reading, clock);
    }

    private ServerWay way(String name, Endpoint endpoint) {
        return switch (endpoint) {
            case Endpoint.Url url -> new UrlWay(name, url.url(), troubles);
            case Endpoint.Service _, Endpoint.Pod _ -> cluster.map(c -> c.to(name, endpoint)).orElseThrow(() ->
                    new IllegalArgumentException(name + " is in a cluster, and the site has none"));
        };
    }

    @Override
    public OptionalInt kubemoot() throws TroubleException, InterruptedException {
        return cluster.isPresent() ? cluster.get().kubemoot() : OptionalInt.empty();
    }

    /** @param namespace of the engines' Lease; empty takes that of one that is there. Empty for a site without a cluster */
    public Optional<Leases> leases(Optional<String> namespace) {
        return cluster.map(ways -> ways.leases(namespace));
    }

    @Override
    public void close() {
        cluster.ifPresent(ServerWays::close);
    }
}
