package dev.pitwall.lab.talos;

import dev.pitwall.lab.world.ContainerRuntime;
import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabTalos;
import dev.pitwall.lab.world.NvidiaProbe;
import dev.pitwall.lab.world.World;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Loads the modules that a machine configuration names. Nothing is loaded without being named: the extensions black-list
 * the NVIDIA modules (facts: cluster.md 4.3). Call it inside {@link World#change}.
 */
final class ModuleLoader {
    static final Set<String> NVIDIA = Set.of("nvidia", "nvidia_uvm", "nvidia_drm", "nvidia_modeset");
    private static final String CONTROLLER = "runtime.KernelModuleSpecController";

    private final TalosData data;
    private final NvidiaProbe probe = new NvidiaProbe();

    ModuleLoader(TalosData data) {
        this.data = data;
    }

    /** Loads what is named and not there yet; what is there stays, as Talos unloads nothing. */
    void load(World world, LabNode node, LabTalos talos, Instant now) {
        List<String> errors = new ArrayList<>();
        for (String name : MachineConfig.inForce(talos.config).modules()) {
            if (!talos.modules.contains(name)) {
                Optional<String> trouble = tryLoad(world, node, talos, name, now);
                trouble.ifPresentOrElse(text -> errors.add("error loading module \"" + name + "\": " + text),
                        () -> talos.modules.add(name));
            }
        }
        if (!errors.isEmpty()) {
            KernelText.controllerFailed(talos, CONTROLLER, String.join("\n", errors));
        }
        ContainerRuntime.decide(node, talos.modules.contains("nvidia") && toolkit(talos).isPresent());
    }

    private Optional<String> tryLoad(World world, LabNode node, LabTalos talos, String name, Instant now) {
        if (!NVIDIA.contains(name)) {
            return data.hasModule(name) ? Optional.empty() : Optional.of("module not found");
        }
        Optional<TalosData.Extension> driver = driver(talos);
        if (driver.isEmpty()) {
            return Optional.of("module not found");
        }
        if (!name.equals("nvidia")) {
            return talos.modules.contains("nvidia") ? Optional.empty() : Optional.of("load " + name
                    + " failed: no such device");
        }
        KernelText.moduleComes(talos, driver.get());
        NvidiaProbe.Result result = probe.probe(cards(world, node), driver.get().driverVersion(),
                driver.get().driver().equals("open"));
        result.lines().forEach(line -> KernelText.kernel(talos, line));
        if (!result.taken()) {
            return Optional.of("load nvidia failed: no such device");
        }
        KernelText.moduleStands(talos, driver.get());
        GuestDriver.load(world, node, driver.get().driverVersion(), GuestDriver.Source.HOST, now);
        return Optional.empty();
    }

    private static List<NvidiaProbe.Found> cards(World world, LabNode node) {
        return node.cards.stream().map(world.cards::get).filter(card -> card != null && !card.lost)
                .flatMap(card -> device(world, card).stream().map(pci -> new NvidiaProbe.Found(card.product,
                        card.guestAddress + ".0", pci.vendorId + ":" + pci.deviceId))).toList();
    }

    static Optional<LabPci> device(World world, LabCard card) {
        return world.hosts.get(card.host).pci.stream()
                .filter(function -> function.address.equals(card.slot + ".0")).findFirst();
    }

    /** The extension with the NVIDIA modules in the running image. */
    Optional<TalosData.Extension> driver(LabTalos talos) {
        return present(talos).filter(extension -> !extension.driver().isEmpty()).findFirst();
    }

    private Optional<TalosData.Extension> toolkit(LabTalos talos) {
        return present(talos).filter(TalosData.Extension::toolkit).findFirst();
    }

    /** The extensions of the running image, in the schematic's order. */
    Stream<TalosData.Extension> present(LabTalos talos) {
        return data.release(talos.version).stream().flatMap(release -> talos.extensions.stream()
                .flatMap(name -> data.extension(release, name).stream()));
    }
}
