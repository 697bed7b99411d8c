package dev.pitwall.lab.proxmox;

import java.util.Map;

/**
 * An answer that is an error. Its text is what Proxmox puts into the HTTP reason phrase.
 * [facts: proxmox.md 1.1, pve-http-server AnyEvent.pm]
 */
final class PveError extends Exception {
    private static final long serialVersionUID = 1L;

    final int status;
    final transient Map<String, String> errors;

    private PveError(int status, String text, Map<String, String> errors) {
        super(text, null, false, false);
        this.status = status;
        this.errors = errors;
    }

    static PveError of(int status, String text) {
        return new PveError(status, text, Map.of());
    }

    /** Every plain {@code die} of a method. */
    static PveError died(String text) {
        return of(500, text);
    }

    static PveError unauthorized(String text) {
        return of(401, text);
    }

    static PveError forbidden(String check) {
        return of(403, "Permission check failed (" + check + ")");
    }

    /** @param errors one text a parameter */
    static PveError parameters(Map<String, String> errors) {
        return new PveError(400, "Parameter verification failed.", errors);
    }
}
