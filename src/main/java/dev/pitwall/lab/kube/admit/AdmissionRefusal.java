package dev.pitwall.lab.kube.admit;

/** An admission plugin does not let an object through. */
public final class AdmissionRefusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int code;
    private final String reason;

    /**
     * @param code    HTTP status, 403 as a rule
     * @param reason  Kubernetes' word for it, for example {@code Forbidden}
     * @param message in the API server's own words
     */
    public AdmissionRefusal(int code, String reason, String message) {
        super(message);
        this.code = code;
        this.reason = reason;
    }

    /** Forbidden, the usual refusal. */
    public static AdmissionRefusal forbidden(String message) {
        return new AdmissionRefusal(403, "Forbidden", message);
    }

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }
}
