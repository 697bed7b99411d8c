package dev.pitwall.link.kube;

import java.io.IOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.pitwall.card.Trouble;

import okhttp3.Response;

/** The API server answered, and the answer is not a success. */
final class ApiRefusal extends Exception {
    private static final long serialVersionUID = 1L;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MOST_BYTES = 64 * 1024;

    private final int code;
    private final transient JsonNode status;
    private final transient Trouble trouble;

    private ApiRefusal(int code, JsonNode status, Trouble trouble) {
        super(code + " " + trouble.sentence());
        this.code = code;
        this.status = status;
        this.trouble = trouble;
    }

    /** Reads the {@code Status} object of an answer, if there is one, and closes nothing. */
    static ApiRefusal of(Response response, ApiServer server, String asked) throws IOException {
        JsonNode status = status(response.peekBody(MOST_BYTES).bytes());
        return of(response.code(), status, server, asked);
    }

    /** The {@code Status} object of an {@code ERROR} event. */
    static ApiRefusal of(JsonNode status, ApiServer server, String asked) {
        return of(status.path("code").asInt(500), status, server, asked);
    }

    private static ApiRefusal of(int code, JsonNode status, ApiServer server, String asked) {
        return new ApiRefusal(code, status, trouble(code, status, server, asked));
    }

    /** An answer to the wizard, which has words of its own for it. */
    static ApiRefusal of(int code, JsonNode status, Trouble trouble) {
        return new ApiRefusal(code, status, trouble);
    }

    int code() {
        return code;
    }

    boolean gone() {
        return code == 410;
    }

    /** Nothing of this kind exists here, for example a custom resource whose definition is not installed. */
    boolean absent() {
        return code == 404;
    }

    boolean forbidden() {
        return code == 403;
    }

    /** The {@code Status} object; missing where the answer had none. */
    JsonNode status() {
        return status;
    }

    Trouble trouble() {
        return trouble;
    }

    private static JsonNode status(byte[] body) {
        try {
            JsonNode node = JSON.readTree(body);
            return node != null && node.isObject() ? node : JSON.missingNode();
        } catch (IOException notJson) {
            return JSON.missingNode();
        }
    }

    private static Trouble trouble(int code, JsonNode status, ApiServer server, String asked) {
        String message = firstLine(status.path("message").asText(""));
        boolean kubernetes = status.path("kind").asText().equals("Status");
        if (code == 401) {
            return server.refused();
        }
        if (!kubernetes && code != 403) {
            return new Trouble(Trouble.Kind.PROTOCOL, server.where(),
                    "it answers with HTTP " + code + ", but not as a Kubernetes API server does",
                    "Check the server address in the kubeconfig; a proxy or another service may stand there.");
        }
        return switch (code) {
            case 403 -> new Trouble(Trouble.Kind.RIGHTS, server.where(),
                    "not allowed to " + asked, "Ask an administrator of the cluster for that right; "
                    + "the connection test shows the commands that give it.");
            case 404 -> new Trouble(Trouble.Kind.MISSING, server.where(), "there is nothing to " + asked,
                    "Check the version of the cluster.");
            case 410 -> new Trouble(Trouble.Kind.REMOTE, server.where(),
                    "it keeps forgetting its recent history (410 Gone), so changes cannot be followed",
                    "Check the load and the disk of etcd; what is shown is the last known state.");
            case 429 -> new Trouble(Trouble.Kind.REMOTE, server.where(), "it is too busy to " + asked,
                    "Wait; Pitwall asks again by itself.");
            default -> new Trouble(Trouble.Kind.REMOTE, server.where(), "it could not " + asked
                    + (message.isEmpty() ? " (HTTP " + code + ")" : ": " + message),
                    "Check the API server and etcd on the control plane; Pitwall asks again by itself.");
        };
    }

    private static String firstLine(String message) {
        String line = message.lines().findFirst().orElse("").strip();
        return line.length() > 200 ? line.substring(0, 200) + "…" : line;
    }
}
