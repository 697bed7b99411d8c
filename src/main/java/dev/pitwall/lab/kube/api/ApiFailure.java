package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.apply.ApplyConflict;
import dev.pitwall.lab.kube.rules.Problem;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.StoreRefusal;

import java.util.List;
import java.util.stream.Collectors;

/** An answer that is a Kubernetes {@code Status} of failure. Reasons, codes and messages are Kubernetes' own. */
final class ApiFailure extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int code;
    private final String reason;
    private final transient Subject subject;
    private final transient List<Cause> causes;

    /** What the failure is about; empty texts say nothing. */
    private record Subject(String group, String kind, String name) {
        static final Subject NONE = new Subject("", "", "");
    }

    /** @param field empty if no field is to blame */
    record Cause(String reason, String message, String field) {
    }

    private ApiFailure(int code, String reason, String message, Subject subject, List<Cause> causes) {
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
        this.subject = subject;
        this.causes = causes;
    }

    static ApiFailure of(int code, String reason, String message) {
        return new ApiFailure(code, reason, message, Subject.NONE, List.of());
    }

    static ApiFailure unauthorized() {
        return of(401, "Unauthorized", "Unauthorized");
    }

    static ApiFailure forbidden(RequestPath path, String message) {
        return forbidden(path.group(), path.plural(), path.name(), message);
    }

    static ApiFailure forbidden(ResourceType type, String name, String message) {
        return forbidden(type.resource().group(), type.resource().plural(), name, message);
    }

    private static ApiFailure forbidden(String group, String plural, String name, String message) {
        return new ApiFailure(403, "Forbidden", message, new Subject(group, plural, name), List.of());
    }

    static ApiFailure noSuchPath() {
        return of(404, "NotFound", "the server could not find the requested resource");
    }

    static ApiFailure notFound(String group, String plural, String name) {
        String qualified = group.isEmpty() ? plural : plural + "." + group;
        return new ApiFailure(404, "NotFound", qualified + " \"" + name + "\" not found",
                new Subject(group, plural, name), List.of());
    }

    static ApiFailure notAllowed() {
        return of(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
    }

    /** The lab's own word for a part of Kubernetes that it does not have. */
    static ApiFailure notImplemented(String what) {
        return of(501, "NotImplemented", "the practice lab's API server does not do this: " + what);
    }

    static ApiFailure badRequest(String message) {
        return of(400, "BadRequest", message);
    }

    static ApiFailure serviceUnavailable(String message) {
        return of(503, "ServiceUnavailable", message);
    }

    /** An object that is not as it must be. */
    static ApiFailure invalid(String group, String kind, String name, List<Problem> problems) {
        String qualified = group.isEmpty() ? kind : kind + "." + group;
        String all = problems.size() == 1 ? problems.getFirst().toString()
                : problems.stream().map(Problem::toString).collect(Collectors.joining(", ", "[", "]"));
        return new ApiFailure(422, "Invalid", qualified + " \"" + name + "\" is invalid: " + all,
                new Subject(group, kind, name), problems.stream()
                .map(problem -> new Cause(problem.cause(), problem.message(), problem.field())).toList());
    }

    static ApiFailure conflict(ApplyConflict conflict) {
        return new ApiFailure(409, "Conflict", conflict.getMessage(), Subject.NONE, conflict.causes().stream()
                .map(cause -> new Cause("FieldManagerConflict", cause.message(), cause.field())).toList());
    }

    /** A pod that a budget keeps. */
    static ApiFailure tooManyRequests(String message, Cause cause) {
        return new ApiFailure(429, "TooManyRequests", message, Subject.NONE, List.of(cause));
    }

    static ApiFailure from(AdmissionRefusal refusal, RequestPath path) {
        return new ApiFailure(refusal.code(), refusal.reason(), refusal.getMessage(),
                new Subject(path.group(), path.plural(), path.name()), List.of());
    }

    static ApiFailure from(StoreRefusal refusal, String group) {
        int code = switch (refusal.reason()) {
            case NotFound -> 404;
            case AlreadyExists, Conflict -> 409;
            case Expired -> 410;
        };
        return new ApiFailure(code, refusal.reason().name(), refusal.getMessage(),
                new Subject(group, refusal.resource(), refusal.name()), List.of());
    }

    int code() {
        return code;
    }

    ObjectNode status() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Failure").put("message", getMessage()).put("reason", reason);
        if (!subject.kind().isEmpty() || !causes.isEmpty()) {
            ObjectNode details = status.putObject("details");
            put(details, "name", subject.name());
            put(details, "group", subject.group());
            put(details, "kind", subject.kind());
            if (!causes.isEmpty()) {
                ArrayNode list = details.putArray("causes");
                causes.forEach(cause -> {
                    ObjectNode entry = list.addObject().put("reason", cause.reason()).put("message", cause.message());
                    put(entry, "field", cause.field());
                });
            }
        }
        return status.put("code", code);
    }

    private static void put(ObjectNode node, String name, String value) {
        if (!value.isEmpty()) {
            node.put(name, value);
        }
    }
}
