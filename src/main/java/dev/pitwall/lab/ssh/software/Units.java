package dev.pitwall.lab.ssh.software;

import dev.pitwall.lab.ssh.Machine;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.kernel.ModuleControl;
import dev.pitwall.lab.world.ContainerRuntime;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabSystem.UnitNote;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The services of one machine: which there are, which run, and what starting one does. */
public final class Units {
    /** @param programs the program it runs; empty where no package of this lab brings it */
    public record Unit(String name, String description, String program, boolean enabledAtFirst) {
    }

    /** A unit as it is now. */
    public record Status(Unit unit, boolean active, boolean enabled, Instant since) {
    }

    private final Machine machine;

    public Units(Machine machine) {
        this.machine = machine;
    }

    /** All units that this machine has, by its kind and by what is installed. */
    public List<Unit> all() {
        MachineState m = machine.state();
        List<Unit> units = new ArrayList<>();
        machine.texts().list("services-" + m.kind().name().toLowerCase(Locale.ROOT)).forEach(line ->
                units.add(unit(line)));
        if (m.kind().isNode() && !m.kubelet().isEmpty()) {
            ContainerRuntime.Engine engine = ContainerRuntime.engine(m.kubelet());
            machine.texts().list("services-" + engine.name().toLowerCase(Locale.ROOT)).forEach(line ->
                    units.add(unit(line.replace("${role}", role()))));
        }
        for (String line : machine.texts().list("services-by-program")) {
            Unit unit = unit(line);
            if (machine.disk().containsKey(unit.program())) {
                units.add(unit);
            }
        }
        return units;
    }

    private String role() {
        return machine.look((w, s) -> Optional.ofNullable(w.nodes.get(machine.name()))
                .filter(node -> node.role.equals("master")).isPresent()) ? "server" : "agent";
    }

    private static Unit unit(String line) {
        String[] parts = line.split("\\|");
        return new Unit(parts[0], parts.length > 1 ? parts[1] : parts[0], parts.length > 2 ? parts[2] : "",
                parts.length < 4 || !parts[3].equals("disabled"));
    }

    /** @param name with or without {@code .service} */
    public Optional<Status> find(String name) {
        String plain = name.replaceFirst("\\.service$", "");
        return all().stream().filter(unit -> unit.name().equals(plain)).findFirst().map(unit -> {
            MachineState m = machine.state();
            UnitNote note = machine.look((w, s) -> Optional.ofNullable(s.units.get(unit.name())))
                    .orElse(new UnitNote(unit.enabledAtFirst(), unit.enabledAtFirst(), m.bootedAt().plusSeconds(12)));
            boolean possible = !unit.name().equals("nvidia-persistenced") || m.driver().loaded();
            return new Status(unit, note.active() && possible, note.enabled(),
                    note.since().isBefore(m.bootedAt()) ? m.bootedAt().plusSeconds(12) : note.since());
        });
    }

    public boolean isActive(String name) {
        return find(name).filter(Status::active).isPresent();
    }

    /** Starts or restarts a unit; false if its program fails. */
    public boolean start(Status status) {
        String name = status.unit().name();
        if (name.equals("nvidia-persistenced")) {
            // Its start loads the module, as nvidia-modprobe does for every root program of the driver.
            Optional<ModuleControl.Refusal> refused = machine.modules().insert("nvidia");
            if (refused.isPresent()) {
                note(status, false, status.enabled());
                return false;
            }
        }
        if (name.equals("nvidia-fabricmanager")) {
            // Without an NVSwitch it ends at once, with an error.
            note(status, false, status.enabled());
            return false;
        }
        note(status, true, status.enabled());
        if (isRuntime(name)) {
            machine.change((w, s) -> Optional.ofNullable(w.nodes.get(machine.name()))
                    .ifPresent(node -> ContainerRuntime.start(w, node)));
        }
        return true;
    }

    private boolean isRuntime(String name) {
        return machine.look((w, s) -> Optional.ofNullable(w.nodes.get(machine.name())).map(node ->
                ContainerRuntime.engine(node) == ContainerRuntime.Engine.CONTAINERD ? name.equals("containerd")
                        : name.startsWith(unitPrefix(node))).orElse(false));
    }

    private static String unitPrefix(LabNode node) {
        return ContainerRuntime.engine(node) == ContainerRuntime.Engine.RKE2 ? "rke2-" : "k3s";
    }

    public void stop(Status status) {
        note(status, false, status.enabled());
    }

    public void enable(Status status, boolean enabled) {
        note(status, status.active(), enabled);
    }

    private void note(Status status, boolean active, boolean enabled) {
        machine.change((w, s) -> s.units.put(status.unit().name(), new UnitNote(active, enabled,
                w.clock().instant())));
    }
}
