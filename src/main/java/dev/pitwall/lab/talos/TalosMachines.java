package dev.pitwall.lab.talos;

import dev.pitwall.lab.world.BootStep;
import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabTalos;
import dev.pitwall.lab.world.LabTalos.NextImage;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * What happens to Talos machines: configurations come into force, images are installed, kernels start. What takes time is
 * planned in the world, and the lab's life does it.
 */
final class TalosMachines implements AutoCloseable {
    /** Talos's own timeout of a tried configuration (constants.ConfigTryTimeout). */
    static final Duration TRY = Duration.ofMinutes(1);
    /** How long these take differs from machine to machine; a VM with an SSD needs about this. */
    private static final Duration STOP_SERVICES = Duration.ofSeconds(12);
    private static final Duration BOOT = Duration.ofSeconds(25);
    static final Duration PULL = Duration.ofSeconds(15);
    static final Duration INSTALL = Duration.ofSeconds(20);

    private final World world;
    private final TalosData data;
    private final ModuleLoader modules;
    private final BootStep boot = this::boots;

    TalosMachines(World world, TalosData data) {
        this.world = world;
        this.data = data;
        this.modules = new ModuleLoader(data);
        world.change(w -> w.nodes.values().forEach(node -> node.talos
                .filter(talos -> talos.modules.contains("nvidia")).flatMap(modules::driver).ifPresent(driver -> {
                    KernelText.moduleComes(node.talos.orElseThrow(), driver);
                    KernelText.moduleStands(node.talos.orElseThrow(), driver);
                })));
        world.bootSteps.add(boot);
    }

    ModuleLoader modules() {
        return modules;
    }

    /** A kernel starts: the installed image and the saved configuration come into force, modules are loaded anew. */
    private void boots(World w, String machine, Instant now) {
        LabNode node = w.nodes.get(machine);
        if (node == null || node.talos.isEmpty()) {
            return;
        }
        LabTalos talos = node.talos.get();
        if (!startsFromMedium(w, node)) {
            talos.onDisk.ifPresent(image -> put(node, talos, image));
            talos.onDisk = Optional.empty();
        }
        talos.next.ifPresent(image -> put(node, talos, image));
        talos.next = Optional.empty();
        talos.config = talos.savedConfig;
        talos.triedUntil = Optional.empty();
        talos.modules.clear();
        talos.kernelLog.clear();
        talos.stage = "running";
        GuestDriver.unload(w, node, now);
        Wiring.renew(w);
        takeEffect(w, node, talos, now);
    }

    /** True if a drive with a medium in it comes before the disk. */
    private static boolean startsFromMedium(World w, LabNode node) {
        return Optional.ofNullable(w.vms.get(node.vmid)).map(vm -> {
            String first = vm.config.getOrDefault("boot", "").replaceFirst("^order=", "").replaceFirst(";.*$", "");
            String drive = vm.config.getOrDefault(first, "");
            return drive.contains("media=cdrom") && !drive.startsWith("none");
        }).orElse(false);
    }

    private void put(LabNode node, LabTalos talos, NextImage image) {
        talos.version = image.version();
        talos.schematic = image.schematic();
        talos.extensions.clear();
        talos.extensions.addAll(image.extensions());
        data.release(image.version()).ifPresent(release -> {
            node.osImage = "Talos (" + release.talos() + ")";
            node.kernel = release.kernel();
            node.containerRuntime = "containerd://" + release.containerd();
        });
    }

    /** What the configuration asks for and a running machine does at once. */
    private void takeEffect(World w, LabNode node, LabTalos talos, Instant now) {
        MachineConfig config = MachineConfig.inForce(talos.config);
        modules.load(w, node, talos, now);
        NodeApply.apply(node, talos, config);
    }

    /** Puts a checked configuration into force without a reboot, and onto the disk unless it is only tried. */
    void configure(String name, MachineConfig config, Keep keep, Duration tried) {
        world.change(w -> {
            LabNode node = w.nodes.get(name);
            LabTalos talos = node.talos.orElseThrow();
            Instant now = w.clock().instant();
            talos.triedUntil = keep == Keep.TRIED ? Optional.of(now.plus(tried)) : Optional.empty();
            if (keep == Keep.SAVED) {
                talos.savedConfig = config.text();
            }
            talos.config = config.text();
            takeEffect(w, node, talos, now);
        });
        if (keep == Keep.TRIED) {
            later(name, tried, (w, node) -> takeBack(node));
        }
    }

    /** Whether a configuration outlives its trial. */
    enum Keep { SAVED, TRIED }

    private static void takeBack(LabNode node) {
        LabTalos talos = node.talos.orElseThrow();
        if (talos.triedUntil.isPresent()) {
            talos.triedUntil = Optional.empty();
            talos.config = talos.savedConfig;
            KernelText.talos(talos, "config rollback timeout reached, reverting the machine configuration");
        }
    }

    /** Keeps a configuration for the next boot. */
    void stage(String name, MachineConfig config) {
        world.change(w -> w.nodes.get(name).talos.orElseThrow().savedConfig = config.text());
    }

    /** Keeps an image for the next boot. */
    void install(String name, NextImage image) {
        world.change(w -> w.nodes.get(name).talos.orElseThrow().next = Optional.of(image));
    }

    /** Stops the node's services and starts its kernel anew. */
    void reboot(String name) {
        begin(name, "rebooting");
        later(name, STOP_SERVICES.plus(BOOT), TalosMachines::start);
    }

    /** Installs an image and starts it. */
    void upgrade(String name, NextImage image) {
        begin(name, "upgrading");
        later(name, STOP_SERVICES.plus(INSTALL), (w, node) -> {
            node.talos.orElseThrow().next = Optional.of(image);
            node.talos.orElseThrow().stage = "rebooting";
        });
        later(name, STOP_SERVICES.plus(INSTALL).plus(BOOT), TalosMachines::start);
    }

    /** The machine is told to stop; its VM goes with it. */
    void shutdown(String name) {
        begin(name, "rebooting");
        later(name, STOP_SERVICES, (w, node) -> {
            Optional.ofNullable(w.vms.get(node.vmid)).ifPresent(vm -> PowerSwitch.stop(w, vm));
            node.talos.orElseThrow().stage = "running";
            Wiring.renew(w);
        });
    }

    private void begin(String name, String stage) {
        world.change(w -> {
            w.nodes.get(name).talos.orElseThrow().stage = stage;
            Wiring.renew(w);
        });
    }

    private static void start(World w, LabNode node) {
        node.talos.orElseThrow().stage = "running";
        Instant now = w.clock().instant();
        Optional.ofNullable(w.vms.get(node.vmid)).ifPresentOrElse(vm -> PowerSwitch.rebootGuest(w, vm, now),
                () -> PowerSwitch.bootHost(w, w.hosts.get(node.host), now));
    }

    /** Not if the machine has booted or gone off meanwhile: then what was begun is over. */
    private void later(String name, Duration time, BiConsumer<World, LabNode> step) {
        world.change(w -> {
            Instant booted = w.nodes.get(name).bootedAt;
            w.plan(w.clock().instant().plus(time), then -> Optional.ofNullable(then.nodes.get(name))
                    .filter(node -> node.bootedAt.equals(booted)).ifPresent(node -> {
                        if (isOn(then, node)) {
                            step.accept(then, node);
                        } else {
                            node.talos.orElseThrow().stage = "running";
                        }
                    }));
        });
    }

    private static boolean isOn(World w, LabNode node) {
        return node.vmid == 0 || w.vms.get(node.vmid).status.equals("running");
    }

    @Override
    public void close() {
        world.bootSteps.remove(boot);
    }
}
