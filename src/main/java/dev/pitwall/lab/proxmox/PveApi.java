package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The API of a Proxmox cluster, whichever node is asked: finds the method, sees who calls and whether they may, and
 * lets it answer. A node that is asked about another one asks that one, and fails if it is silent.
 */
final class PveApi {
    private final World world;
    private final RouteTable routes;
    private final Doorman doorman;
    private final Rights rights;
    private final Duration patience;

    /** @param patience how long a node waits for another that is silent */
    PveApi(World world, RouteTable routes, Doorman doorman, Rights rights, Duration patience) {
        this.world = world;
        this.routes = routes;
        this.doorman = doorman;
        this.rights = rights;
        this.patience = patience;
    }

    /**
     * @param here the node that was asked
     * @return the {@code data} of the answer; null means none
     */
    Object answer(String here, PveRequest request) throws PveError, InterruptedException {
        Optional<RouteTable.Found> found = routes.find(request.method(), request.path());
        boolean open = found.filter(f -> f.route().access() instanceof AccessRule.World).isPresent();
        Optional<Caller> caller = open ? Optional.empty() : Optional.of(doorman.caller(request));
        RouteTable.Route route = found.map(RouteTable.Found::route).orElseThrow(() ->
                PveError.of(501, "Method '" + request.method() + " " + request.path() + "' not implemented"));
        refuseTokenWhereTicketIsNeeded(route, request);

        Map<String, List<String>> parameters = new HashMap<>(request.parameters());
        found.get().pathParameters().forEach((name, value) -> parameters.put(name, List.of(value)));
        Optional<String> refusal = caller.flatMap(c -> world.read(w -> route.access().refusal(rights, c, parameters)));
        if (refusal.isPresent()) {
            throw PveError.forbidden(refusal.get());
        }
        String node = node(here, found.get().pathParameters().get("node"));
        parameters.computeIfPresent("node", (name, value) -> List.of(node));
        route.check().check(parameters);
        return route.handler().answer(new ApiCall(node, caller, parameters));
    }

    private static void refuseTokenWhereTicketIsNeeded(RouteTable.Route route, PveRequest request) throws PveError {
        boolean byToken = request.cookie().isEmpty() && request.authorization().isPresent();
        if (byToken && !route.token()) {
            throw PveError.of(403, "not available with API token, need proper ticket.");
        }
    }

    /** The node that is to answer: the named one, if it is there. [facts: proxmox.md 1.1: 595, 596] */
    private String node(String here, String named) throws PveError, InterruptedException {
        if (named == null || named.equals("localhost")) {
            return here;
        }
        Optional<LabHost> host = world.read(w -> Optional.ofNullable(w.hosts.get(named)).filter(h -> h.proxmox));
        if (host.isEmpty()) {
            throw PveError.of(596, "no such cluster node '" + named + "'");
        }
        if (!named.equals(here) && world.read(w -> host.get().silent)) {
            Thread.sleep(patience);
            throw PveError.of(595, "No route to host");
        }
        return named;
    }
}
