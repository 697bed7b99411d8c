package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabBackup;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Backups of VMs. A VM that is off is started for it, paused, with its devices: that fails if another VM has the card, and
 * keeps the card from others meanwhile. [facts: proxmox.md 1.12; qemu-server VZDump/QemuServer.pm]
 */
public final class Backups {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyy_MM_dd-HH_mm_ss").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
    /** What is left of a disk after zeros and compression. */
    private static final double KEPT_SHARE = 0.12;

    private final World world;
    private final Changes changes;
    private final Tasks tasks;
    private final VmLocks locks;
    private final VmStart starts;
    private final VmStop stops;
    private final Times times;

    Backups(World world, Tasks tasks, VmLocks locks, VmStart starts, VmStop stops, Times times) {
        this.world = world;
        this.changes = new Changes(world);
        this.tasks = tasks;
        this.locks = locks;
        this.starts = starts;
        this.stops = stops;
        this.times = times;
    }

    /**
     * Backs VMs of a node up, one after the other; answers with the UPID.
     *
     * @param options {@code vmid} or {@code all}, {@code exclude}, {@code storage}, {@code mode}
     */
    public String run(Caller who, String node, Map<String, String> options) throws PveError {
        List<Integer> vmids = world.read(w -> chosen(w, node, options));
        String storage = options.getOrDefault("storage", "local");
        changes.make(w -> {
            if (!Volumes.need(w, storage).content().contains("backup")) {
                throw PveError.died("storage '" + storage + "' does not support backups");
            }
            return storage;
        });
        String about = vmids.size() == 1 ? String.valueOf(vmids.getFirst()) : "";
        return tasks.start(node, "vzdump", about, who.id(), log -> {
            String mode = options.getOrDefault("mode", "snapshot");
            log.line("INFO: starting new backup job: vzdump " + String.join(" ", vmids.stream().map(String::valueOf).toList())
                    + " --storage " + storage + " --mode " + mode);
            int failed = 0;
            for (int vmid : vmids) {
                failed += one(node, vmid, storage, mode, log) ? 0 : 1;
            }
            if (failed > 0) {
                log.line("INFO: Backup job finished with errors");
                throw PveError.died("job errors");
            }
            log.line("INFO: Backup job finished successfully");
        });
    }

    private boolean one(String node, int vmid, String storage, String mode, TaskLog log) throws InterruptedException {
        Instant began = world.clock().instant();
        log.line("INFO: Starting Backup of VM " + vmid + " (qemu)");
        log.line("INFO: Backup started at " + TIME.format(began));
        try {
            LabVm vm = changes.make(w -> lock(Vms.need(w, node, vmid)));
            try {
                copy(vm, storage, mode, log);
            } finally {
                world.change(w -> vm.lock = "");
            }
            Duration took = Duration.between(began, world.clock().instant());
            log.line("INFO: Finished Backup of VM " + vmid + " (" + String.format("%02d:%02d:%02d", took.toHours(),
                    took.toMinutesPart(), took.toSecondsPart()) + ")");
            return true;
        } catch (PveError e) {
            log.line("ERROR: Backup of VM " + vmid + " failed - " + e.getMessage());
            log.line("INFO: Failed at " + TIME.format(world.clock().instant()));
            return false;
        }
    }

    private static LabVm lock(LabVm vm) throws PveError {
        Vms.refuseLocked(vm);
        vm.lock = "backup";
        return vm;
    }

    private void copy(LabVm vm, String storage, String mode, TaskLog log) throws PveError, InterruptedException {
        boolean ran = world.read(w -> Vms.runs(vm));
        boolean stopFirst = ran && mode.equals("stop");
        log.line("INFO: status = " + (ran ? "running" : "stopped"));
        log.line("INFO: backup mode: " + (ran ? mode : "stop"));
        log.line("INFO: VM Name: " + world.read(w -> vm.config.getOrDefault("name", "VM " + vm.vmid)));
        if (stopFirst) {
            log.line("INFO: stopping virtual guest");
            stops.askGuest(vm.vmid, true, Optional.of(Duration.ofMinutes(10)), VmStop.Late.GIVE_UP, log);
        }
        String archive = "vzdump-qemu-" + vm.vmid + "-" + STAMP.format(world.clock().instant()) + ".vma.zst";
        log.line("INFO: creating vzdump archive '/var/lib/vz/dump/" + archive + "'");
        if (!ran || stopFirst) {
            log.line("INFO: starting kvm to execute backup task");
            start(vm.vmid, log);
        }
        if (stopFirst) {
            log.line("INFO: resuming VM again");
            world.change(w -> PowerSwitch.resume(w, vm, w.clock().instant()));
        }
        try {
            log.line("INFO: started backup task");
            double gib = world.read(w -> Volumes.gib(vm.config));
            log.pause(times.of("backupBase").plus(times.of("backupPerGiB", gib)));
            long bytes = Math.round(gib * KEPT_SHARE * (1L << 30));
            log.line("INFO: archive file size: " + String.format("%.2fGB", bytes / (double) (1L << 30)));
            world.change(w -> w.backups.add(new LabBackup(storage + ":backup/" + archive, vm.host, vm.vmid, bytes,
                    w.clock().instant(), vm.config.getOrDefault("name", ""))));
        } finally {
            if (!ran) {
                log.line("INFO: stopping kvm after backup task");
                world.change(w -> {
                    if (vm.status.equals("prelaunch")) {
                        PowerSwitch.stop(w, vm);
                    }
                });
            }
        }
    }

    private void start(int vmid, TaskLog log) throws PveError, InterruptedException {
        try (VmLocks.Held held = locks.take(vmid)) {
            starts.run(vmid, VmStart.Way.FOR_BACKUP, log);
        } catch (PveError e) {
            log.line("ERROR: " + e.getMessage());
            throw e;
        }
    }

    private static List<Integer> chosen(World w, String node, Map<String, String> options) {
        List<String> excluded = List.of(options.getOrDefault("exclude", "").split("[,; ]+"));
        if (ParameterCheck.isTrue(options.getOrDefault("all", "0"))) {
            return w.vms.values().stream().filter(vm -> vm.host.equals(node) && !excluded.contains(String.valueOf(vm.vmid)))
                    .map(vm -> vm.vmid).toList();
        }
        return Arrays.stream(options.getOrDefault("vmid", "").split("[,; ]+")).filter(text -> text.matches("\\d+"))
                .map(Integer::valueOf).filter(vmid -> !w.vms.containsKey(vmid) || w.vms.get(vmid).host.equals(node)).toList();
    }
}
