package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabAcl;
import dev.pitwall.lab.world.LabToken;
import dev.pitwall.lab.world.LabUser;
import dev.pitwall.lab.world.World;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Users, tokens, roles and who has which role where. What a scene gives a user or a token directly is shown as a role of
 * its own, named {@code lab-} and the id. [facts: proxmox.md 1.3, 1.4; pve-access-control API2]
 */
final class AclCalls {
    private final World world;
    private final Changes changes;
    private final Rights rights;

    AclCalls(World world, Rights rights) {
        this.world = world;
        this.changes = new Changes(world);
        this.rights = rights;
    }

    void addTo(RouteTable routes) {
        routes.add("GET /access/acl", this::list);
        routes.add("PUT /access/acl", this::update);
        routes.add("GET /access/roles", this::roles);
        routes.add("GET /access/roles/{roleid}", call -> changes.make(w -> ones(Optional.ofNullable(rights.roles()
                .get(call.need("roleid"))).orElseThrow(() -> noRole(call)))));
        routes.add("POST /access/roles", this::createRole);
        routes.add("PUT /access/roles/{roleid}", this::updateRole);
        routes.add("DELETE /access/roles/{roleid}", this::deleteRole);
        routes.add("GET /access/users", this::users);
        routes.add("POST /access/users", this::createUser);
        routes.add("GET /access/users/{userid}", call -> changes.make(w -> user(w, need(w, call.need("userid")), true)));
        routes.add("DELETE /access/users/{userid}", this::deleteUser);
        routes.add("PUT /access/users/{userid}/unlock-tfa", call -> changes.make(w -> {
            need(w, call.need("userid"));
            return 0;
        }));
        String tokens = "/access/users/{userid}/token";
        routes.add("GET " + tokens, call -> changes.make(w -> tokensOf(w, need(w, call.need("userid")).id())));
        routes.add("GET " + tokens + "/{tokenid}", call -> changes.make(w -> token(needToken(w, call), false)));
        routes.add("POST " + tokens + "/{tokenid}", this::createToken);
        routes.add("PUT " + tokens + "/{tokenid}", this::updateToken);
        routes.add("DELETE " + tokens + "/{tokenid}", this::deleteToken);
    }

    private Object list(ApiCall call) {
        return world.read(w -> {
            List<Map<String, Object>> entries = new ArrayList<>();
            scene(w).forEach((who, given) -> given.keySet().forEach(path ->
                    entries.add(entry(new LabAcl(path, who, sceneRole(who), true)))));
            w.acl.forEach(acl -> entries.add(entry(acl)));
            boolean all = rights.at(call.login(), "/access").contains("Sys.Audit");
            return entries.stream().filter(entry -> all || rights.mayChangePermissions(call.login(),
                    String.valueOf(entry.get("path")))).toList();
        });
    }

