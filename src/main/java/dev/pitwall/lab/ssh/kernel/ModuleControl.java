package dev.pitwall.lab.ssh.kernel;

import dev.pitwall.lab.ssh.Machine;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabSystem;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/** Loads and unloads kernel modules of a running machine, as modprobe and rmmod ask for it. */
public final class ModuleControl {
    private static final String NVIDIA = "nvidia";

    private final Machine machine;
    private final NvidiaModuleLoad nvidia;

    public ModuleControl(Machine machine, NvidiaModuleLoad nvidia) {
        this.machine = machine;
        this.nvidia = nvidia;
    }

    /** Why it did not work; empty words mean that there is no such module. */
    public record Refusal(String words) {
    }

    /** Loads a module with what it needs first, and lets it take its devices. */
    public Optional<Refusal> insert(String given) {
        String name = ModprobeConfig.name(given);
        MachineState m = machine.state();
        if (machine.moduleTable().loaded(m, name).isPresent()) {
            return Optional.empty();
        }
        if (name.startsWith(NVIDIA) && !name.equals("nvidiafb")) {
            return insertNvidia(name);
        }
        if (!machine.moduleTable().isKnown(name)) {
            return Optional.of(new Refusal(""));
        }
        ModprobeConfig config = machine.modprobeConfig();
        if (config.isRefused(name)) {
            return Optional.empty();
        }
        for (String before : config.before(name)) {
            insert(before);
        }
        machine.change((w, s) -> {
            s.moduleOptions.put(name, new TreeMap<>(config.options(name)));
            s.inserted.add(name);
            machine.moduleTable().together(m, name).forEach(s.withdrawn::remove);
            machine.pciControls().offer(s, new LiveDevices(w, machine.name(), s), name);
        });
        return Optional.empty();
    }

    private Optional<Refusal> insertNvidia(String name) {
        AtomicReference<NvidiaModuleLoad.Outcome> outcome =
                new AtomicReference<>(NvidiaModuleLoad.Outcome.NOT_FOUND);
        machine.change((w, s) -> {
            LabNode node = w.nodes.get(machine.name());
            if (node != null) {
                outcome.set(nvidia.load(w, node, w.clock().instant()));
                if (outcome.get() == NvidiaModuleLoad.Outcome.LOADED) {
                    s.withdrawn.remove(name);
                    s.withdrawn.remove(NVIDIA);
                }
            }
        });
        return outcome.get() == NvidiaModuleLoad.Outcome.LOADED ? Optional.empty()
                : Optional.of(new Refusal(outcome.get().words()));
    }

    /** Unloads a module; its devices are left without a driver. */
    public Optional<Refusal> remove(String given) {
        String name = ModprobeConfig.name(given);
        Optional<KernelModules.Module> module = machine.moduleTable().loaded(machine.state(), name);
        if (module.isEmpty()) {
            return Optional.of(new Refusal(""));
        }
        if (!module.get().usedBy().isEmpty() && machine.moduleTable().together(machine.state(), name).size() == 1) {
            return Optional.of(new Refusal("in use by: " + module.get().usedBy().replace(",", " ")));
        }
        if (isInUse(name, module.get())) {
            return Optional.of(new Refusal("in use"));
        }
        machine.change((w, s) -> withdraw(new LiveDevices(w, machine.name(), s), s, name));
        if (name.equals(NVIDIA)) {
            machine.change((w, s) -> Optional.ofNullable(w.nodes.get(machine.name()))
                    .ifPresent(node -> GuestDriver.unload(w, node, w.clock().instant())));
        }
        return Optional.empty();
    }

    private void withdraw(LiveDevices devices, LabSystem s, String name) {
        devices.all().stream().filter(d -> d.driver().equals(name) || d.usualModule().equals(name)
                        && d.driver().equals(d.pci().defaultDriver)
                        || name.equals("vfio_pci") && d.driver().equals(DriverBinding.VFIO))
                .forEach(d -> d.driver(""));
        machine.moduleTable().together(machine.state(), name).forEach(each -> {
            s.inserted.remove(each);
            s.withdrawn.add(each);
        });
    }

    private boolean isInUse(String name, KernelModules.Module module) {
        MachineState m = machine.state();
        if (name.equals(NVIDIA) || name.equals("nvidia_uvm")) {
            return m.cards().stream().anyMatch(card -> !card.processes().isEmpty())
                    || name.equals(NVIDIA) && machine.units().isActive("nvidia-persistenced");
        }
        if (name.equals("nvidia_modeset") || name.equals("nvidia_drm")) {
            return false;
        }
        boolean held = machine.look((w, s) -> new LiveDevices(w, machine.name(), s).all().stream()
                .filter(d -> name.equals("vfio_pci") ? d.driver().equals(DriverBinding.VFIO)
                        : d.driver().equals(d.pci().defaultDriver) && d.usualModule().equals(name))
                .anyMatch(d -> d.isInUse() || d.pci().bootVga && d.driver().equals(d.pci().defaultDriver)));
        boolean ownUsers = module.users() > (module.usedBy().isEmpty() ? 0 : module.usedBy().split(",").length);
        return held || ownUsers && !List.of("vfio", "nouveau").contains(name)
                && machine.moduleTable().together(m, name).size() == 1;
    }
}
