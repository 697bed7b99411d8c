package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.RootDisk;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** VMs: list, configuration, what is pending, and how they are now. [facts: proxmox.md 1.7, 1.11] */
final class VmCalls {
    private static final String QEMU = "9.2.0";

    private final World world;
    private final Rights rights;
    private final Datacenter datacenter;

    VmCalls(World world, Datacenter datacenter) {
        this.world = world;
        this.rights = datacenter.rights();
        this.datacenter = datacenter;
    }

    void addTo(RouteTable routes) {
        routes.add("GET /nodes/{node}/qemu", this::list);
        routes.add("GET /nodes/{node}/qemu/{vmid}/config", this::config);
        routes.add("GET /nodes/{node}/qemu/{vmid}/pending", this::pending);
        routes.add("GET /nodes/{node}/qemu/{vmid}/status/current", this::current);
        routes.add("GET /nodes/{node}/qemu/{vmid}/snapshot", this::snapshots);
        routes.add("GET /nodes/{node}/qemu/{vmid}", call -> index("config", "pending", "status", "agent", "clone", "migrate",
                "resize", "snapshot", "template"));
        routes.add("GET /nodes/{node}/qemu/{vmid}/status", call -> index("current", "start", "stop", "reset", "shutdown",
                "suspend", "resume", "reboot"));
        routes.add("GET /nodes/{node}/qemu/{vmid}/agent", call -> index("exec", "exec-status", "file-read", "file-write",
                "get-host-name", "get-osinfo", "network-get-interfaces", "ping", "shutdown"));
        routes.add("GET /nodes/{node}/qemu/{vmid}/feature", this::feature);
    }

    private static List<Map<String, String>> index(String... names) {
        return Arrays.stream(names).map(name -> Map.of("name", name)).toList();
    }

    /** The lab's storages can do all of them; a snapshot with memory of a passed device fails later, in its task. */
    private Object feature(ApiCall call) throws PveError {
        LabVm vm = vm(call);
        String host = world.read(w -> vm.host);
        return Map.of("hasFeature", 1, "nodes", List.of(host));
    }

    private Object list(ApiCall call) {
        return world.read(w -> w.vms.values().stream().filter(vm -> vm.host.equals(call.node()))
                .filter(vm -> rights.at(call.login(), "/vms/" + vm.vmid).contains("VM.Audit"))
                .map(vm -> summary(w, vm)).toList());
    }

    private Object config(ApiCall call) throws PveError {
        if (call.text("snapshot").isPresent()) {
            return datacenter.snapshots().look(call.node(), call.vmid(), call.need("snapshot"),
                    snapshot -> datacenter.typed(snapshot.config()));
        }
        LabVm vm = vm(call);
        return world.read(w -> {
            boolean asItRuns = call.flag("current", false) && !vm.running.isEmpty();
            Map<String, Object> data = new LinkedHashMap<>(datacenter.typed(asItRuns ? vm.running : vm.config));
            data.put("digest", Vms.digest(vm));
            if (!vm.lock.isEmpty()) {
                data.put("lock", vm.lock);
            }
            return data;
        });
    }

    private Object pending(ApiCall call) throws PveError {
        LabVm vm = vm(call);
        return world.read(w -> {
            Map<String, String> now = vm.running.isEmpty() ? vm.config : vm.running;
            Set<String> keys = new TreeSet<>(now.keySet());
            keys.addAll(vm.config.keySet());
            List<Map<String, Object>> entries = new ArrayList<>();
            keys.forEach(key -> entries.add(pending(key, now.get(key), vm.config.get(key))));
            entries.add(Map.of("key", "digest", "value", Vms.digest(vm)));
            return entries;
        });
    }

