package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.net.LabAuthority;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.World;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** What is the same whichever node is asked: nodes, resources, quorum, PCI mappings. */
final class ClusterCalls {
    private final World world;
    private final LabAuthority authority;
    private final Rights rights;

    ClusterCalls(World world, LabAuthority authority, Rights rights) {
        this.world = world;
        this.authority = authority;
        this.rights = rights;
    }

    void addTo(RouteTable routes) {
        routes.add("GET /nodes", this::nodes);
        routes.add("GET /cluster/status", this::status);
        routes.add("GET /cluster/resources", this::resources);
        routes.add("GET /cluster/nextid", this::nextId);
        routes.add("GET /cluster/ha/resources", call -> List.of());
        routes.add("GET /cluster/mapping/pci", this::mappings);
        routes.add("GET /cluster/mapping/pci/{id}", this::mapping);
    }

    private Object nodes(ApiCall call) {
        return world.read(w -> proxmox(w).stream().map(host -> {
            Map<String, Object> data = node(w, host, call.login());
            data.put("ssl_fingerprint", authority.fingerprint(host.name));
            return data;
        }).toList());
    }

    /** A silent node is offline and has no figures; who may not audit it sees its name and state only. */
    private Map<String, Object> node(World w, LabHost host, Caller caller) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", "node/" + host.name);
        data.put("type", "node");
        data.put("node", host.name);
        data.put("status", host.silent ? "offline" : "online");
        data.put("level", "");
        if (!host.silent && rights.at(caller, "/nodes/" + host.name).contains("Sys.Audit")) {
            data.put("cpu", NodeCalls.load(w, host));
            data.put("maxcpu", host.cpuThreads);
            data.put("mem", NodeCalls.memoryUsed(w, host));
            data.put("maxmem", host.memoryBytes);
            data.put("uptime", NodeCalls.uptime(w, host));
        }
        return data;
    }

    /**
     * Without {@code ip}, which Proxmox leaves out when a name does not resolve: the lab's hosts are all on loopback, and an
     * address of the imitated network would lead a client to somebody else's machine on a real one.
     */
    private Object status(ApiCall call) {
        return world.read(w -> {
            List<LabHost> hosts = proxmox(w);
            long online = hosts.stream().filter(host -> !host.silent).count();
            List<Map<String, Object>> data = new ArrayList<>();
            data.add(Map.of("type", "cluster", "id", "cluster", "name", w.cluster, "nodes", hosts.size(),
                    "quorate", online * 2 > hosts.size() ? 1 : 0, "version", hosts.size()));
            for (int i = 0; i < hosts.size(); i++) {
                LabHost host = hosts.get(i);
                data.add(Map.of("type", "node", "id", "node/" + host.name, "name", host.name,
                        "nodeid", i + 1, "online", host.silent ? 0 : 1, "local", host.name.equals(call.node()) ? 1 : 0,
                        "level", ""));
            }
            return data;
        });
    }

    private Object resources(ApiCall call) {
        Optional<String> type = call.text("type");
        return world.read(w -> {
            List<Map<String, Object>> data = new ArrayList<>();
            if (type.isEmpty() || type.get().equals("vm")) {
                w.vms.values().stream()
                        .filter(vm -> rights.at(call.login(), "/vms/" + vm.vmid).contains("VM.Audit"))
                        .forEach(vm -> data.add(vm(w, vm)));
            }
            if (type.isEmpty() || type.get().equals("node")) {
                proxmox(w).forEach(host -> data.add(node(w, host, call.login())));
            }
            return data;
        });
    }

    private static Map<String, Object> vm(World w, LabVm vm) {
        Map<String, Object> data = VmCalls.summary(w, vm);
        data.put("id", "qemu/" + vm.vmid);
        data.put("type", "qemu");
        data.put("node", vm.host);
        data.put("maxcpu", data.remove("cpus"));
        data.remove("pid");
        data.put("template", vm.config.getOrDefault("template", "0").equals("1") ? 1 : 0);
        if (w.hosts.get(vm.host).silent) {
            data.put("status", "unknown");
            List.of("cpu", "mem", "uptime").forEach(data::remove);
        }
        return data;
    }

    private Object nextId(ApiCall call) throws PveError {
        if (call.text("vmid").isPresent()) {
            if (world.read(w -> w.vms.containsKey(call.vmid()))) {
                throw PveError.parameters(Map.of("vmid", "VM " + call.vmid() + " already exists"));
            }
            return call.need("vmid");
        }
        int free = world.read(w -> IntStream.iterate(100, id -> id + 1)
                .filter(id -> !w.vms.containsKey(id)).findFirst().orElseThrow());
        return String.valueOf(free);
    }

    private Object mappings(ApiCall call) {
        return world.read(w -> w.pciMappings.entrySet().stream().filter(mapping -> maySee(call, mapping.getKey()))
                .map(mapping -> {
                    Map<String, Object> data = new LinkedHashMap<>();
                    data.put("id", mapping.getKey());
                    data.put("type", "pci");
                    data.put("map", mapping.getValue());
                    call.text("check-node").ifPresent(node -> data.put("checks",
                            new MappingCheck(w, mapping.getKey(), mapping.getValue()).on(node)));
                    return data;
                }).toList());
    }

    private Object mapping(ApiCall call) throws PveError {
        String id = call.need("id");
        List<String> entries = world.read(w -> w.pciMappings.get(id));
        if (entries == null) {
            throw PveError.died("mapping '" + id + "' doesn't exist");
        }
        return Map.of("id", id, "type", "pci", "map", entries);
    }

    private boolean maySee(ApiCall call, String mapping) {
        return rights.at(call.login(), "/mapping/pci/" + mapping).stream().anyMatch(has -> has.startsWith("Mapping."));
    }

    private static List<LabHost> proxmox(World w) {
        return w.hosts.values().stream().filter(host -> host.proxmox).toList();
    }
}
