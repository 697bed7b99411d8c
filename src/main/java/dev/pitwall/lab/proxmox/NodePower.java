package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.HaMode;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.Restart;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Power of the hosts themselves: VMs are shut down, the host is off, it boots, its {@code onboot} VMs start. The same
 * for the API and for {@code reboot} in a shell. [facts: proxmox.md 1.5]
 */
public final class NodePower implements AutoCloseable {
    private static final Caller ROOT = new Caller.User(Rights.ROOT);

    private final World world;
    private final Tasks tasks;
    private final VmPower power;
    private final Times times;
    private final Set<String> goingDown = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("lab-pve-host-", 0).factory());

    /** What follows when a host has stopped. */
    public enum Then {
        /** It boots. */
        REBOOT,
        /** It stays off until {@link #powerOn}. */
        STAY_OFF
    }

    NodePower(World world, Tasks tasks, VmPower power, Times times) {
        this.world = world;
        this.tasks = tasks;
        this.power = power;
        this.times = times;
    }

    /** Begins; the call is over at once, and there is no task for it. A host that goes down already is left alone. */
    public void goDown(String node, Then then) {
        if (goingDown.add(node)) {
            world.change(w -> w.hosts.get(node).haMode = switch (then) {
                case REBOOT -> HaMode.RESTART;
                case STAY_OFF -> HaMode.SHUTDOWN;
            });
            threads.submit(() -> {
                try {
                    pause(times.of("hostRebootFork"));
                    tasks.await(stopAll(ROOT, node, List.of(), Optional.empty()), Duration.ofHours(1));
                    pause(times.of("hostStopServices"));
                    cutPower(node);
                    if (then == Then.REBOOT) {
                        pause(times.of("hostBoot"));
                        boot(node);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    goingDown.remove(node);
                }
            });
        }
    }

    /** Presses the power button of a host that is off, or sends it a magic packet; one that is on does nothing. */
    public void powerOn(String node) {
        if (world.read(w -> w.hosts.get(node).off) && goingDown.add(node)) {
            threads.submit(() -> {
                try {
                    pause(times.of("hostBoot"));
                    boot(node);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    goingDown.remove(node);
                }
            });
        }
    }

    /**
     * Sends a magic packet.
     *
     * @return the address it went to
     * @throws PveError if the node's options name none
     */
    String wake(String node) throws PveError {
        Optional<String> address = world.read(w -> Optional.ofNullable(w.hosts.get(node)).filter(host -> host.proxmox)
                .flatMap(host -> Optional.ofNullable(host.options.get("wakeonlan"))))
                .flatMap(text -> PropertyString.read(text, "mac").get("mac"));
        if (address.isEmpty()) {
            throw PveError.died("No wake on LAN MAC address defined for '" + node + "'!");
        }
        powerOn(node);
        return address.get();
    }

    /**
     * Starts VMs one after the other, in the order of their startup option.
     *
     * @param only  VMs to look at; empty for all
     * @param force also those without {@code onboot}
     * @return the UPID
     */
    public String startAll(Caller who, String node, List<Integer> only, boolean force) {
        return tasks.start(node, "startall", "", who.id(), log -> {
            List<Integer> order = world.read(w -> here(w, node, only)
                    .filter(vm -> force || "1".equals(vm.config.get("onboot")))
                    .filter(vm -> !Vms.runs(vm) && !Vms.isTemplate(vm) && !Vms.isHaManaged(w, vm.vmid))
                    .sorted(Comparator.comparingInt(NodePower::order).thenComparingInt(vm -> vm.vmid))
                    .map(vm -> vm.vmid).toList());
            for (int vmid : order) {
                log.line("Starting VM " + vmid);
                String upid = power.startPastHa(who, node, vmid, PowerRequest.USUAL);
                String status = tasks.await(upid, Duration.ofMinutes(10)).orElse("unexpected status");
                if (!status.equals("OK") && !status.startsWith("WARNINGS")) {
                    log.line("Starting VM " + vmid + " failed: " + status);
                }
                log.pause(upTime(vmid));
            }
        });
    }

    /**
     * Shuts VMs down, all at a time; a guest that does not power off in time is ended.
     *
     * @return the UPID
     */
    public String stopAll(Caller who, String node, List<Integer> only, Optional<Duration> patience) {
        return tasks.start(node, "stopall", "", who.id(), log -> {
            List<Integer> running = world.read(w -> here(w, node, only).filter(Vms::runs).map(vm -> vm.vmid).toList());
            PowerRequest request = new PowerRequest(false, patience, true, false);
            List<String> upids = running.reversed().stream().map(vmid -> {
                log.line("Stopping VM " + vmid + " (timeout = " + patience.orElse(times.of("shutdownTimeout")).toSeconds()
                        + " seconds)");
                boolean paused = world.read(w -> !w.vms.get(vmid).status.equals("running"));
                return power.shutdownPastHa(who, node, vmid, request, paused);
            }).toList();
            for (String upid : upids) {
                tasks.await(upid, Duration.ofMinutes(10));
            }
        });
    }

    @Override
    public void close() {
        threads.shutdownNow();
        try {
            threads.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void cutPower(String node) {
        tasks.cutOff(node, "");
        world.change(w -> Restart.powerOff(w, w.hosts.get(node), w.clock().instant()));
    }

    private void boot(String node) throws InterruptedException {
        world.change(w -> {
            LabHost host = w.hosts.get(node);
            if (host.off) {
                PowerSwitch.bootHost(w, host, w.clock().instant());
            }
        });
        pause(times.of("startallDelay"));
        if (world.read(w -> w.hosts.get(node).off)) {
            // Its kernel found no root file system.
            return;
        }
        startAll(ROOT, node, List.of(), false);
    }

    private void pause(Duration time) throws InterruptedException {
        world.clock().await(world.clock().instant().plus(time));
    }

    private Duration upTime(int vmid) {
        return Duration.ofSeconds(world.read(w -> Optional.ofNullable(w.vms.get(vmid))
                .flatMap(vm -> Optional.ofNullable(vm.config.get("startup"))))
                .flatMap(startup -> PropertyString.read(startup, "order").get("up")).map(Long::parseLong).orElse(0L));
    }

    private static int order(LabVm vm) {
        return Optional.ofNullable(vm.config.get("startup")).flatMap(text -> PropertyString.read(text, "order").get("order"))
                .map(Integer::parseInt).orElse(Integer.MAX_VALUE);
    }

    private static Stream<LabVm> here(World w, String node, List<Integer> only) {
        return w.vms.values().stream().filter(vm -> vm.host.equals(node) && (only.isEmpty() || only.contains(vm.vmid)));
    }
}
