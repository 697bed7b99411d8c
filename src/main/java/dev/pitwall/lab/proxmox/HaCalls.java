package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabHaResource;
import dev.pitwall.lab.world.World;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The HA stack's resources, groups (up to 8) and rules (from 9). [facts: proxmox.md 1.11, 1.14; pve-ha-manager API2] */
final class HaCalls {
    private static final Set<String> NO_OPTIONS = Set.of("sid", "delete", "digest", "type", "purge");

    private final World world;
    private final Changes changes;

    HaCalls(World world) {
        this.world = world;
        this.changes = new Changes(world);
    }

    void addTo(RouteTable routes) {
        routes.add("GET /cluster/ha/resources", call -> world.read(w -> w.haResources.values().stream()
                .map(resource -> data(w, resource)).toList()));
        routes.add("POST /cluster/ha/resources", this::create);
        routes.add("GET /cluster/ha/resources/{sid}", call -> changes.make(w -> data(w, need(w, call))));
        routes.add("PUT /cluster/ha/resources/{sid}", this::update);
        routes.add("DELETE /cluster/ha/resources/{sid}", this::delete);
        routes.add("GET /cluster/ha/status/current", this::status);
        named(routes, "groups", "group", w -> w.haGroups);
        named(routes, "rules", "rule", w -> w.haRules);
    }

    /** {@code 121} and {@code vm:121} are one resource. */
    private static String sid(ApiCall call) {
        String sid = call.need("sid");
        return sid.contains(":") ? sid : "vm:" + sid;
    }

    private static LabHaResource need(World w, ApiCall call) throws PveError {
        return Optional.ofNullable(w.haResources.get(sid(call)))
                .orElseThrow(() -> PveError.died("no such resource '" + sid(call) + "'"));
    }

    private Object create(ApiCall call) throws PveError {
        return changes.make(w -> {
            LabHaResource resource = new LabHaResource(sid(call));
            if (!w.vms.containsKey(resource.vmid())) {
                throw PveError.died("unable to add resource '" + resource.sid + "' - VM/CT " + resource.vmid()
                        + " does not exist");
            }
            if (w.haResources.containsKey(resource.sid)) {
                throw PveError.died("create resource failed: resource ID '" + resource.sid + "' already defined");
            }
            resource.options.putAll(call.without(NO_OPTIONS));
            refuseUnknownGroup(w, resource.options);
            w.haResources.put(resource.sid, resource);
            return null;
        });
    }

    private Object update(ApiCall call) throws PveError {
        return changes.make(w -> {
            LabHaResource resource = need(w, call);
            if (call.text("digest").filter(digest -> !digest.equals(digest(w))).isPresent()) {
                throw PveError.died("detected modified configuration - file changed by other user? Try again.");
            }
            Map<String, String> options = call.without(NO_OPTIONS);
            refuseUnknownGroup(w, options);
            resource.options.putAll(options);
            call.list("delete").forEach(resource.options::remove);
            // A new wish ends the state of error only by way of disabled, as the real stack asks for.
            if (resource.options.getOrDefault("state", "started").equals("disabled") || !resource.status.equals("error")) {
                resource.failedStarts = 0;
            }
            return null;
        });
    }

    private static void refuseUnknownGroup(World w, Map<String, String> options) throws PveError {
        Optional<String> unknown = Optional.ofNullable(options.get("group")).filter(group -> !w.haGroups.containsKey(group));
        if (unknown.isPresent()) {
            throw PveError.died("ha group '" + unknown.get() + "' does not exist");
        }
    }

    private Object delete(ApiCall call) throws PveError {
        return changes.make(w -> {
            w.haResources.remove(need(w, call).sid);
            return null;
        });
    }

