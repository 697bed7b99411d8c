package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A VM's start, as a task's work: every check Proxmox makes, in its order. [facts: proxmox.md 1.8] */
final class VmStart {
    private static final double MIB_PER_GIB = 1024;

    private final World world;
    private final Changes changes;
    private final PassThrough devices;
    private final Times times;

    /** How a VM is started. */
    enum Way {
        /** Its guest boots. */
        USUAL,
        /** As usual, whatever lock it has; root only. */
        PAST_LOCKS,
        /** Past its lock, paused before the guest starts: a backup needs the process. */
        FOR_BACKUP
    }

    VmStart(World world, PassThrough devices, Times times) {
        this.world = world;
        this.changes = new Changes(world);
        this.devices = devices;
        this.times = times;
    }

    /** The caller holds the VM's lock file. */
    void run(int vmid, Way way, TaskLog log) throws PveError, InterruptedException {
        List<PassThrough.Device> claimed = changes.make(w -> {
            LabVm vm = Vms.need(w, vmid);
            refuse(w, vm, way);
            return devices.claim(w, vm);
        });
        try {
            List<String> lines = changes.make(w -> devices.bind(w.hosts.get(w.vms.get(vmid).host), claimed));
            lines.forEach(log::line);
            log.pause(takes(vmid, claimed));
            QemuStart.Outcome outcome = changes.make(w -> launch(w, Vms.need(w, vmid), claimed, way));
            outcome.lines().forEach(log::line);
            Optional<String> failure = outcome.failure();
            if (failure.isPresent()) {
                throw PveError.died(failure.get());
            }
        } finally {
            devices.release(vmid);
        }
    }

    private static void refuse(World w, LabVm vm, Way way) throws PveError {
        if (way == Way.USUAL) {
            Vms.refuseLocked(vm);
        }
        if (Vms.isTemplate(vm) && way != Way.FOR_BACKUP) {
            throw PveError.died("you can't start a vm if it's a template");
        }
        if (Vms.runs(vm)) {
            throw PveError.died("VM " + vm.vmid + " already running");
        }
        LabHost host = w.hosts.get(vm.host);
        if (!host.virtualization && !"0".equals(vm.config.get("kvm"))) {
            throw PveError.died("KVM virtualisation configured, but not available. Either disable in VM configuration or "
                    + "enable in BIOS.");
        }
    }

    private Duration takes(int vmid, List<PassThrough.Device> claimed) {
        double pinned = claimed.isEmpty() ? 0
                : world.read(w -> Optional.ofNullable(w.vms.get(vmid)).map(vm -> Vms.memory(vm.config)).orElse(0L)) / MIB_PER_GIB;
        return times.of("startBase").plus(times.of("pinPerGiB", pinned));
    }

    private static QemuStart.Outcome launch(World w, LabVm vm, List<PassThrough.Device> claimed, Way way) {
        QemuStart.Outcome outcome = QemuStart.of(w, vm, claimed);
        if (outcome.failure().isEmpty()) {
            PowerSwitch.pass(vm, claimed.stream().collect(Collectors.toMap(PassThrough.Device::key,
                    device -> device.functions().stream().map(function -> function.address).toList())));
            Instant now = w.clock().instant();
            switch (way) {
                case USUAL, PAST_LOCKS -> PowerSwitch.start(w, vm, now);
                case FOR_BACKUP -> PowerSwitch.prelaunch(w, vm, now);
            }
        }
        return outcome;
    }
}
