package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.net.LabAuthority;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabStorage;
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
        routes.add("GET /cluster/options", call -> Map.of("keyboard", "en-us"));
        routes.add("GET /pools", call -> List.of());
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
        data.put("status", !host.answers() ? "offline" : "online");
        data.put("level", "");
        if (host.answers() && rights.at(caller, "/nodes/" + host.name).contains("Sys.Audit")) {
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
            long online = hosts.stream().filter(host -> host.answers()).count();
            List<Map<String, Object>> data = new ArrayList<>();
            data.add(Map.of("type", "cluster", "id", "cluster", "name", w.cluster, "nodes", hosts.size(),
                    "quorate", online * 2 > hosts.size() ? 1 : 0, "version", hosts.size()));
            for (int i = 0; i < hosts.size(); i++) {
                LabHost host = hosts.get(i);
                data.add(Map.of("type", "node", "id", "node/" + host.name, "name", host.name,
                        "nodeid", i + 1, "online", !host.answers() ? 0 : 1, "local", host.name.equals(call.node()) ? 1 : 0,
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
            if (type.isEmpty() || type.get().equals("storage")) {
                proxmox(w).forEach(host -> w.storages.values().stream()
                        .filter(storage -> rights.at(call.login(), "/storage/" + storage.name()).contains("Datastore.Audit"))
                        .forEach(storage -> data.add(storage(host, storage))));
            }
            if (type.isEmpty() || type.get().equals("node")) {
                proxmox(w).forEach(host -> data.add(node(w, host, call.login())));
            }
            return data;
        });
    }

    private static Map<String, Object> storage(LabHost host, LabStorage storage) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", "storage/" + host.name + "/" + storage.name());
        data.put("type", "storage");
        data.put("storage", storage.name());
        data.put("node", host.name);
        data.put("plugintype", storage.type());
        data.put("content", String.join(",", storage.content()));
        data.put("shared", storage.shared() ? 1 : 0);
        data.put("status", !host.answers() ? "unknown" : "available");
        data.put("maxdisk", storage.bytes());
        return data;
    }

    private static Map<String, Object> vm(World w, LabVm vm) {
        Map<String, Object> data = VmCalls.summary(w, vm);
        data.put("id", "qemu/" + vm.vmid);
        data.put("type", "qemu");
        data.put("node", vm.host);
        data.put("maxcpu", data.remove("cpus"));
        data.remove("pid");
        data.put("template", vm.config.getOrDefault("template", "0").equals("1") ? 1 : 0);
        if (!w.hosts.get(vm.host).answers()) {
            data.put("status", "unknown");
            List.of("cpu", "mem", "uptime").forEach(data::remove);
        }
        return data;
    }

    private Object nextId(ApiCall call) throws PveError {
        if (call.text("vmid").isPresent()) {
            if (world.read(w -> w.vms.containsKey(call.vmid()))) {
                throw PveError.parameter("vmid", "VM " + call.vmid() + " already exists");
            }
            return call.need("vmid");
        }
        int free = world.read(w -> IntStream.iterate(100, id -> id + 1)
                .filter(id -> !w.vms.containsKey(id)).findFirst().orElseThrow());
        return String.valueOf(free);
    }

    private static List<LabHost> proxmox(World w) {
        return w.hosts.values().stream().filter(host -> host.proxmox).toList();
    }
}
