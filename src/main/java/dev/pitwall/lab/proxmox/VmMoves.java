package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * VMs that go to another host. A raw device keeps a VM where it is; a mapped one lets it go while it is off, if the other
 * host has the mapping. [facts: proxmox.md 1.12; qemu-server QemuMigrate.pm]
 */
public final class VmMoves {
    private final World world;
    private final Changes changes;
    private final Tasks tasks;
    private final VmLocks locks;
    private final Times times;

    VmMoves(World world, Tasks tasks, VmLocks locks, Times times) {
        this.world = world;
        this.changes = new Changes(world);
        this.tasks = tasks;
        this.locks = locks;
        this.times = times;
    }

    /**
     * Moves a VM; answers with the UPID.
     *
     * @param flags those of {@code online} and {@code with-local-disks} that are given
     */
    public String migrate(Caller who, String node, int vmid, String target, List<String> flags) throws PveError {
        changes.make(w -> {
            LabVm vm = Vms.need(w, node, vmid);
            if (target.equals(node)) {
                throw PveError.parameter("target", "target is local node.");
            }
            if (w.hosts.get(target) == null || !w.hosts.get(target).answers()) {
                throw PveError.died("target node is offline");
            }
            if (Vms.isHaManaged(w, vmid)) {
                throw PveError.notInTheLab("migrate what the HA stack manages");
            }
            if (Vms.runs(vm) && !flags.contains("online")) {
                throw PveError.died("can't migrate running VM without --online");
            }
            return vm;
        });
        return tasks.start(node, "qmigrate", String.valueOf(vmid), who.id(), log -> {
            try (VmLocks.Held held = locks.take(vmid)) {
                log.line("starting migration of VM " + vmid + " to node '" + target + "' ("
                        + world.read(w -> w.hosts.get(target).address) + ")");
                refuse(vmid, target, flags, log);
                double gib = world.read(w -> Vms.memory(w.vms.get(vmid).config) / 1024.0);
                log.pause(times.of("migrateBase").plus(times.of("migratePerGiB", gib)));
                world.change(w -> move(w, w.vms.get(vmid), target));
                log.line("migration finished successfully");
            }
        });
    }

    private void refuse(int vmid, String target, List<String> flags, TaskLog log) throws PveError {
        Optional<String> reason = world.read(w -> reason(w, w.vms.get(vmid), target, flags));
        if (reason.isPresent()) {
            log.line("ERROR: migration aborted (duration 00:00:00): " + reason.get());
            throw PveError.died("migration aborted");
        }
    }

    private static Optional<String> reason(World w, LabVm vm, String target, List<String> flags) {
        boolean live = Vms.runs(vm);
        List<String> raw = devices(vm, false).keySet().stream().toList();
        boolean mappedMayMove = PveVersion.of(w.hosts.get(vm.host)).atLeast(8, 4);
        Map<String, String> mapped = devices(vm, true);
        if (!raw.isEmpty() || !mapped.isEmpty() && !mappedMayMove) {
            return Optional.of("can't migrate VM which uses local devices: "
                    + String.join(", ", raw.isEmpty() ? mapped.keySet() : raw));
        }
        List<String> missing = mapped.entrySet().stream().filter(entry -> w.pciMappings.getOrDefault(entry.getValue(),
                List.of()).stream().noneMatch(mapping -> Wiring.property(mapping, "node").filter(target::equals).isPresent()))
                .map(Map.Entry::getKey).toList();
        if (!missing.isEmpty()) {
            return Optional.of("can't migrate to '" + target + "': missing mapped devices " + String.join(", ", missing));
        }
        List<String> bound = mapped.entrySet().stream().filter(entry -> !ParameterCheck.isTrue(w.pciMappingOptions
                .getOrDefault(entry.getValue(), Map.of()).getOrDefault("live-migration-capable", "0")))
                .map(entry -> entry.getKey() + ":" + entry.getValue()).toList();
        if (live && !bound.isEmpty()) {
            return Optional.of("can't live migrate running VM which uses following mapped devices: " + String.join(", ", bound));
        }
        return live && hasLocalDisks(w, vm) && !flags.contains("with-local-disks")
                ? Optional.of("can't live migrate attached local disks without with-local-disks option") : Optional.empty();
    }

    /** Whether and where a VM could go, as the window asks before it offers. */
    Map<String, Object> conditions(String node, int vmid) throws PveError {
        return changes.make(w -> {
            LabVm vm = Vms.need(w, node, vmid);
            List<String> others = w.hosts.values().stream().filter(host -> host.proxmox && !host.name.equals(node))
                    .map(host -> host.name).toList();
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("running", Vms.runs(vm) ? 1 : 0);
            data.put("allowed_nodes", others);
            data.put("not_allowed_nodes", Map.of());
            data.put("local_disks", Volumes.drives(vm).values().stream().filter(drive -> isLocal(w, drive))
                    .map(drive -> Map.of("volid", Volumes.file(drive), "size", Volumes.bytes(drive), "cdrom", 0)).toList());
            data.put("local_resources", devices(vm, false).keySet());
            if (PveVersion.of(w.hosts.get(node)).major() >= 8) {
                data.put("mapped-resources", devices(vm, true).keySet());
            }
            return data;
        });
    }

    /** The configuration is the other host's now. Call inside {@link World#change}. */
    static void move(World w, LabVm vm, String target) {
        vm.host = target;
        w.nodes.values().stream().filter(node -> node.vmid == vm.vmid).forEach(node -> node.host = target);
        Wiring.renew(w);
    }

    /** Mappings, or raw addresses, by {@code hostpciN}. */
    private static Map<String, String> devices(LabVm vm, boolean mapped) {
        Map<String, String> devices = new TreeMap<>();
        vm.config.entrySet().stream().filter(entry -> entry.getKey().startsWith("hostpci")).forEach(entry ->
                PropertyString.read(entry.getValue(), "host").get(mapped ? "mapping" : "host")
                        .ifPresent(value -> devices.put(entry.getKey(), value)));
        return devices;
    }

    private static boolean hasLocalDisks(World w, LabVm vm) {
        return Volumes.drives(vm).values().stream().anyMatch(drive -> isLocal(w, drive));
    }

    private static boolean isLocal(World w, String drive) {
        return Volumes.storage(drive).map(w.storages::get).filter(storage -> storage.shared()).isEmpty();
    }
}
