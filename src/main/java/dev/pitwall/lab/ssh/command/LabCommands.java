package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.shell.Commands;

/** All commands of this lab's machines. */
public final class LabCommands {
    private LabCommands() {
    }

    /** A new registry; more commands may be added to it. */
    public static Commands all() {
        Commands commands = new Commands();
        ShellCommands.install(commands);
        ReadingCommands.install(commands);
        FileCommands.install(commands);
        SystemCommands.install(commands);
        PciCommands.install(commands);
        ProxmoxCommands.install(commands);
        NvidiaCommands.install(commands);
        return commands;
    }
}
