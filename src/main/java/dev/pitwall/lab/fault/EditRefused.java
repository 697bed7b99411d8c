package dev.pitwall.lab.fault;

/** The cluster does not take an edit; the message says why, in the cluster's words. */
public final class EditRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EditRefused(String message) {
        super(message);
    }
}
