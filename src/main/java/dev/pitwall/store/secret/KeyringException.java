package dev.pitwall.store.secret;

/** The keyring did not do what was asked; the message says why, in words for the person. */
final class KeyringException extends Exception {
    private static final long serialVersionUID = 1L;

    enum Kind {
        /** There is none here; it is not worth asking again. */
        ABSENT,
        /** It did not answer in time: it hangs, or waits for a person. */
        SILENT,
        /** It answered, and did not do it. */
        REFUSED
    }

    private final Kind kind;

    private KeyringException(Kind kind, String reason, Throwable cause) {
        super(reason, cause);
        this.kind = kind;
    }

    static KeyringException absent(String reason, Throwable cause) {
        return new KeyringException(Kind.ABSENT, reason, cause);
    }

    static KeyringException silent(String reason) {
        return new KeyringException(Kind.SILENT, reason, null);
    }

    static KeyringException refused(String reason) {
        return new KeyringException(Kind.REFUSED, reason, null);
    }

    static KeyringException refused(String reason, Throwable cause) {
        return new KeyringException(Kind.REFUSED, reason, cause);
    }

    Kind kind() {
        return kind;
    }
}
