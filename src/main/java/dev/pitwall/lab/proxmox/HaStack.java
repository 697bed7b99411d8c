package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.HaMode;
import dev.pitwall.lab.world.LabHaResource;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The HA stack: it starts what shall run, also what somebody stopped by other means, and moves what was on a host that is
 * gone, unless that host said that it reboots; a raw device does not come with it. [facts: proxmox.md 1.11, 1.12; pve-ha-manager]
 */
final class HaStack {
    private static final Caller ROOT = new Caller.User(Rights.ROOT);

    private final World world;
    private final Tasks tasks;
    private final VmPower power;
    private final Times times;
    /** The start or stop that goes on for a resource. */
    private final Map<String, String> busy = new HashMap<>();
    private final Map<String, Instant> silentSince = new HashMap<>();

    HaStack(World world, Tasks tasks, VmPower power, Times times) {
        this.world = world;
        this.tasks = tasks;
        this.power = power;
        this.times = times;
    }

    /** One look at everything. Called by one thread. */
    void round(Instant now) {
        world.read(w -> List.copyOf(w.hosts.values())).forEach(host -> noteSilence(host, now));
        for (LabHaResource resource : world.read(w -> List.copyOf(w.haResources.values()))) {
            world.read(w -> Optional.ofNullable(w.vms.get(resource.vmid())))
                    .ifPresentOrElse(vm -> look(resource, vm, now), () -> set(resource, "error"));
        }
    }

    private void look(LabHaResource resource, LabVm vm, Instant now) {
        LabHost host = world.read(w -> w.hosts.get(vm.host));
        HaMode mode = world.read(w -> host.haMode);
        if (mode == HaMode.RESTART) {
            freeze(resource);
        } else if (world.read(w -> !host.answers())) {
            recover(resource, vm, now);
        } else if (mode == HaMode.ACTIVE && isFree(resource)) {
            keep(resource, vm);
        }
    }

    /** What is frozen is neither started nor moved. */
    private void freeze(LabHaResource resource) {
        if (!List.of("error", "ignored").contains(world.read(w -> resource.status))) {
            set(resource, "freeze");
        }
    }

    private void noteSilence(LabHost host, Instant now) {
        if (world.read(w -> !host.answers())) {
            silentSince.putIfAbsent(host.name, now);
        } else {
            silentSince.remove(host.name);
        }
    }

    /** What was started or stopped for it has ended; a start that failed is counted. */
    private boolean isFree(LabHaResource resource) {
        Optional<String> upid = Optional.ofNullable(busy.get(resource.sid));
        if (upid.isEmpty()) {
            return true;
        }
        Optional<String> status = tasks.find(upid.get()).map(task -> world.read(w -> task.exitStatus));
        if (status.filter(String::isEmpty).isPresent()) {
            return false;
        }
        busy.remove(resource.sid);
        boolean failed = upid.get().contains(":qmstart:")
                && status.filter(text -> text.equals("OK") || text.startsWith("WARNINGS")).isEmpty();
        if (failed) {
            world.change(w -> resource.failedStarts++);
        }
        return true;
    }

    private void keep(LabHaResource resource, LabVm vm) {
        boolean runs = world.read(w -> Vms.runs(vm));
        switch (world.read(w -> resource.options.getOrDefault("state", "started"))) {
            case "started", "enabled" -> {
                if (runs) {
                    world.change(w -> {
                        resource.status = "started";
                        resource.failedStarts = 0;
                    });
                } else if (!resource.status.equals("error")) {
                    start(resource, vm);
                }
            }
            case "stopped", "disabled" -> {
                if (runs) {
                    set(resource, "request_stop");
                    busy.put(resource.sid, stop(resource, vm));
                } else {
                    set(resource, "stopped");
                }
            }
            default -> set(resource, "ignored");
        }
    }

    private void start(LabHaResource resource, LabVm vm) {
        int failed = world.read(w -> resource.failedStarts);
        int restarts = number(resource, "max_restart");
        int relocations = number(resource, "max_relocate");
        if (failed > 0 && failed % (restarts + 1) == 0) {
            Optional<String> elsewhere = failed / (restarts + 1) <= relocations ? target(resource, vm) : Optional.empty();
            if (elsewhere.isEmpty()) {
                set(resource, "error");
                return;
            }
            world.change(w -> VmMoves.move(w, vm, elsewhere.get()));
        }
        set(resource, "started");
        busy.put(resource.sid, power.startPastHa(ROOT, world.read(w -> vm.host), vm.vmid, PowerRequest.USUAL));
    }

    private String stop(LabHaResource resource, LabVm vm) {
        Duration patience = Duration.ofSeconds(world.read(w -> resource.stopPatience));
        return power.shutdownPastHa(ROOT, world.read(w -> vm.host), vm.vmid,
                PowerRequest.USUAL.withPatience(patience).withForceStop(), patience.isZero());
    }

    /** After a while a host that is gone is fenced: its watchdog has reset it, and its resources may run elsewhere. */
    private void recover(LabHaResource resource, LabVm vm, Instant now) {
        Instant since = silentSince.getOrDefault(world.read(w -> vm.host), now);
        boolean wanted = List.of("started", "enabled").contains(resource.options.getOrDefault("state", "started"));
        if (since.plus(times.of("haFence")).isAfter(now) || !wanted || !world.read(HaStack::isQuorate)) {
            set(resource, wanted ? "fence" : resource.status);
            return;
        }
        target(resource, vm).ifPresentOrElse(node -> {
            world.change(w -> {
                PowerSwitch.stop(w, vm);
                VmMoves.move(w, vm, node);
                resource.failedStarts = 0;
                resource.status = "started";
            });
            busy.remove(resource.sid);
        }, () -> set(resource, "recovery"));
    }

    private static boolean isQuorate(World w) {
        long all = w.hosts.values().stream().filter(host -> host.proxmox).count();
        long there = w.hosts.values().stream().filter(host -> host.proxmox && host.answers()).count();
        return there * 2 > all;
    }

    /** Another node that is there and that the resource's group or rule allows. */
    private Optional<String> target(LabHaResource resource, LabVm vm) {
        return world.read(w -> {
            List<String> allowed = allowed(w, resource);
            return w.hosts.values().stream().filter(host -> host.proxmox && host.answers() && !host.name.equals(vm.host))
                    .map(host -> host.name).filter(name -> allowed.isEmpty() || allowed.contains(name)).findFirst();
        });
    }

    private static List<String> allowed(World w, LabHaResource resource) {
        Optional<Map<String, String>> group = Optional.ofNullable(w.haGroups.get(resource.options.getOrDefault("group", "")))
                .filter(options -> ParameterCheck.isTrue(options.getOrDefault("restricted", "0")));
        Optional<Map<String, String>> rule = w.haRules.values().stream()
                .filter(options -> "node-affinity".equals(options.get("type"))
                        && ParameterCheck.isTrue(options.getOrDefault("strict", "0"))
                        && List.of(options.getOrDefault("resources", "").split("[,; ]+")).contains(resource.sid)).findFirst();
        return group.or(() -> rule).map(options -> List.of(options.getOrDefault("nodes", "").replaceAll(":\\d+", "")
                .split("[,; ]+"))).orElse(List.of());
    }

    private static int number(LabHaResource resource, String option) {
        return Integer.parseInt(resource.options.getOrDefault(option, "1"));
    }

    private void set(LabHaResource resource, String status) {
        world.change(w -> resource.status = status);
    }
}
