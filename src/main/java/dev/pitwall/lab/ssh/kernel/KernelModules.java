package dev.pitwall.lab.ssh.kernel;

import dev.pitwall.lab.ssh.LabTexts;
import dev.pitwall.lab.ssh.MachineState;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which kernel modules are loaded: from the drivers that hold devices, what files and people named, and the machine's kind. */
public final class KernelModules {
    private static final long USUAL_SIZE = 16384;

    /** @param users processes and modules that hold it */
    public record Module(String name, long size, int users, String usedBy) {
    }

    /** @param reason what calls for it: a driver, or a word of this class */
    private record Row(String name, long size, int users, String reason, List<String> usedBy) {
        static Row of(String line) {
            String[] parts = line.split(" ");
            return new Row(parts[0], Long.parseLong(parts[1]), Integer.parseInt(parts[2]), parts[3],
                    parts.length > 4 ? List.of(parts[4].split(",")) : List.of());
        }
    }

    private final LabTexts texts;

    public KernelModules(LabTexts texts) {
        this.texts = texts;
    }

    public List<Module> loaded(MachineState m) {
        Set<String> reasons = reasons(m);
        List<Row> rows = rows(m).stream().filter(row -> reasons.contains(row.reason()))
                .filter(row -> !m.system().withdrawn().contains(row.name())).toList();
        Set<String> names = new HashSet<>(rows.stream().map(Row::name).toList());
        List<Module> modules = new ArrayList<>();
        m.system().inserted().stream().filter(name -> !names.contains(name) && isKnown(name)).sorted()
                .forEach(name -> modules.add(new Module(name, USUAL_SIZE, 0, "")));
        for (Row row : rows) {
            List<String> usedBy = row.usedBy().stream().filter(names::contains).toList();
            int users = row.users() - (row.usedBy().size() - usedBy.size());
            modules.add(new Module(row.name(), row.size(), Math.max(usedBy.size(), users), String.join(",", usedBy)));
        }
        return modules;
    }

    /** The row of a module that is loaded. */
    public Optional<Module> loaded(MachineState m, String name) {
        return loaded(m).stream().filter(module -> module.name().equals(ModprobeConfig.name(name))).findFirst();
    }

    private List<Row> rows(MachineState m) {
        return texts.list(m.kind() == MachineState.Kind.GUEST ? "guest-modules" : "host-modules").stream()
                .map(Row::of).toList();
    }

    private Set<String> reasons(MachineState m) {
        Set<String> reasons = new HashSet<>();
        m.pci().forEach(p -> reasons.add(p.driver()));
        reasons.add("always");
        if (m.firmware().virtualization()) {
            reasons.add(m.cpu().vendor().equals("AuthenticAMD") ? "amd" : "intel");
        }
        if (reasons.contains(DriverBinding.VFIO) || m.system().inserted().contains("vfio_pci")) {
            reasons.add("vfio");
        }
        if (m.driver().loaded()) {
            reasons.add("nvidia");
        }
        // What was named is there with the row of its own reason, so that sizes and users agree.
        rows(m).stream().filter(row -> m.system().inserted().contains(row.name())).map(Row::reason)
                .forEach(reasons::add);
        return reasons;
    }

    /** True for a module of this kernel, loaded or not. */
    public boolean isKnown(String name) {
        String module = ModprobeConfig.name(name);
        return !description(module).isEmpty() || texts.list("kernel-modules").contains(module)
                || List.of("host-modules", "guest-modules").stream().flatMap(list -> texts.list(list).stream())
                .map(line -> line.split(" ")[0]).filter(known -> !known.startsWith("nvidia")).anyMatch(module::equals);
    }

    /** Modules that come and go with a module, itself included. */
    public List<String> together(MachineState m, String name) {
        String reason = rows(m).stream().filter(row -> row.name().equals(name)).map(Row::reason).findFirst()
                .orElse(name);
        return reason.equals("vfio") ? rows(m).stream().filter(row -> row.reason().equals(reason)).map(Row::name)
                .toList() : List.of(name);
    }

    /** Name, text, licence and file of a module; empty where this lab does not know it. */
    public List<String> description(String name) {
        return texts.list("module-descriptions").stream().map(line -> Arrays.asList(line.split("\\|")))
                .filter(line -> line.getFirst().equals(ModprobeConfig.name(name))).findFirst().orElse(List.of());
    }
}
