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

    /** The release of a node. */
    PveVersion version(String node) {
        return world.read(w -> PveVersion.of(w.hosts.get(node)));
    }

    /** All that is answered, as {@code GET /version}. */
    List<String> answered() {
        return routes.answered();
    }

    /**
     * What no route answers is refused as a method that is not there; this is the one place that says so, for what a real
     * Proxmox has as for what it has not.
     *
     * @param here the node that was asked
     * @return the {@code data} of the answer; null means none
     */
    Object answer(String here, PveRequest request) throws PveError, InterruptedException {
        Optional<RouteTable.Found> found = routes.find(request.method(), request.path())
                .filter(one -> one.route().existsIn(version(here)));
        boolean open = found.filter(f -> f.route().access(version(here)) instanceof AccessRule.World).isPresent();
        Optional<Caller> caller = open ? Optional.empty() : Optional.of(doorman.caller(request));
        RouteTable.Route route = found.map(RouteTable.Found::route).orElseThrow(() ->
                PveError.of(501, "Method '" + request.method() + " " + request.path() + "' not implemented"));
        refuseTokenWhereTicketIsNeeded(route, request);

        return answer(here, found.get(), caller, request.parameters());
    }

    /** The same for a program on a host, which is root and shows no ticket. */
    Object answerRoot(String here, String method, String path, Map<String, List<String>> given)
            throws PveError, InterruptedException {
        RouteTable.Found found = routes.find(method, path).filter(one -> one.route().existsIn(version(here)))
                .orElseThrow(() -> PveError.of(501, "Method '" + method + " " + path + "' not implemented"));
        return answer(here, found, Optional.of(new Caller.User(Rights.ROOT)), given);
    }

    private Object answer(String here, RouteTable.Found found, Optional<Caller> caller,
                          Map<String, List<String>> given) throws PveError, InterruptedException {
        RouteTable.Route route = found.route();
        Map<String, List<String>> parameters = new HashMap<>(given);
        found.pathParameters().forEach((name, value) -> parameters.put(name, List.of(value)));
        Optional<String> refusal = caller.flatMap(c -> world.read(w ->
                route.access(version(here)).refusal(rights, c, parameters)));
        if (refusal.isPresent()) {
            throw PveError.forbidden(refusal.get());
        }
        Optional<String> named = route.isForwarded() ? Optional.ofNullable(found.pathParameters().get("node"))
                : route.forwardedBy().flatMap(name -> parameters.getOrDefault(name, List.of()).stream().findFirst());
        String node = node(here, named);
        if (route.isForwarded()) {
            parameters.put("node", List.of(node));
        }
        route.check().check(parameters, version(node).major());
        return route.handler().answer(new ApiCall(node, caller, parameters));
    }

    private static void refuseTokenWhereTicketIsNeeded(RouteTable.Route route, PveRequest request) throws PveError {
        boolean byToken = request.cookie().isEmpty() && request.authorization().isPresent();
        if (byToken && !route.token()) {
            throw PveError.of(403, "not available with API token, need proper ticket.");
        }
    }

    /** The node that is to answer: the named one, if it is there. [facts: proxmox.md 1.1: 595, 596] */
    private String node(String here, Optional<String> target) throws PveError, InterruptedException {
        String named = target.filter(name -> !name.equals("localhost")).orElse(here);
        Optional<LabHost> host = world.read(w -> Optional.ofNullable(w.hosts.get(named)).filter(h -> h.proxmox));
        if (host.isEmpty()) {
            throw PveError.of(596, "no such cluster node '" + named + "'");
        }
        if (!named.equals(here) && world.read(w -> !host.get().answers())) {
            Thread.sleep(patience);
            throw PveError.of(595, "No route to host");
        }
        return named;
    }
}
