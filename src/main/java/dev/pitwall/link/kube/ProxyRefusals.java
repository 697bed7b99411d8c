package dev.pitwall.link.kube;

import java.io.IOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.trust.CarriedTrouble;

import okhttp3.Interceptor;
import okhttp3.Response;

/**
 * Tells the API server's own refusals from the answers of what stands behind its proxy: they carry a {@code Status}
 * object, and 503 is one when a service has no endpoint (facts: cluster 3).
 */
final class ProxyRefusals implements Interceptor {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MOST_BYTES = 16 * 1024;

    private final ApiServer server;
    private final ProxyPath path;

    ProxyRefusals(ApiServer server, ProxyPath path) {
        this.server = server;
        this.path = path;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Response response = chain.proceed(chain.request());
        if (response.isSuccessful()) {
            return response;
        }
        JsonNode status = status(response);
        if (status.path("kind").asText().equals("Status") && status.path("apiVersion").asText().equals("v1")) {
            response.close();
            throw new CarriedTrouble(new TroubleException(trouble(response.code(), status.path("message").asText(""))));
        }
        return response;
    }

    private static JsonNode status(Response response) throws IOException {
        try {
            JsonNode node = JSON.readTree(response.peekBody(MOST_BYTES).bytes());
            return node == null ? JSON.missingNode() : node;
        } catch (com.fasterxml.jackson.core.JacksonException notJson) {
            return JSON.missingNode();
        }
    }

    private Trouble trouble(int code, String message) {
        return switch (code) {
            case 401 -> server.refused();
            case 403 -> new Trouble(Trouble.Kind.RIGHTS, path.where(), "not allowed to get " + path.resource()
                    + "/proxy in namespace " + path.namespace(), "Ask an administrator of the cluster for that right; "
                    + "the connection test shows the commands that give it.");
            case 404 -> new Trouble(Trouble.Kind.MISSING, path.where(), "there is no such " + path.kind()
                    + " in the cluster", "Choose one that is there: \"kubectl -n " + path.namespace() + " get "
                    + path.resource() + "\".");
            case 503 -> unavailable(message);
            default -> new Trouble(Trouble.Kind.REMOTE, path.where(), "the API server could not pass the request on"
                    + " (HTTP " + code + ")", "Check the API server's log; Pitwall asks again by itself.");
        };
    }

    private Trouble unavailable(String message) {
        if (message.contains("no endpoints available")) {
            return new Trouble(Trouble.Kind.REMOTE, path.where(), "the service has no pod that is ready",
                    "Look at its pods: \"kubectl -n " + path.namespace() + " get pods\".");
        }
        return new Trouble(Trouble.Kind.CONNECT, path.where(), message.contains("refused")
                ? "the API server reaches its pod, but nothing listens on port " + path.port()
                : "the API server cannot reach its pod",
                "Look at the pod: \"kubectl -n " + path.namespace() + " get pods -o wide\".");
    }
}
