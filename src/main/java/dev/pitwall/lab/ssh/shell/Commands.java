package dev.pitwall.lab.ssh.shell;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

import dev.pitwall.lab.ssh.MachineState;

/** The programs there are, by name, each with the machines that have it. */
public final class Commands {
    private record Installed(Predicate<MachineState> where, Command command) {
    }

    private final Map<String, Installed> byName = new TreeMap<>();

    /** Installs a command on every machine. */
    public Commands add(String name, Command command) {
        return add(name, m -> true, command);
    }

    /** Installs a command on those machines that have it in the given state. */
    public Commands add(String name, Predicate<MachineState> where, Command command) {
        byName.put(name, new Installed(where, command));
        return this;
    }

    /** @param name with or without its folder */
    public Optional<Command> find(String name, MachineState machine) {
        Installed installed = byName.get(name.substring(name.lastIndexOf('/') + 1));
        return installed == null || !installed.where().test(machine) ? Optional.empty()
                : Optional.of(installed.command());
    }
}
