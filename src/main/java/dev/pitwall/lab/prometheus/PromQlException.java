package dev.pitwall.lab.prometheus;

/** A query that cannot be read or run, in Prometheus' words. */
final class PromQlException extends Exception {
    private static final long serialVersionUID = 1L;

    PromQlException(String message) {
        super(message);
    }
}
