package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabHaResource;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.Restart;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts and stops VMs as Proxmox does: each call is a task, and an HA resource is only asked of the HA stack. The same for
 * the API and for {@code qm}. Every method answers with the UPID of its task, and throws what Proxmox refuses before
 * there is a task. [facts: proxmox.md 1.11; qemu-server API2/Qemu.pm]
 */
public final class VmPower {
    private static final String ROOT = Rights.ROOT;

    private final World world;
    private final Changes changes;
    private final Tasks tasks;
    private final VmLocks locks;
    private final VmStart starts;
    private final VmStop stops;

    VmPower(World world, Tasks tasks, VmLocks locks, VmStart starts, VmStop stops) {
        this.world = world;
        this.changes = new Changes(world);
        this.tasks = tasks;
        this.locks = locks;
        this.starts = starts;
        this.stops = stops;
    }

    /** Starts a stopped VM: pending changes take effect. */
    public String start(Caller who, String node, int vmid, PowerRequest request) throws PveError {
        refusePastLocks(who, request);
        need(node, vmid);
        if (isHaManaged(vmid)) {
            return askHa(who, node, "hastart", vmid, "started", Duration.ZERO);
        }
        return startPastHa(who, node, vmid, request);
    }

    /** Pulls the plug. */
    public String stop(Caller who, String node, int vmid, PowerRequest request) throws PveError {
        refusePastLocks(who, request);
        need(node, vmid);
        if (isHaManaged(vmid)) {
            if (request.overruleShutdown()) {
                throw PveError.parameter("overrule-shutdown", "Not applicable for HA resources.");
            }
            return askHa(who, node, "hastop", vmid, "stopped", Duration.ZERO);
        }
        return tasks.start(node, "qmstop", String.valueOf(vmid), who.id(), log -> {
            if (request.overruleShutdown()) {
                List<String> overruled = tasks.stop("qmshutdown", vmid);
                if (!overruled.isEmpty()) {
                    log.line("overruled qmshutdown tasks: " + String.join(", ", overruled));
                }
            }
            try (VmLocks.Held held = locks.take(vmid)) {
                stops.pullPlug(vmid, request.pastLocks(), log);
            }
        });
    }

    /** Asks the guest to power off. */
    public String shutdown(Caller who, String node, int vmid, PowerRequest request) throws PveError {
        refusePastLocks(who, request);
        LabVm vm = need(node, vmid);
        boolean paused = world.read(w -> vm.status.equals("paused") || vm.status.equals("prelaunch"));
        if (paused && !request.forceStop()) {
            throw PveError.died("VM is paused - cannot shutdown");
        }
        if (isHaManaged(vmid)) {
            return askHa(who, node, "hastop", vmid, "stopped", request.patience().orElse(Duration.ofSeconds(60)));
        }
        return shutdownPastHa(who, node, vmid, request, paused);
    }

    /** Powers off and starts again, so that pending changes take effect. */
    public String reboot(Caller who, String node, int vmid, Optional<Duration> patience) throws PveError {
        LabVm vm = need(node, vmid);
        if (world.read(w -> vm.status.equals("paused") || vm.status.equals("prelaunch"))) {
            throw PveError.died("VM is paused - cannot shutdown");
        }
        needRunning(vm);
        return tasks.start(node, "qmreboot", String.valueOf(vmid), who.id(), log -> {
            try (VmLocks.Held held = locks.take(vmid)) {
                stops.askGuest(vmid, false, patience, VmStop.Late.GIVE_UP, log);
            }
            // Proxmox sees the process end and starts the VM in a task of its own.
            startPastHa(new Caller.User(ROOT), node, vmid, PowerRequest.USUAL);
        });
    }

    /** Presses the reset button: the guest boots, pending changes stay pending. */
    public String reset(Caller who, String node, int vmid, PowerRequest request) throws PveError {
        refusePastLocks(who, request);
        LabVm vm = need(node, vmid);
        needRunning(vm);
        return tasks.start(node, "qmreset", String.valueOf(vmid), who.id(), log -> locked(vmid, request,
                w -> Restart.guest(w, vm, w.clock().instant())));
    }

    /** Stands still; memory and cards stay taken. */
    public String pause(Caller who, String node, int vmid, PowerRequest request) throws PveError {
        refusePastLocks(who, request);
        LabVm vm = need(node, vmid);
        needRunning(vm);
        return tasks.start(node, "qmpause", String.valueOf(vmid), who.id(),
                log -> locked(vmid, request, w -> PowerSwitch.pause(w, vm)));
    }