    private static Map<String, Object> entry(LabAcl acl) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("path", acl.path());
        data.put("type", acl.who().contains("!") ? "token" : "user");
        data.put("ugid", acl.who());
        data.put("roleid", acl.role());
        data.put("propagate", acl.propagate() ? 1 : 0);
        return data;
    }

    private Object update(ApiCall call) throws PveError {
        if (call.text("groups").isPresent()) {
            throw PveError.notInTheLab("have groups of users");
        }
        boolean delete = call.flag("delete", false);
        boolean propagate = call.flag("propagate", true);
        List<String> who = Stream.concat(call.list("users").stream(), call.list("tokens").stream()).toList();
        if (who.isEmpty()) {
            throw PveError.parameters(Map.of("users", "property is missing and it is not optional", "groups",
                    "property is missing and it is not optional"));
        }
        return changes.make(w -> {
            for (String role : call.list("roles")) {
                if (!rights.roles().containsKey(role)) {
                    throw PveError.died("role '" + role + "' does not exist");
                }
                for (String id : who) {
                    if (!w.users.containsKey(id) && !w.tokens.containsKey(id)) {
                        throw PveError.died((id.contains("!") ? "no such token '" : "user '") + id
                                + (id.contains("!") ? "'" : "' does not exist"));
                    }
                    w.acl.removeIf(acl -> acl.path().equals(call.need("path")) && acl.who().equals(id)
                            && acl.role().equals(role));
                    if (!delete) {
                        w.acl.add(new LabAcl(call.need("path"), id, role, propagate));
                    }
                }
            }
            return null;
        });
    }

    private Object roles(ApiCall call) {
        return world.read(w -> {
            List<Map<String, Object>> list = new ArrayList<>();
            rights.roles().forEach((role, privileges) -> list.add(role(role, privileges, rights.isOwnRole(role))));
            scene(w).forEach((who, given) -> list.add(role(sceneRole(who), given.values().stream().flatMap(Set::stream)
                    .collect(Collectors.toCollection(TreeSet::new)), true)));
            return list;
        });
    }

    private static Map<String, Object> role(String role, Set<String> privileges, boolean special) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("roleid", role);
        data.put("privs", String.join(",", privileges));
        data.put("special", special ? 1 : 0);
        return data;
    }

    private Object createRole(ApiCall call) throws PveError {
        return changes.make(w -> {
            if (rights.roles().containsKey(call.need("roleid"))) {
                throw PveError.died("create role failed: role '" + call.need("roleid") + "' already exists");
            }
            w.roles.put(call.need("roleid"), new TreeSet<>(known(call, "create")));
            return null;
        });
    }

    private Object updateRole(ApiCall call) throws PveError {
        return changes.make(w -> {
            if (rights.isOwnRole(call.need("roleid"))) {
                throw PveError.died("update role failed: auto-generated role '" + call.need("roleid")
                        + "' cannot be modified");
            }
            Set<String> role = Optional.ofNullable(w.roles.get(call.need("roleid"))).orElseThrow(() -> noRole(call));
            List<String> privileges = known(call, "update");
            if (!call.flag("append", false)) {
                role.clear();
            }
            role.addAll(privileges);
            return null;
        });
    }

    private Object deleteRole(ApiCall call) throws PveError {
        return changes.make(w -> {
            if (rights.isOwnRole(call.need("roleid"))) {
                throw PveError.died("delete role failed: auto-generated role '" + call.need("roleid")
                        + "' cannot be deleted");
            }
            if (w.roles.remove(call.need("roleid")) == null) {
                throw noRole(call);
            }
            w.acl.removeIf(acl -> acl.role().equals(call.need("roleid")));
            return null;
        });
    }

    /** A privilege that this release does not know stops the whole role. [facts: proxmox.md 1.4] */
    private List<String> known(ApiCall call, String verb) throws PveError {
        Set<String> all = rights.privileges();
        Optional<String> unknown = call.list("privs").stream().filter(privilege -> !all.contains(privilege)).findFirst();
        if (unknown.isPresent()) {
            throw PveError.died(verb + " role failed: invalid privilege '" + unknown.get() + "'");
        }
        return call.list("privs");
    }

    private static PveError noRole(ApiCall call) {
        return PveError.died("role '" + call.need("roleid") + "' does not exist");
    }

    private Object users(ApiCall call) {
        boolean full = call.flag("full", false);
        return world.read(w -> {
            Set<String> has = rights.at(call.login(), "/access/groups");
            boolean all = has.contains("User.Modify") || has.contains("Sys.Audit");
            return w.users.values().stream().filter(user -> all || user.id().equals(owner(call.login().id())))
                    .map(user -> user(w, user, full)).toList();
        });
    }

    private static String owner(String id) {
        return id.contains("!") ? id.substring(0, id.indexOf('!')) : id;
    }

    private static Map<String, Object> user(World w, LabUser user, boolean full) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("userid", user.id());
        data.put("enable", 1);
        data.put("expire", 0);
        data.put("realm-type", user.id().substring(user.id().indexOf('@') + 1));
        if (full) {
            data.put("tokens", tokensOf(w, user.id()));
        }
        return data;
    }

    private Object createUser(ApiCall call) throws PveError {
        String id = call.need("userid");
        if (!id.endsWith("@pve") && !id.endsWith("@pam")) {
            throw PveError.died("create user failed: domain '" + id.substring(id.indexOf('@') + 1) + "' does not exist");
        }
        return changes.make(w -> {
            if (w.users.containsKey(id)) {
                throw PveError.died("create user failed: user '" + id + "' already exists");
            }
            w.users.put(id, new LabUser(id, call.text("password").orElseGet(() -> UUID.randomUUID().toString()),
                    Optional.empty(), Map.of()));
            return null;
        });
    }

    private Object deleteUser(ApiCall call) throws PveError {
        return changes.make(w -> {
            LabUser user = need(w, call.need("userid"));
            if (user.id().equals(Rights.ROOT)) {
                throw PveError.died("delete user failed: cannot delete user '" + Rights.ROOT + "'");
            }
            w.users.remove(user.id());
            w.tokens.values().removeIf(token -> token.user().equals(user.id()));
            w.acl.removeIf(acl -> owner(acl.who()).equals(user.id()));
            return null;
        });
    }

    /** The one time that a token's value is shown. */
    private Object createToken(ApiCall call) throws PveError {
        String id = call.need("userid") + "!" + call.need("tokenid");
        return changes.make(w -> {
            need(w, call.need("userid"));
            if (w.tokens.containsKey(id)) {
                throw PveError.parameter("tokenid", "Token already exists.");
            }
            LabToken token = new LabToken(id, UUID.randomUUID().toString(), call.flag("privsep", true), Map.of(),
                    call.text("comment").orElse(""), Long.parseLong(call.text("expire").orElse("0")));
            w.tokens.put(id, token);
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("full-tokenid", id);
            data.put("info", token(token, false));
            data.put("value", token.secret());
            return data;
        });
    }

    private Object updateToken(ApiCall call) throws PveError {
        if (call.flag("regenerate", false)) {
            throw PveError.notInTheLab("make a new secret for a token; delete it and make another");
        }
        return changes.make(w -> {
            LabToken old = needToken(w, call);
            LabToken token = new LabToken(old.id(), old.secret(), call.flag("privsep", old.privsep()), old.rights(),
                    call.text("comment").orElse(old.comment()),
                    call.text("expire").map(Long::parseLong).orElse(old.expires()));
            w.tokens.put(token.id(), token);
            return token(token, false);
        });
    }

    private Object deleteToken(ApiCall call) throws PveError {
        return changes.make(w -> {
            LabToken token = needToken(w, call);
            w.tokens.remove(token.id());
            w.acl.removeIf(acl -> acl.who().equals(token.id()));
            return null;
        });
    }

    private static LabUser need(World w, String id) throws PveError {
        return Optional.ofNullable(w.users.get(id)).orElseThrow(() -> PveError.died("no such user ('" + id + "')"));
    }

    private static LabToken needToken(World w, ApiCall call) throws PveError {
        need(w, call.need("userid"));
        return Optional.ofNullable(w.tokens.get(call.need("userid") + "!" + call.need("tokenid"))).orElseThrow(() ->
                PveError.died("no such token '" + call.need("tokenid") + "' for user '" + call.need("userid") + "'"));
    }

    private static List<Map<String, Object>> tokensOf(World w, String user) {
        return w.tokens.values().stream().filter(token -> token.user().equals(user)).map(token -> token(token, true)).toList();
    }

    private static Map<String, Object> token(LabToken token, boolean named) {
        Map<String, Object> data = new LinkedHashMap<>();
        if (named) {
            data.put("tokenid", token.id().substring(token.id().indexOf('!') + 1));
        }
        data.put("privsep", token.privsep() ? "1" : "0");
        data.put("expire", token.expires());
        if (!token.comment().isEmpty()) {
            data.put("comment", token.comment());
        }
        return data;
    }

    private static Map<String, Integer> ones(Set<String> privileges) {
        Map<String, Integer> ones = new TreeMap<>();
        privileges.forEach(privilege -> ones.put(privilege, 1));
        return ones;
    }

    /** What the scene gave, by whom it was given to. */
    private static Map<String, Map<String, Set<String>>> scene(World w) {
        Map<String, Map<String, Set<String>>> given = new TreeMap<>();
        w.users.values().stream().filter(user -> !user.rights().isEmpty()).forEach(user -> given.put(user.id(), user.rights()));
        w.tokens.values().stream().filter(token -> !token.rights().isEmpty())
                .forEach(token -> given.put(token.id(), token.rights()));
        return given;
    }

    private static String sceneRole(String who) {
        return "lab-" + who.replaceAll("[@!]", "-");
    }
}
