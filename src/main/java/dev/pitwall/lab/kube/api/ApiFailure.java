package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.StoreRefusal;

/** An answer that is a Kubernetes {@code Status} of failure. Reasons, codes and messages are Kubernetes' own. */
final class ApiFailure extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int code;
    private final String reason;
    private final String group;
    private final String resource;
    private final String name;

    private ApiFailure(int code, String reason, String message, String group, String resource, String name) {
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
        this.group = group;
        this.resource = resource;
        this.name = name;
    }

    static ApiFailure of(int code, String reason, String message) {
        return new ApiFailure(code, reason, message, "", "", "");
    }

    static ApiFailure unauthorized() {
        return of(401, "Unauthorized", "Unauthorized");
    }

    static ApiFailure forbidden(RequestPath path, String message) {
        return new ApiFailure(403, "Forbidden", message, path.group(), path.plural(), path.name());
    }

    static ApiFailure noSuchPath() {
        return of(404, "NotFound", "the server could not find the requested resource");
    }

    static ApiFailure notAllowed() {
        return of(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
    }

    static ApiFailure badRequest(String message) {
        return of(400, "BadRequest", message);
    }

    static ApiFailure serviceUnavailable(String message) {
        return of(503, "ServiceUnavailable", message);
    }

    static ApiFailure from(StoreRefusal refusal, String group) {
        int code = switch (refusal.reason()) {
            case NotFound -> 404;
            case AlreadyExists, Conflict -> 409;
            case Expired -> 410;
            case Invalid -> 422;
        };
        return new ApiFailure(code, refusal.reason().name(), refusal.getMessage(), group, refusal.resource(),
                refusal.name());
    }

    int code() {
        return code;
    }

    ObjectNode status() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Failure").put("message", getMessage()).put("reason", reason);
        if (!resource.isEmpty()) {
            ObjectNode details = status.putObject("details");
            if (!name.isEmpty()) {
                details.put("name", name);
            }
            if (!group.isEmpty()) {
                details.put("group", group);
            }
            details.put("kind", resource);
        }
        return status.put("code", code);
    }
}
