package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.GuestShell;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * QEMU's guest agent: answers only while the guest has booted and the VM was started with the agent's device.
 * [facts: proxmox.md 1.13; qemu-server Agent.pm]
 */
public final class GuestAgent implements AutoCloseable {
    private static final int FIRST_PROCESS = 2100;
    /** What an agent says whose distribution allows it only some commands. [facts: proxmox.md 1.13] */
    private static final String NO_EXEC = "Agent error: Command guest-exec has been disabled: the command is not allowed";

    private final World world;
    private final Changes changes;
    private final Map<Integer, CompletableFuture<GuestShell.Ended>> processes = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger(FIRST_PROCESS);
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("lab-guest-agent-", 0).factory());
    private volatile Optional<GuestShell> shell = Optional.empty();

    GuestAgent(World world) {
        this.world = world;
        this.changes = new Changes(world);
    }

    /** From here on commands and files of the guests' machines are within reach. */
    public void connect(GuestShell machines) {
        shell = Optional.of(machines);
    }

    /** @throws PveError if the agent does not answer, in the order Proxmox looks */
    public void ping(String node, int vmid) throws PveError {
        changes.make(w -> {
            LabVm vm = Vms.need(w, node, vmid);
            Map<String, String> config = Vms.runs(vm) ? vm.running : vm.config;
            if (!config.containsKey("agent")) {
                throw PveError.died("No QEMU guest agent configured");
            }
            if (!Vms.runs(vm)) {
                throw PveError.died("VM " + vmid + " is not running");
            }
            boolean device = PropertyString.read(config.get("agent"), "enabled").isOn("enabled");
            if (!device || !vm.answers(w.clock().instant())) {
                throw PveError.died("QEMU guest agent is not running");
            }
            return vm;
        });
    }

    Map<String, Object> osInfo(String node, int vmid) throws PveError {
        ping(node, vmid);
        return world.read(w -> {
            Map<String, Object> info = new LinkedHashMap<>();
            Optional<LabNode> machine = machine(w, vmid);
            String pretty = machine.map(found -> found.osImage).orElseGet(() ->
                    w.vms.get(vmid).config.getOrDefault("ostype", "").startsWith("win") ? "Microsoft Windows" : "Linux");
            info.put("pretty-name", pretty);
            info.put("name", pretty.split(" ")[0]);
            info.put("id", pretty.startsWith("Microsoft") ? "mswindows" : pretty.split(" ")[0].toLowerCase());
            info.put("machine", "x86_64");
            machine.ifPresent(found -> {
                info.put("kernel-release", found.kernel);
                info.put("version-id", found.osImage.replaceFirst("^\\D*(\\d+(?:\\.\\d+)?).*$", "$1"));
            });
            return info;
        });
    }

    String hostName(String node, int vmid) throws PveError {
        ping(node, vmid);
        return world.read(w -> machine(w, vmid).map(found -> found.name)
                .orElse(w.vms.get(vmid).config.getOrDefault("name", "localhost")));
    }

    /** A guest with q35 has its first network card behind a bridge, and names it so. [facts: proxmox.md 1.9] */
    List<Map<String, Object>> interfaces(String node, int vmid) throws PveError {
        ping(node, vmid);
        return world.read(w -> {
            LabVm vm = w.vms.get(vmid);
            Map<String, Object> loopback = new LinkedHashMap<>();
            loopback.put("name", "lo");
            loopback.put("hardware-address", "00:00:00:00:00:00");
            loopback.put("ip-addresses", List.of(address("ipv4", "127.0.0.1", 8), address("ipv6", "::1", 128)));
            Map<String, Object> card = new LinkedHashMap<>();
            card.put("name", vm.running.getOrDefault("machine", "").contains("q35") ? "enp6s18" : "ens18");
            card.put("hardware-address", vm.running.getOrDefault("net0", "").replaceFirst("^\\w+=([0-9A-Fa-f:]{17}).*$", "$1")
                    .toLowerCase());
            card.put("ip-addresses", machine(w, vmid).filter(found -> !found.address.isEmpty())
                    .map(found -> List.of(address("ipv4", found.address, 24))).orElse(List.of()));
            return vm.running.containsKey("net0") ? List.of(loopback, card) : List.of(loopback);
        });
    }

    /** Starts a command in the guest; answers with its process number. */
    public int exec(String node, int vmid, List<String> command, String input) throws PveError {
        ping(node, vmid);
        if (command.isEmpty() && input.isEmpty()) {
            throw PveError.died("command or input-data (or both) required");
        }
        GuestShell machines = shell.orElseThrow(() -> PveError.died(NO_EXEC));
        String machine = machineName(vmid).orElseThrow(() -> PveError.died(NO_EXEC));
        int process = next.getAndIncrement();
        CompletableFuture<GuestShell.Ended> ended = new CompletableFuture<>();
        processes.put(process, ended);
        threads.submit(() -> {
            try {
                machines.run(machine, command, input).ifPresentOrElse(ended::complete,
                        () -> ended.completeExceptionally(PveError.died(NO_EXEC)));
            } catch (InterruptedException | RuntimeException e) {
                ended.completeExceptionally(e);
            }
        });
        return process;
    }

    /** How a command is; the agent forgets it once it has told its end. */
    Map<String, Object> execStatus(String node, int vmid, int process) throws PveError {
        ping(node, vmid);
        CompletableFuture<GuestShell.Ended> ended = Optional.ofNullable(processes.get(process))
                .orElseThrow(() -> PveError.died("Agent error: PID " + process + " does not exist"));
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("exited", ended.isDone() ? 1 : 0);
        if (!ended.isDone()) {
            return data;
        }
        processes.remove(process);
        try {
            GuestShell.Ended result = ended.get();
            data.put("exitcode", result.exitCode());
            put(data, "out-data", result.out());
            put(data, "err-data", result.err());
            return data;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof PveError refused ? refused : PveError.died("Agent error: internal error");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw PveError.died("Agent error: interrupted");
        }
    }

    /** A file's bytes. */
    byte[] read(String node, int vmid, String path) throws PveError {
        ping(node, vmid);
        Optional<byte[]> content = shell.flatMap(machines -> machineName(vmid).flatMap(name -> machines.read(name, path)));
        return content.orElseThrow(() -> PveError.died("Agent error: Failed to open file '" + path
                + "': No such file or directory"));
    }

    void write(String node, int vmid, String path, byte[] content) throws PveError {
        ping(node, vmid);
        boolean written = shell.flatMap(machines -> machineName(vmid).map(name -> machines.write(name, path, content)))
                .orElse(false);
        if (!written) {
            throw PveError.died("Agent error: Failed to open file '" + path + "': No such file or directory");
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        try {
            threads.awaitTermination(Duration.ofSeconds(5).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<String> machineName(int vmid) {
        return world.read(w -> machine(w, vmid).map(found -> found.name));
    }

    private static Optional<LabNode> machine(World w, int vmid) {
        return w.nodes.values().stream().filter(found -> found.vmid == vmid).findFirst();
    }

    private static Map<String, Object> address(String type, String address, int prefix) {
        return Map.of("ip-address-type", type, "ip-address", address, "prefix", prefix);
    }

    private static void put(Map<String, Object> data, String key, String value) {
        if (!value.isEmpty()) {
            data.put(key, value);
        }
    }
}