    private Object status(ApiCall call) {
        return world.read(w -> {
            List<Map<String, Object>> lines = new ArrayList<>();
            List<String> nodes = w.hosts.values().stream().filter(host -> host.proxmox).map(host -> host.name).toList();
            List<String> there = nodes.stream().filter(node -> w.hosts.get(node).answers()).toList();
            boolean quorate = there.size() * 2 > nodes.size();
            lines.add(new LinkedHashMap<>(Map.of("id", "quorum", "type", "quorum", "node", call.node(), "quorate",
                    quorate ? 1 : 0, "status", quorate ? "OK" : "No quorum")));
            if (w.haResources.isEmpty()) {
                return lines;
            }
            long now = w.clock().instant().getEpochSecond();
            lines.add(new LinkedHashMap<>(Map.of("id", "master", "type", "master", "node", there.getFirst(), "timestamp", now,
                    "status", there.getFirst() + " (active)")));
            nodes.forEach(node -> {
                boolean uses = w.haResources.values().stream().anyMatch(resource -> w.vms.containsKey(resource.vmid())
                        && w.vms.get(resource.vmid()).host.equals(node));
                String state = there.contains(node) ? uses ? "active" : "idle" : "old timestamp - dead?";
                lines.add(new LinkedHashMap<>(Map.of("id", "lrm:" + node, "type", "lrm", "node", node, "timestamp", now,
                        "status", node + " (" + state + ")")));
            });
            w.haResources.values().forEach(resource -> lines.add(service(w, resource)));
            return lines;
        });
    }

    private static Map<String, Object> service(World w, LabHaResource resource) {
        String node = Optional.ofNullable(w.vms.get(resource.vmid())).map(vm -> vm.host).orElse("");
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("id", "service:" + resource.sid);
        line.put("type", "service");
        line.put("sid", resource.sid);
        line.put("node", node);
        line.put("state", shown(w, resource));
        line.put("crm_state", resource.status);
        line.put("request_state", resource.options.getOrDefault("state", "started"));
        line.put("status", resource.sid + " (" + node + ", " + shown(w, resource) + ")");
        return line;
    }

    /** A service that shall run and does not yet is shown as one that starts. */
    private static String shown(World w, LabHaResource resource) {
        boolean runs = Optional.ofNullable(w.vms.get(resource.vmid())).filter(Vms::runs).isPresent();
        return switch (resource.status) {
            case "started" -> runs ? "started" : "starting";
            case "request_stop" -> "stopping";
            default -> resource.status;
        };
    }

    private static Map<String, Object> data(World w, LabHaResource resource) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("sid", resource.sid);
        data.put("type", "vm");
        data.put("state", "started");
        data.put("max_restart", 1);
        data.put("max_relocate", 1);
        resource.options.forEach((name, value) -> data.put(name, value.matches("\\d{1,9}") ? Integer.valueOf(value) : value));
        data.put("digest", digest(w));
        return data;
    }

    private static String digest(World w) {
        StringBuilder text = new StringBuilder();
        w.haResources.values().forEach(resource -> text.append(resource.sid).append(resource.options));
        return Vms.sha1(text.toString());
    }

    /** Groups and rules differ in name and options only; from 9 on groups are rules. */
    private void named(RouteTable routes, String list, String key, Function<World, Map<String, Map<String, String>>> stored) {
        String path = "/cluster/ha/" + list;
        routes.add("GET " + path, call -> world.read(w -> stored.apply(w).entrySet().stream()
                .filter(entry -> call.text("type").filter(type -> !type.equals(entry.getValue().get("type"))).isEmpty())
                .map(entry -> shown(key, entry.getKey(), entry.getValue())).toList()));
        routes.add("GET " + path + "/{" + key + "}", call -> changes.make(w -> {
            Map<String, String> found = Optional.ofNullable(stored.apply(w).get(call.need(key)))
                    .orElseThrow(() -> PveError.died("no such ha " + key + " '" + call.need(key) + "'"));
            return shown(key, call.need(key), found);
        }));
        routes.add("POST " + path, call -> changes.make(w -> {
            if (key.equals("group") && PveVersion.of(w.hosts.get(call.node())).major() >= 9) {
                throw PveError.died("cannot create group: ha groups have been migrated to rules");
            }
            if (stored.apply(w).putIfAbsent(call.need(key), new TreeMap<>(call.without(Set.of(key)))) != null) {
                throw PveError.died("create ha " + key + " failed: " + key + " ID '" + call.need(key) + "' already defined");
            }
            return null;
        }));
        routes.add("DELETE " + path + "/{" + key + "}", call -> changes.make(w -> {
            stored.apply(w).remove(call.need(key));
            return null;
        }));
    }

    private static Map<String, Object> shown(String key, String name, Map<String, String> options) {
        Map<String, Object> data = new LinkedHashMap<>(options);
        data.put(key, name);
        data.putIfAbsent("type", key);
        return data;
    }
}
