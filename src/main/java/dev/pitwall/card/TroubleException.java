package dev.pitwall.card;

/**
 * Carries a {@link Trouble} from the border where it was recognised to the place that shows it. The cause, if any,
 * is for the log only.
 */
public final class TroubleException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Trouble trouble;

    public TroubleException(Trouble trouble) {
        super(trouble.sentence());
        this.trouble = trouble;
    }

    public TroubleException(Trouble trouble, Throwable cause) {
        super(trouble.sentence(), cause);
        this.trouble = trouble;
    }

    public Trouble trouble() {
        return trouble;
    }
}
