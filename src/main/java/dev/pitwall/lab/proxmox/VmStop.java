package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A VM's end, as a task's work: the guest is asked to power off, or the plug is pulled.
 * [facts: proxmox.md 1.11; qemu-server _do_vm_stop]
 */
final class VmStop {
    private static final Duration POLL = Duration.ofSeconds(1);

    private final World world;
    private final Changes changes;
    private final Times times;

    /** What is done about a guest that does not power off in time. */
    enum Late {
        /** The task fails; the guest may still power off later. */
        GIVE_UP,
        /** Its process is ended. */
        KILL
    }

    VmStop(World world, Times times) {
        this.world = world;
        this.changes = new Changes(world);
        this.times = times;
    }

    /** Pulls the plug. The caller holds the VM's lock file. */
    void pullPlug(int vmid, boolean pastLocks, TaskLog log) throws PveError, InterruptedException {
        if (refuseOrSeeStopped(vmid, pastLocks)) {
            return;
        }
        log.pause(times.of("stopHard"));
        off(vmid);
    }

    /**
     * Asks the guest, by its agent or by ACPI. The caller holds the VM's lock file.
     *
     * @param patience how long to wait; empty for what the VM's startup option or Proxmox itself says
     */
    void askGuest(int vmid, boolean pastLocks, Optional<Duration> patience, Late late, TaskLog log)
            throws PveError, InterruptedException {
        if (refuseOrSeeStopped(vmid, pastLocks)) {
            return;
        }
        Instant now = world.clock().instant();
        askGuestOnly(vmid);
        Duration wait = patience.or(() -> downTime(vmid)).orElseGet(() -> times.of("shutdownTimeout"));
        if (waitFor(vmid, now.plus(wait), log)) {
            return;
        }
        if (late == Late.GIVE_UP) {
            throw PveError.died("VM quit/powerdown failed - got timeout");
        }
        log.line("VM still running - terminating now with SIGTERM");
        log.pause(times.of("stopHard"));
        off(vmid);
    }

    /** Asks and does not wait. */
    void askGuestOnly(int vmid) {
        world.change(w -> Optional.ofNullable(w.vms.get(vmid)).filter(VmStop::hasGuest).ifPresent(vm ->
                PowerSwitch.askGuestToPowerOff(vm, w.clock().instant(), times.of("guestShutdown"))));
    }

    private boolean waitFor(int vmid, Instant until, TaskLog log) throws InterruptedException {
        while (world.clock().instant().isBefore(until)) {
            log.pause(POLL);
            world.change(w -> PowerSwitch.settle(w, w.clock().instant()));
            if (world.read(w -> Optional.ofNullable(w.vms.get(vmid)).filter(Vms::runs).isEmpty())) {
                return true;
            }
        }
        return false;
    }

    private boolean refuseOrSeeStopped(int vmid, boolean pastLocks) throws PveError {
        return changes.make(w -> {
            LabVm vm = Vms.need(w, vmid);
            if (!Vms.runs(vm)) {
                return true;
            }
            if (!pastLocks) {
                Vms.refuseLocked(vm);
            }
            return false;
        });
    }

    private void off(int vmid) {
        world.change(w -> Optional.ofNullable(w.vms.get(vmid)).filter(Vms::runs).ifPresent(vm -> PowerSwitch.stop(w, vm)));
    }

    /** A VM without a disk to boot from has nobody to ask. */
    private static boolean hasGuest(LabVm vm) {
        return vm.running.entrySet().stream().anyMatch(entry -> entry.getKey().matches("(scsi|virtio|sata|ide)\\d+")
                && !entry.getValue().contains("media=cdrom"));
    }

    private Optional<Duration> downTime(int vmid) {
        return world.read(w -> Optional.ofNullable(w.vms.get(vmid)).flatMap(vm -> Optional.ofNullable(vm.config.get("startup"))))
                .flatMap(startup -> PropertyString.read(startup, "order").get("down"))
                .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)));
    }
}
