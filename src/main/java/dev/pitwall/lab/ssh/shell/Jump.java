package dev.pitwall.lab.ssh.shell;

/** Goes out of what runs, from within it. */
abstract sealed class Jump extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int status;

    private Jump(int status) {
        super(null, null, false, false);
        this.status = status;
    }

    /** Of the shell or function that ends here. */
    int status() {
        return status;
    }

    /** Ends the shell. */
    static final class Exit extends Jump {
        private static final long serialVersionUID = 1L;

        Exit(int status) {
            super(status);
        }
    }

    /** Goes back to where the function was called. */
    static final class Return extends Jump {
        private static final long serialVersionUID = 1L;

        Return(int status) {
            super(status);
        }
    }

    /** Goes out of loops. */
    static final class Leave extends Jump {
        private static final long serialVersionUID = 1L;
        private final int loops;
        private final Shell.Then then;

        Leave(int loops, Shell.Then then) {
            super(0);
            this.loops = loops;
            this.then = then;
        }

        int loops() {
            return loops;
        }

        Shell.Then then() {
            return then;
        }
    }
}
