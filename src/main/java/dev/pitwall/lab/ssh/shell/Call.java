package dev.pitwall.lab.ssh.shell;

import dev.pitwall.lab.ssh.FileView;
import dev.pitwall.lab.ssh.Machine;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * One call of a command.
 *
 * @param name      as it was typed
 * @param arguments without the name
 * @param shell     the shell it runs in: working folder, variables, other commands
 */
public record Call(Machine machine, String name, List<String> arguments, InputStream in, PrintStream out,
                   PrintStream err, Shell shell) {

    /** Status of a command that did what it was asked. */
    public static final int OK = 0;

    /** A path as the shell's working folder makes it absolute. */
    public String path(String argument) {
        return FileView.absolute(shell.directory(), argument);
    }

    /** The machine's files now. */
    public FileView files() {
        return machine.files().view();
    }

    /** Prints {@code name: message} on standard error. */
    public int fail(int status, String message) {
        err.println(shortName() + ": " + message);
        return status;
    }

    /** The command's name without its folder. */
    public String shortName() {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /** Arguments that are not options; {@code --} ends the options. */
    public List<String> operands() {
        int end = arguments.indexOf("--");
        List<String> before = end < 0 ? arguments : arguments.subList(0, end);
        List<String> operands = new ArrayList<>(before.stream()
                .filter(a -> !a.startsWith("-") || a.equals("-")).toList());
        if (end >= 0) {
            operands.addAll(arguments.subList(end + 1, arguments.size()));
        }
        return operands;
    }

    /** True if a short option is given, alone or bundled. */
    public boolean has(char option) {
        return arguments.stream().takeWhile(a -> !a.equals("--"))
                .anyMatch(a -> a.startsWith("-") && !a.startsWith("--") && a.indexOf(option) > 0);
    }

    public boolean has(String option) {
        return arguments.contains(option);
    }

    public Call with(List<String> newArguments) {
        return new Call(machine, newArguments.getFirst(), newArguments.subList(1, newArguments.size()), in, out, err,
                shell);
    }
}
