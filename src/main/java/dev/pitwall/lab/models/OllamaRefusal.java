package dev.pitwall.lab.models;

/** A request Ollama refuses: HTTP status and its own words. */
final class OllamaRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    OllamaRefusal(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }

    static OllamaRefusal notFound(String model) {
        return new OllamaRefusal(404, "model '" + model + "' not found");
    }

    static OllamaRefusal bad(String message) {
        return new OllamaRefusal(400, message);
    }
}
