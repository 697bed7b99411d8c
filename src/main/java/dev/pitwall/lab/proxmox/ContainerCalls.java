package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabContainer;
import dev.pitwall.lab.world.World;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * LXC containers: list, configuration, state, start and stop. Their raw lines come as a list of pairs under the key
 * {@code lxc}, as pve-container's {@code PVE/API2/LXC/Config.pm} hands them out. [facts: proxmox.md 2.3]
 */
final class ContainerCalls {
    private final World world;
    private final Rights rights;
    private final Tasks tasks;

    ContainerCalls(World world, Datacenter datacenter) {
        this.world = world;
        this.rights = datacenter.rights();
        this.tasks = datacenter.tasks();
    }

    void addTo(RouteTable routes) {
        routes.add("GET /nodes/{node}/lxc", this::list);
        routes.add("GET /nodes/{node}/lxc/{vmid}/config", this::config);
        routes.add("GET /nodes/{node}/lxc/{vmid}/status/current", call -> {
            LabContainer container = need(call);
            return world.read(w -> state(container));
        });
        routes.add("POST /nodes/{node}/lxc/{vmid}/status/start", call -> power(call, "vzstart", Wanted.RUNNING));
        routes.add("POST /nodes/{node}/lxc/{vmid}/status/stop", call -> power(call, "vzstop", Wanted.STOPPED));
        routes.add("POST /nodes/{node}/lxc/{vmid}/status/shutdown", call -> power(call, "vzshutdown", Wanted.STOPPED));
    }

    private enum Wanted { RUNNING, STOPPED }

    private Object list(ApiCall call) {
        return world.read(w -> w.containers.values().stream().filter(c -> c.host.equals(call.node()))
                .filter(c -> rights.at(call.login(), "/vms/" + c.vmid).contains("VM.Audit"))
                .map(ContainerCalls::state).toList());
    }

    private Object config(ApiCall call) throws PveError {
        LabContainer container = need(call);
        return world.read(w -> {
            Map<String, Object> data = new LinkedHashMap<>();
            container.config.forEach((key, value) -> {
                if (!key.startsWith("lxc.")) {
                    data.put(key, value.matches("\\d{1,9}") ? Integer.valueOf(value) : value);
                }
            });
            List<List<String>> raw = container.config.entrySet().stream().filter(e -> e.getKey().startsWith("lxc."))
                    .flatMap(e -> e.getValue().lines().map(line -> List.of(e.getKey(), line))).toList();
            if (!raw.isEmpty()) {
                data.put("lxc", raw);
            }
            data.put("digest", Vms.sha1(new TreeMap<>(container.config).toString()));
            return data;
        });
    }

    private static Map<String, Object> state(LabContainer container) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("vmid", container.vmid);
        data.put("name", container.config.getOrDefault("hostname", "CT" + container.vmid));
        data.put("type", "lxc");
        data.put("status", container.runs ? "running" : "stopped");
        return data;
    }

    private Object power(ApiCall call, String type, Wanted wanted) throws PveError {
        LabContainer container = need(call);
        boolean runs = world.read(w -> container.runs);
        if (runs == (wanted == Wanted.RUNNING)) {
            throw PveError.died("CT " + container.vmid + (runs ? " already running" : " not running"));
        }
        return tasks.start(call.node(), type, String.valueOf(container.vmid), call.login().id(), log -> world.change(w ->
                container.runs = wanted == Wanted.RUNNING));
    }

    private LabContainer need(ApiCall call) throws PveError {
        return world.read(w -> Optional.ofNullable(w.containers.get(call.vmid())).filter(c -> c.host.equals(call.node())))
                .orElseThrow(() -> PveError.died("Configuration file 'nodes/" + call.node() + "/lxc/" + call.vmid()
                        + ".conf' does not exist"));
    }
}
