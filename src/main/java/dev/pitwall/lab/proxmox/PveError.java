package dev.pitwall.lab.proxmox;

import java.util.Map;

/**
 * What Proxmox refuses, in its own words. Its text is the HTTP reason phrase of an answer, or the last line of a task.
 * [facts: proxmox.md 1.1, pve-http-server AnyEvent.pm]
 */
public final class PveError extends Exception {
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

    /** What a real Proxmox does and the lab does not; never a silent success. */
    static PveError notInTheLab(String what) {
        return of(501, "The practice lab does not " + what);
    }

    /** @param errors one text a parameter */
    static PveError parameters(Map<String, String> errors) {
        return new PveError(400, "Parameter verification failed.", errors);
    }

    static PveError parameter(String name, String text) {
        return parameters(Map.of(name, text));
    }

    /** The HTTP status Proxmox answers with, 400 to 599. */
    public int status() {
        return status;
    }

    /** One text for each wrong parameter; empty unless the status is 400. */
    public Map<String, String> errors() {
        return errors;
    }
}
