package dev.pitwall.lab.ssh.shell;

/** A command line this shell cannot read, in bash's words. */
public final class SyntaxError extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean incomplete;

    private SyntaxError(String message, boolean incomplete) {
        super(message);
        this.incomplete = incomplete;
    }

    static SyntaxError near(String token) {
        return new SyntaxError("syntax error near unexpected token `" + token + "'", false);
    }

    static SyntaxError unfinished() {
        return new SyntaxError("syntax error: unexpected end of file", true);
    }

    /** True if more lines could complete it: an interactive shell then prompts for them. */
    boolean incomplete() {
        return incomplete;
    }
}
