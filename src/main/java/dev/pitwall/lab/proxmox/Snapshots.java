package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabSnapshot;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.World;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Snapshots of VMs: a rollback brings the old configuration back, its devices included. [facts: proxmox.md 1.12] */
public final class Snapshots {
    private final World world;
    private final Changes changes;
    private final Tasks tasks;
    private final VmLocks locks;
    private final VmPower power;
    private final Times times;

    Snapshots(World world, Tasks tasks, VmLocks locks, VmPower power, Times times) {
        this.world = world;
        this.changes = new Changes(world);
        this.tasks = tasks;
        this.locks = locks;
        this.power = power;
        this.times = times;
    }

    /** What a snapshot of a running VM keeps of its memory. */
    public enum Memory {
        /** Nothing: the guest finds its disks as after a power cut. */
        LEFT_OUT,
        /** All of it; QEMU cannot with a passed device. */
        KEPT
    }

    /** Takes one; answers with the UPID. */
    public String take(Caller who, String node, int vmid, String name, String description, Memory memory) throws PveError {
        if (name.equals("current") || name.equals("pending")) {
            throw PveError.died("unable to use snapshot name '" + name + "' (reserved name)");
        }
        changes.make(w -> Vms.need(w, node, vmid));
        return tasks.start(node, "qmsnapshot", String.valueOf(vmid), who.id(), log -> {
            try (VmLocks.Held held = locks.take(vmid)) {
                LabVm vm = changes.make(w -> lock(Vms.need(w, node, vmid), name));
                try {
                    boolean withMemory = memory == Memory.KEPT && world.read(w -> Vms.runs(vm));
                    if (withMemory && world.read(w -> Vms.passesDevices(vm.running))) {
                        throw PveError.died("VM " + vmid + " qmp command 'savevm-start' failed - VFIO migration is not"
                                + " supported in kernel");
                    }
                    log.pause(withMemory ? times.of("snapshotWithRamPerGiB", world.read(w -> Vms.memory(vm.running)) / 1024.0)
                            : times.of("snapshotTake"));
                    world.change(w -> vm.snapshots.put(name, new LabSnapshot(name, description, w.clock().instant(),
                            vm.snapshots.isEmpty() ? "" : vm.snapshots.lastEntry().getKey(),
                            Vms.runs(vm) ? vm.running : vm.config)));
                } finally {
                    world.change(w -> vm.lock = "");
                }
            }
        });
    }

    /** Removes one; answers with the UPID. */
    public String remove(Caller who, String node, int vmid, String name) throws PveError {
        changes.make(w -> need(Vms.need(w, node, vmid), name));
        return tasks.start(node, "qmdelsnapshot", String.valueOf(vmid), who.id(), log -> {
            try (VmLocks.Held held = locks.take(vmid)) {
                log.pause(times.of("snapshotRemove"));
                changes.make(w -> {
                    LabVm vm = Vms.need(w, node, vmid);
                    Vms.refuseLocked(vm);
                    LabSnapshot gone = need(vm, name);
                    vm.snapshots.remove(name);
                    vm.snapshots.replaceAll((other, snapshot) -> snapshot.parent().equals(name)
                            ? new LabSnapshot(other, snapshot.description(), snapshot.takenAt(), gone.parent(),
                            snapshot.config()) : snapshot);
                    return gone;
                });
            }
        });
    }

    /** Goes back to one; a running VM is stopped, and started again only if asked. Answers with the UPID. */
    public String rollBack(Caller who, String node, int vmid, String name, VmStore.Then then) throws PveError {
        changes.make(w -> need(Vms.need(w, node, vmid), name));
        return tasks.start(node, "qmrollback", String.valueOf(vmid), who.id(), log -> {
            try (VmLocks.Held held = locks.take(vmid)) {
                log.pause(times.of("snapshotTake"));
                changes.make(w -> {
                    LabVm vm = Vms.need(w, node, vmid);
                    Vms.refuseLocked(vm);
                    Map<String, String> config = need(vm, name).config();
                    if (Vms.runs(vm)) {
                        PowerSwitch.stop(w, vm);
                    }
                    vm.config.clear();
                    vm.config.putAll(config);
                    return vm;
                });
            }
            if (then == VmStore.Then.START) {
                power.startNow(vmid, PowerRequest.USUAL, log);
            }
        });
    }

    /** Looks at one, under the world's lock. */
    <T> T look(String node, int vmid, String name, Function<LabSnapshot, T> look) throws PveError {
        return changes.make(w -> look.apply(need(Vms.need(w, node, vmid), name)));
    }

    private static LabVm lock(LabVm vm, String name) throws PveError {
        Vms.refuseLocked(vm);
        if (Vms.isTemplate(vm)) {
            throw PveError.died("you can't take a snapshot if it's a template");
        }
        if (vm.snapshots.containsKey(name)) {
            throw PveError.died("snapshot name '" + name + "' already used");
        }
        vm.lock = "snapshot";
        return vm;
    }

    private static LabSnapshot need(LabVm vm, String name) throws PveError {
        return Optional.ofNullable(vm.snapshots.get(name))
                .orElseThrow(() -> PveError.died("snapshot '" + name + "' does not exist"));
    }
}
