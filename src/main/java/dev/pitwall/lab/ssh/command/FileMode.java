package dev.pitwall.lab.ssh.command;

/** A mode as {@code chmod} takes it: octal, or clauses such as {@code u=rwx,go+r}. */
final class FileMode {
    private static final String CLAUSES = "[ugoa]*([-+=][rwxXst]*)+(,[ugoa]*([-+=][rwxXst]*)+)*";

    private FileMode() {
    }

    static boolean isValid(String mode) {
        return mode.matches("[0-7]{1,4}") || mode.matches(CLAUSES);
    }

    /** @param before the mode as it is, low twelve bits */
    static int apply(String mode, int before) {
        if (mode.matches("[0-7]+")) {
            return Integer.parseInt(mode, 8);
        }
        int now = before;
        for (String clause : mode.split(",")) {
            int at = clause.replaceFirst("[-+=].*$", "").length();
            String who = clause.substring(0, at).isEmpty() ? "a" : clause.substring(0, at);
            now = clause(who, clause.substring(at), now);
        }
        return now;
    }

    private static int clause(String who, String operations, int before) {
        int mask = (who.matches(".*[ua].*") ? 0700 : 0) | (who.matches(".*[ga].*") ? 0070 : 0)
                | (who.matches(".*[oa].*") ? 0007 : 0);
        int bits = (operations.contains("r") ? 0444 : 0) | (operations.contains("w") ? 0222 : 0)
                | (operations.contains("x") || operations.contains("X") ? 0111 : 0);
        int chosen = bits & mask;
        return switch (operations.charAt(0)) {
            case '+' -> before | chosen;
            case '-' -> before & ~chosen;
            default -> before & ~mask | chosen;
        };
    }
}
