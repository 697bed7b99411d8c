package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.World;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
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
    private final Set<String> integers;

    VmCalls(World world, Rights rights) {
        this.world = world;
        this.rights = rights;
        try (InputStream in = VmCalls.class.getResourceAsStream("/lab/proxmox/integer-options.json")) {
            this.integers = new ObjectMapper().readValue(in, new TypeReference<Set<String>>() { });
        } catch (IOException e) {
            throw new UncheckedIOException("lab/proxmox/integer-options.json cannot be read", e);
        }
    }

    void addTo(RouteTable routes) {
        routes.add("GET /nodes/{node}/qemu", this::list);
        routes.add("GET /nodes/{node}/qemu/{vmid}/config", this::config);
        routes.add("GET /nodes/{node}/qemu/{vmid}/pending", this::pending);
        routes.add("GET /nodes/{node}/qemu/{vmid}/status/current", this::current);
        routes.add("GET /nodes/{node}/qemu/{vmid}/snapshot", this::snapshots);
        routes.add("GET /nodes/{node}/lxc", call -> List.of());
    }

    private Object list(ApiCall call) {
        return world.read(w -> w.vms.values().stream().filter(vm -> vm.host.equals(call.node()))
                .filter(vm -> rights.at(call.login(), "/vms/" + vm.vmid).contains("VM.Audit"))
                .map(vm -> summary(w, vm)).toList());
    }

    private Object config(ApiCall call) throws PveError {
        if (call.text("snapshot").isPresent()) {
            throw PveError.died("snapshot '" + call.need("snapshot") + "' does not exist");
        }
        LabVm vm = vm(call);
        return world.read(w -> {
            boolean asItRuns = call.flag("current", false) && !vm.running.isEmpty();
            Map<String, Object> data = new LinkedHashMap<>();
            (asItRuns ? vm.running : vm.config).forEach((key, value) -> data.put(key, typed(key, value)));
            data.put("digest", digest(vm));
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
            entries.add(Map.of("key", "digest", "value", digest(vm)));
            return entries;
        });
    }

    private Map<String, Object> pending(String key, String now, String later) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("key", key);
        if (now != null) {
            entry.put("value", typed(key, now));
        }
        if (later == null) {
            entry.put("delete", 1);
        } else if (!later.equals(now)) {
            entry.put("pending", typed(key, later));
        }
        return entry;
    }

    private Object current(ApiCall call) throws PveError {
        LabVm vm = vm(call);
        return world.read(w -> {
            Map<String, Object> data = summary(w, vm);
            data.put("qmpstatus", vm.status);
            data.put("ha", Map.of("managed", 0));
            if (vm.config.getOrDefault("agent", "0").startsWith("1")) {
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

    private Object snapshots(ApiCall call) throws PveError {
        LabVm vm = vm(call);
        return world.read(w -> List.of(Map.of("name", "current", "description", "You are here!",
                "running", vm.status.equals("stopped") ? 0 : 1, "digest", digest(vm))));
    }

    /** What the list, the resources and the state of a VM have in common. Call inside a world lock. */
    static Map<String, Object> summary(World world, LabVm vm) {
        boolean runs = !vm.status.equals("stopped");
        Map<String, String> config = runs ? vm.running : vm.config;
        long memory = Long.parseLong(config.getOrDefault("memory", "512")) << 20;
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("vmid", vm.vmid);
        data.put("name", vm.config.getOrDefault("name", "VM " + vm.vmid));
        data.put("status", runs ? "running" : "stopped");
        data.put("cpus", cores(config));
        data.put("maxmem", memory);
        data.put("cpu", runs ? vm.cpuLoad : 0);
        data.put("mem", runs ? Math.round(memory * vm.memoryShare) : 0);
        data.put("uptime", runs ? Duration.between(vm.startedAt, world.clock().instant()).toSeconds() : 0);
        data.put("maxdisk", disk(vm.config.getOrDefault("scsi0", "")));
        data.put("disk", 0);
        if (runs) {
            // A start gets a new process; the number follows from the start so that a restart shows.
            data.put("pid", 1200 + Math.floorMod(vm.startedAt.getEpochSecond() * 31 + vm.vmid, 30_000));
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

    private Object typed(String key, String value) {
        return integers.contains(key) && value.matches("-?\\d{1,9}") ? (Object) Integer.valueOf(value) : value;
    }

    private static int cores(Map<String, String> config) {
        return Integer.parseInt(config.getOrDefault("cores", "1")) * Integer.parseInt(config.getOrDefault("sockets", "1"));
    }

    private static long disk(String drive) {
        int at = drive.indexOf("size=");
        String size = at < 0 ? "" : drive.substring(at + 5).replaceFirst(",.*", "");
        return size.matches("\\d+G") ? Long.parseLong(size.substring(0, size.length() - 1)) << 30 : 0;
    }

    private static String digest(LabVm vm) {
        StringBuilder text = new StringBuilder();
        vm.config.forEach((key, value) -> text.append(key).append(": ").append(value).append('\n'));
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1")
                    .digest(text.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-1 is missing in this JDK", e);
        }
    }
}
