package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabUser;
import dev.pitwall.lab.world.World;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What is below {@code /access}: realms, signing in, rights, second factors. */
final class AccessCalls {
    private static final Map<String, String> CAPABILITIES = Map.of("access", "/access", "dc", "/", "mapping", "/mapping",
            "nodes", "/nodes", "sdn", "/sdn", "storage", "/storage", "vms", "/vms");

    private final World world;
    private final Doorman doorman;
    private final Rights rights;

    AccessCalls(World world, Doorman doorman, Rights rights) {
        this.world = world;
        this.doorman = doorman;
        this.rights = rights;
    }

    void addTo(RouteTable routes) {
        routes.add("GET /access/ticket", call -> null);
        routes.add("POST /access/ticket", this::ticket);
        routes.add("GET /access/domains", call -> List.of(
                Map.of("realm", "pam", "type", "pam", "comment", "Linux PAM standard authentication", "default", 1),
                Map.of("realm", "pve", "type", "pve", "comment", "Proxmox VE authentication server")));
        routes.add("GET /access/permissions", this::permissions);
        routes.add("GET /access/tfa", this::secondFactors);
    }

    private Object ticket(ApiCall call) throws PveError {
        String name = call.need("username");
        String user = call.text("realm").filter(realm -> !name.contains("@")).map(realm -> name + "@" + realm).orElse(name);
        Doorman.Ticket ticket = doorman.signIn(user, call.need("password"), call.text("tfa-challenge"));
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("username", user);
        data.put("ticket", ticket.ticket());
        data.put("CSRFPreventionToken", ticket.csrf());
        if (ticket.needsSecondFactor()) {
            data.put("NeedTFA", 1);
        } else {
            data.put("clustername", world.read(w -> w.cluster));
            data.put("cap", world.read(w -> capabilities(new Caller.User(user))));
        }
        return data;
    }

    private Map<String, Map<String, Integer>> capabilities(Caller caller) {
        Map<String, Map<String, Integer>> capabilities = new TreeMap<>();
        CAPABILITIES.forEach((name, path) -> capabilities.put(name, ones(rights.at(caller, path))));
        return capabilities;
    }

    private Object permissions(ApiCall call) throws PveError {
        Caller caller = call.login();
        String about = call.text("userid").orElse(caller.id());
        if (!about.equals(caller.id()) && !about.startsWith(caller.id() + "!")
                && !world.read(w -> rights.at(caller, "/access")).contains("Sys.Audit")) {
            throw PveError.forbidden("/access, Sys.Audit");
        }
        Caller whose = about.contains("!") ? new Caller.Token(about) : new Caller.User(about);
        if (!world.read(w -> w.users.containsKey(about) || w.tokens.containsKey(about))) {
            throw PveError.died("no such user ('" + about + "')");
        }
        Map<String, Object> data = new TreeMap<>();
        world.read(w -> call.text("path").map(path -> Map.of(path, rights.at(whose, path)))
                .orElseGet(() -> rights.of(whose))).forEach((path, has) -> data.put(path, ones(has)));
        return data;
    }

    private Object secondFactors(ApiCall call) {
        Caller caller = call.login();
        return world.read(w -> w.users.values().stream()
                .filter(user -> user.id().equals(caller.id()) || rights.at(caller, "/access").contains("Sys.Audit"))
                .map(AccessCalls::factors).toList());
    }

    private static Map<String, Object> factors(LabUser user) {
        List<Map<String, Object>> entries = user.totp().map(secret -> List.of(Map.<String, Object>of(
                "id", "totp", "type", "totp", "description", "phone", "enable", 1, "created", 0))).orElse(List.of());
        return Map.of("userid", user.id(), "entries", entries);
    }

    private static Map<String, Integer> ones(Set<String> privileges) {
        Map<String, Integer> ones = new TreeMap<>();
        privileges.forEach(privilege -> ones.put(privilege, 1));
        return ones;
    }
}
