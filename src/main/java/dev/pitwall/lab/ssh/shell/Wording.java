package dev.pitwall.lab.ssh.shell;

import dev.pitwall.lab.ssh.FileTrouble;

/** How the different shells say the same. */
public enum Wording {
    /** GNU's, which the lab's hosts and nodes have. */
    BASH("bash: ", "command not found") {
        @Override
        String cannotRead(FileTrouble trouble) {
            return prefix() + trouble.path() + ": " + trouble.why().words();
        }

        @Override
        String cannotWrite(FileTrouble trouble) {
            return cannotRead(trouble);
        }
    },
    /** Debian's and Ubuntu's {@code sh}. */
    DASH("sh: 1: ", "not found") {
        @Override
        String cannotRead(FileTrouble trouble) {
            return prefix() + "cannot open " + trouble.path() + ": " + (trouble.why() == FileTrouble.Cause.NOT_FOUND
                    ? "No such file" : trouble.why().words());
        }

        @Override
        String cannotWrite(FileTrouble trouble) {
            return prefix() + "cannot create " + trouble.path() + ": " + (trouble.why() == FileTrouble.Cause.NOT_FOUND
                    ? "Directory nonexistent" : trouble.why().words());
        }
    },
    /** Busybox's, which Alpine has too. */
    ASH("sh: ", "not found") {
        @Override
        String cannotRead(FileTrouble trouble) {
            return prefix() + "can't open " + trouble.path() + ": " + (trouble.why() == FileTrouble.Cause.NOT_FOUND
                    ? "no such file" : trouble.why().words());
        }

        @Override
        String cannotWrite(FileTrouble trouble) {
            return prefix() + "can't create " + trouble.path() + ": " + (trouble.why() == FileTrouble.Cause.NOT_FOUND
                    ? "nonexistent directory" : trouble.why().words());
        }
    };

    private final String prefix;
    private final String unknown;

    Wording(String prefix, String unknown) {
        this.prefix = prefix;
        this.unknown = unknown;
    }

    /** Before what the shell says of itself. */
    public String prefix() {
        return prefix;
    }

    /** There is no such command. */
    public String notFound(String command) {
        return prefix + command + ": " + unknown;
    }

    /** A path that was typed as a command is not there. */
    String noSuchFile(String path) {
        return this == BASH ? prefix + path + ": No such file or directory" : notFound(path);
    }

    String denied(String path) {
        return prefix + path + ": Permission denied";
    }

    abstract String cannotRead(FileTrouble trouble);

    abstract String cannotWrite(FileTrouble trouble);
}