    private Map<String, Object> pending(String key, String now, String later) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("key", key);
        if (now != null) {
            entry.put("value", datacenter.typed(Map.of(key, now)).get(key));
        }
        if (later == null) {
            entry.put("delete", 1);
        } else if (!later.equals(now)) {
            entry.put("pending", datacenter.typed(Map.of(key, later)).get(key));
        }
        return entry;
    }

    private Object current(ApiCall call) throws PveError {
        LabVm vm = vm(call);
        return world.read(w -> {
            Map<String, Object> data = summary(w, vm);
            data.put("qmpstatus", vm.status);
            data.put("ha", Vms.isHaManaged(w, vm.vmid) ? Map.of("managed", 1, "state",
                    w.haResources.get("vm:" + vm.vmid).options.getOrDefault("state", "started")) : Map.of("managed", 0));
            if (PropertyString.read(config(vm).getOrDefault("agent", "0"), "enabled").isOn("enabled")) {
                data.put("agent", 1);
            }
            if (!vm.status.equals("stopped")) {
                boolean q35 = vm.running.getOrDefault("machine", "").contains("q35");
                data.put("running-machine", (q35 ? "pc-q35-" : "pc-i440fx-") + "9.2+pve1");
                data.put("running-qemu", QEMU);
            }
            return data;
        });
    }

    /** The last entry is no snapshot: it is the VM as it is. */
    private Object snapshots(ApiCall call) throws PveError {
        LabVm vm = vm(call);
        return world.read(w -> {
            List<Map<String, Object>> list = new ArrayList<>();
            vm.snapshots.values().forEach(snapshot -> {
                Map<String, Object> data = new LinkedHashMap<>();
                data.put("name", snapshot.name());
                data.put("description", snapshot.description());
                data.put("snaptime", snapshot.takenAt().getEpochSecond());
                if (!snapshot.parent().isEmpty()) {
                    data.put("parent", snapshot.parent());
                }
                list.add(data);
            });
            Map<String, Object> current = new LinkedHashMap<>(Map.of("name", "current", "description", "You are here!",
                    "running", vm.status.equals("stopped") ? 0 : 1, "digest", Vms.digest(vm)));
            if (!vm.snapshots.isEmpty()) {
                current.put("parent", vm.snapshots.lastEntry().getKey());
            }
            list.add(current);
            return list;
        });
    }

    private static Map<String, String> config(LabVm vm) {
        return Vms.runs(vm) ? vm.running : vm.config;
    }

    /** What the list, the resources and the state of a VM have in common. Call inside a world lock. */
    static Map<String, Object> summary(World world, LabVm vm) {
        boolean runs = !vm.status.equals("stopped");
        Map<String, String> config = config(vm);
        long memory = Vms.memory(config) << 20;
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("vmid", vm.vmid);
        data.put("name", vm.config.getOrDefault("name", "VM " + vm.vmid));
        data.put("status", runs ? "running" : "stopped");
        data.put("cpus", cores(config));
        data.put("maxmem", memory);
        data.put("cpu", runs ? vm.cpuLoad : 0);
        data.put("mem", runs ? Math.round(memory * vm.memoryShare) : 0);
        data.put("uptime", runs ? Duration.between(vm.startedAt, world.clock().instant()).toSeconds() : 0);
        data.put("maxdisk", RootDisk.size(vm.config.getOrDefault("scsi0", "")));
        data.put("disk", 0);
        if (runs) {
            // A start gets a new process; the number follows from the start so that a restart shows.
            data.put("pid", vm.pid());
        }
        if (vm.config.containsKey("tags")) {
            data.put("tags", vm.config.get("tags"));
        }
        if (vm.config.getOrDefault("template", "0").equals("1")) {
            data.put("template", 1);
        }
        if (!vm.lock.isEmpty()) {
            data.put("lock", vm.lock);
        }
        return data;
    }

    private LabVm vm(ApiCall call) throws PveError {
        return world.read(w -> Optional.ofNullable(w.vms.get(call.vmid())).filter(vm -> vm.host.equals(call.node())))
                .orElseThrow(() -> PveError.died("Configuration file 'nodes/" + call.node() + "/qemu-server/"
                        + call.vmid() + ".conf' does not exist"));
    }

    private static int cores(Map<String, String> config) {
        return Integer.parseInt(config.getOrDefault("cores", "1")) * Integer.parseInt(config.getOrDefault("sockets", "1"));
    }
}