    /**
     * Saves the guest's memory to disk and stops it: refused with a passed device, as on a real one; without one the lab
     * cannot do it.
     */
    public String suspendToDisk(Caller who, String node, int vmid) throws PveError {
        LabVm vm = need(node, vmid);
        needRunning(vm);
        if (isHaManaged(vmid)) {
            throw PveError.died("Cannot suspend HA managed VM to disk");
        }
        if (world.read(w -> Vms.passesDevices(vm.config))) {
            throw PveError.died("cannot suspend VM to disk due to passed-through PCI device(s), which lack the possibility"
                    + " to save/restore their internal state");
        }
        throw PveError.notInTheLab("suspend a VM to disk");
    }

    /** Lets a paused VM go on. */
    public String resume(Caller who, String node, int vmid, PowerRequest request) throws PveError {
        refusePastLocks(who, request);
        LabVm vm = need(node, vmid);
        needRunning(vm);
        return tasks.start(node, "qmresume", String.valueOf(vmid), who.id(), log -> locked(vmid, request, w -> {
            if (!vm.status.equals("running")) {
                PowerSwitch.resume(w, vm, w.clock().instant());
            }
        }));
    }

    /** The guest powers off by itself, as after {@code poweroff} in it; nobody waits for it. */
    public void guestPowersOff(String node, int vmid) throws PveError {
        need(node, vmid);
        stops.askGuestOnly(vmid);
    }

    /** A start that asks no HA stack: of the stack itself, of a host that has booted, after a reboot. */
    String startPastHa(Caller who, String node, int vmid, PowerRequest request) {
        return tasks.start(node, "qmstart", String.valueOf(vmid), who.id(), log -> startNow(vmid, request, log));
    }

    /** The same as a part of another task. */
    void startNow(int vmid, PowerRequest request, TaskLog log) throws PveError, InterruptedException {
        try (VmLocks.Held held = locks.take(vmid)) {
            starts.run(vmid, request.pastLocks() ? VmStart.Way.PAST_LOCKS : VmStart.Way.USUAL, log);
        }
    }

    /** A shutdown that asks no HA stack. */
    String shutdownPastHa(Caller who, String node, int vmid, PowerRequest request, boolean paused) {
        return tasks.start(node, "qmshutdown", String.valueOf(vmid), who.id(), log -> {
            try (VmLocks.Held held = locks.take(vmid)) {
                if (paused) {
                    log.line("VM is paused - stop instead of shutdown");
                    stops.pullPlug(vmid, request.pastLocks(), log);
                } else {
                    stops.askGuest(vmid, request.pastLocks(), request.patience(),
                            request.forceStop() ? VmStop.Late.KILL : VmStop.Late.GIVE_UP, log);
                }
            }
        });
    }

    private interface Step {
        void take(World world);
    }

    private void locked(int vmid, PowerRequest request, Step step) throws PveError, InterruptedException {
        try (VmLocks.Held held = locks.take(vmid)) {
            changes.make(w -> {
                LabVm vm = Vms.need(w, vmid);
                if (!request.pastLocks()) {
                    Vms.refuseLocked(vm);
                }
                if (!Vms.runs(vm)) {
                    throw PveError.died("VM " + vmid + " not running");
                }
                step.take(w);
                return Map.of();
            });
        }
    }

    /** The HA stack's task is over as soon as the wish is written down; the VM changes later. [facts: proxmox.md 1.11] */
    private String askHa(Caller who, String node, String type, int vmid, String state, Duration patience) {
        return tasks.start(node, type, String.valueOf(vmid), who.id(), log -> {
            log.line("Requesting HA " + (type.equals("hastart") ? "start" : "stop") + " for VM " + vmid);
            world.change(w -> Optional.ofNullable(w.haResources.get("vm:" + vmid))
                    .ifPresent(resource -> want(resource, state, patience)));
        });
    }

    private static void want(LabHaResource resource, String state, Duration patience) {
        resource.options.put("state", state);
        resource.failedStarts = 0;
        resource.stopPatience = Math.toIntExact(patience.toSeconds());
    }

    private boolean isHaManaged(int vmid) {
        return world.read(w -> Vms.isHaManaged(w, vmid));
    }

    private LabVm need(String node, int vmid) throws PveError {
        return changes.make(w -> Vms.need(w, node, vmid));
    }

    private void needRunning(LabVm vm) throws PveError {
        if (!world.read(w -> Vms.runs(vm))) {
            throw PveError.died("VM " + vm.vmid + " not running");
        }
    }

    private static void refusePastLocks(Caller who, PowerRequest request) throws PveError {
        if (request.pastLocks() && !Rights.isRoot(who)) {
            throw PveError.parameter("skiplock", "Only root may use this option.");
        }
    }
}
