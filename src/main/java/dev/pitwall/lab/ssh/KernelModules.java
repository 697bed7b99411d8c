package dev.pitwall.lab.ssh;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which kernel modules are loaded: from the drivers that hold devices, the options at boot, and the machine's kind. */
public final class KernelModules {
    /** @param users processes and modules that hold it */
    public record Module(String name, long size, int users, String usedBy) {
    }

    private final LabTexts texts;

    KernelModules(LabTexts texts) {
        this.texts = texts;
    }

    public List<Module> loaded(MachineState m, ModuleOptions options) {
        Set<String> reasons = reasons(m, options);
        List<Module> modules = new ArrayList<>();
        for (String line : texts.list(m.kind() == MachineState.Kind.GUEST ? "guest-modules" : "host-modules")) {
            String[] parts = line.split(" ");
            if (reasons.contains(parts[3])) {
                modules.add(new Module(parts[0], Long.parseLong(parts[1]), Integer.parseInt(parts[2]),
                        parts.length > 4 ? parts[4] : ""));
            }
        }
        return modules;
    }

    /** What calls for a module: a bound driver, the processor's vendor, or that every such machine has it. */
    private static Set<String> reasons(MachineState m, ModuleOptions options) {
        Set<String> reasons = new HashSet<>();
        m.pci().forEach(p -> reasons.add(p.driver()));
        reasons.add("always");
        if (m.firmware().virtualization()) {
            reasons.add(m.cpu().vendor().equals("AuthenticAMD") ? "amd" : "intel");
        }
        if (reasons.contains("vfio-pci") || options.value("vfio-pci", "ids").isPresent()) {
            reasons.add("vfio");
        }
        if (m.driver().loaded()) {
            reasons.add("nvidia");
        }
        return reasons;
    }

    /** Name, text, licence and file of a module; empty where this lab does not know it. */
    public List<String> description(String name) {
        return texts.list("module-descriptions").stream().map(l -> List.of(l.split("\\|")))
                .filter(l -> l.getFirst().equals(name.replace('-', '_'))).findFirst().orElse(List.of());
    }
}
