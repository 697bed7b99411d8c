package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.shell.Commands;

/** All commands of this lab's machines. */
public final class LabCommands {
    private LabCommands() {
    }

    /** A new registry; more commands may be added to it. */
    public static Commands all() {
        Commands commands = new Commands();
        ShellBuiltins.install(commands);
        ShellPrograms.install(commands);
        TextReading.install(commands);
        TextFilters.install(commands);
        FileListing.install(commands);
        FileChanges.install(commands);
        FileMaking.install(commands);
        SystemFacts.install(commands);
        HardwareCommands.install(commands);
        DiskCommands.install(commands);
        NetCommands.install(commands);
        KernelCommands.install(commands);
        BootCommands.install(commands);
        PowerCommands.install(commands);
        ServiceCommands.install(commands);
        commands.add("journalctl", new Journal());
        PackageCommands.install(commands);
        DriverCommands.install(commands);
        RuntimeCommands.install(commands);
        PciCommands.install(commands);
        ProxmoxCommands.install(commands);
        NvidiaCommands.install(commands);
        return commands;
    }
}
