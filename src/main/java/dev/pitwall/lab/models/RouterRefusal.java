package dev.pitwall.lab.models;

/** An error of llama-server: code, type and message, as they stand in its body. */
final class RouterRefusal extends Exception {
    private final int code;
    private final String type;

    private RouterRefusal(int code, String type, String message) {
        super(message);
        this.code = code;
        this.type = type;
    }

    static RouterRefusal bad(String message) {
        return new RouterRefusal(400, "invalid_request_error", message);
    }

    static RouterRefusal modelNotFound() {
        return new RouterRefusal(404, "not_found_error", "model is not found");
    }

    static RouterRefusal noSuchFile() {
        return new RouterRefusal(404, "not_found_error", "File Not Found");
    }

    static RouterRefusal failed(String message) {
        return new RouterRefusal(500, "server_error", message);
    }

    static RouterRefusal unsupported(String message) {
        return new RouterRefusal(501, "not_supported_error", message);
    }

    int code() {
        return code;
    }

    String type() {
        return type;
    }
}
