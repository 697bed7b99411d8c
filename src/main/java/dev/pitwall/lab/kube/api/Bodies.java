package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.rules.Problem;
import dev.pitwall.lab.kube.schema.ApiTypes;
import dev.pitwall.lab.kube.schema.Schema;
import dev.pitwall.lab.kube.schema.StrictCheck;
import dev.pitwall.lab.kube.schema.TypeCheck;
import dev.pitwall.lab.kube.schema.WireReader;
import dev.pitwall.lab.kube.store.Json;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Turns what was sent into an object: JSON, YAML or protobuf, held against the shape of its kind. Unknown and doubled fields
 * are refused, warned of or ignored as {@code fieldValidation} asks.
 */
final class Bodies {
    private final WireReader wire;

    Bodies(ApiTypes types) {
        this.wire = new WireReader(types);
    }

    /** Any body, untouched: options, patches, reviews. An empty one is an empty object. */
    JsonNode plain(Call call) throws IOException {
        return parse(call, call.bytes());
    }

    ObjectNode plainObject(Call call) throws IOException {
        return object(plain(call));
    }

    private JsonNode parse(Call call, byte[] bytes) {
        String type = call.contentType();
        if (bytes.length == 0) {
            return Json.object();
        }
        try {
            if (type.equals(WireReader.MEDIA_TYPE)) {
                return wire.read(bytes);
            }
            return type.contains("yaml") ? new YAMLMapper().readTree(bytes) : Json.parse(bytes);
        } catch (IOException e) {
            throw ApiFailure.badRequest(type.equals(WireReader.MEDIA_TYPE) ? e.getMessage()
                    : "the object provided is unrecognized (must be of type Object): couldn't get version/kind; json parse error: "
                    + firstLine(e));
        }
    }

    private static String firstLine(IOException e) {
        return e.getMessage() == null ? "no JSON" : e.getMessage().lines().findFirst().orElse("no JSON");
    }

    private static ObjectNode object(JsonNode body) {
        return switch (body) {
            case ObjectNode object -> object;
            default -> throw ApiFailure.badRequest("Object 'Kind' is missing in '" + body + "'");
        };
    }

    /**
     * The object of a create or update, without fields its kind does not have, in the form that is kept.
     *
     * @throws ApiFailure 400 if it is not of the kind, a value is of a wrong type, or strict decoding finds a fault
     */
    ObjectNode object(Call call, ResourceType type) throws IOException {
        byte[] bytes = call.bytes();
        ObjectNode object = object(parse(call, bytes));
        requireKind(type, object);
        List<String> problems = new ArrayList<>();
        if (!call.query("fieldValidation").equals("Ignore") && call.contentType().contains("json")) {
            problems.addAll(StrictCheck.duplicates(bytes));
        }
        check(type, object, problems);
        report(call, problems, all -> ApiFailure.badRequest(handled(type) + "strict decoding error: " + all));
        type.store(object);
        return object;
    }

    /**
     * Holds a patched object against the shape of its kind.
     *
     * @param shown the object as the client knows it
     */
    void checkPatched(Call call, ResourceType type, ObjectNode shown, JsonNode patch) {
        List<String> problems = new ArrayList<>();
        check(type, shown, problems);
        report(call, problems, all -> ApiFailure.invalid("", "", "", List.of(Problem.invalid("patch",
                Problem.quoted(patch.toString()), "strict decoding error: " + all))));
    }

    private static void check(ResourceType type, ObjectNode object, List<String> problems) {
        if (!type.custom() && type.schema() != Schema.ANY) {
            TypeCheck.problem(object, type.schema()).ifPresent(problem -> {
                throw ApiFailure.badRequest(handled(type) + problem);
            });
        }
        problems.addAll(StrictCheck.prune(object, type.schema()));
    }

    private static String handled(ResourceType type) {
        return type.kind() + " in version \"" + type.version() + "\" cannot be handled as a " + type.kind() + ": ";
    }

    private static void report(Call call, List<String> problems,
                               Function<String, ApiFailure> refusal) {
        switch (call.query("fieldValidation")) {
            case "Strict" -> {
                if (!problems.isEmpty()) {
                    throw refusal.apply(String.join(", ", problems));
                }
            }
            case "Ignore" -> { }
            case "", "Warn" -> problems.forEach(call::warn);
            default -> throw ApiFailure.of(422, "Invalid", "CreateOptions.meta.k8s.io \"\" is invalid: fieldValidation:"
                    + " Unsupported value: \"" + call.query("fieldValidation")
                    + "\": supported values: \"Ignore\", \"Strict\", \"Warn\"");
        }
    }

    private static void requireKind(ResourceType type, ObjectNode body) {
        String kind = body.path("kind").asText("");
        String version = body.path("apiVersion").asText("");
        if (type.custom() && (kind.isEmpty() || version.isEmpty())) {
            throw ApiFailure.badRequest("Object 'Kind' is missing in '" + body + "'");
        }
        if (!kind.isEmpty() && !kind.equals(type.kind()) || !version.isEmpty() && !version.equals(type.apiVersion())) {
            throw ApiFailure.badRequest("the API version in the data (" + version + ") does not match the expected API"
                    + " version (" + type.apiVersion() + ")");
        }
    }
}
