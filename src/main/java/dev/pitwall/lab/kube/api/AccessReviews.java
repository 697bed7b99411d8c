package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.pitwall.lab.kube.object.Texts;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The reviews: may I, may they, what may I, who am I, whose token is this. */
final class AccessReviews {
    private final Authorizer authorizer;
    private final Authenticator authenticator;
    private final Bodies bodies;

    AccessReviews(Authorizer authorizer, Authenticator authenticator, Bodies bodies) {
        this.authorizer = authorizer;
        this.authenticator = authenticator;
        this.bodies = bodies;
    }

    void answer(Call call, ResourceType type) throws IOException {
        ObjectNode review = bodies.plainObject(call);
        review.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        review.withObjectProperty("metadata").putNull("creationTimestamp");
        ObjectNode status = review.putObject("status");
        JsonNode spec = review.path("spec");
        switch (type.kind()) {
            case "SelfSubjectAccessReview" -> allowed(call.user(), spec, status);
            case "SubjectAccessReview", "LocalSubjectAccessReview" -> allowed(user(spec), spec, status);
            case "SelfSubjectRulesReview" -> rules(call.user(), spec.path("namespace").asText(), status);
            case "TokenReview" -> token(authenticator.byToken(spec.path("token").asText("")), status);
            default -> who(call.user(), status);
        }
        call.answer(201, review);
    }

    private static User user(JsonNode spec) {
        return new User(spec.path("user").asText(""), Texts.list(spec.path("groups")));
    }

    private void allowed(User user, JsonNode spec, ObjectNode status) {
        Optional<String> reason = reason(user, spec);
        status.put("allowed", reason.isPresent());
        reason.filter(text -> !text.isEmpty()).ifPresent(text -> status.put("reason", text));
    }

    private Optional<String> reason(User user, JsonNode spec) {
        if (spec.has("nonResourceAttributes")) {
            JsonNode asked = spec.path("nonResourceAttributes");
            return authorizer.allowsPath(user, asked.path("verb").asText(), asked.path("path").asText())
                    ? Optional.of("") : Optional.empty();
        }
        JsonNode asked = spec.path("resourceAttributes");
        String subresource = asked.path("subresource").asText("");
        String resource = asked.path("resource").asText();
        return authorizer.reason(user, new Authorizer.Wish(asked.path("verb").asText(),
                asked.path("group").asText(""), subresource.isEmpty() ? resource : resource + "/" + subresource,
                asked.path("namespace").asText(""), asked.path("name").asText("")));
    }

    private void rules(User user, String namespace, ObjectNode status) {
        ArrayNode resources = status.putArray("resourceRules");
        ArrayNode paths = status.putArray("nonResourceRules");
        status.put("incomplete", false);
        for (JsonNode rule : authorizer.rules(user, namespace)) {
            if (rule.has("resources")) {
                copy(rule, resources.addObject(), List.of("verbs", "apiGroups", "resources", "resourceNames"));
            }
            if (rule.has("nonResourceURLs")) {
                copy(rule, paths.addObject(), List.of("verbs", "nonResourceURLs"));
            }
        }
    }

    private static void copy(JsonNode rule, ObjectNode entry, List<String> fields) {
        fields.stream().filter(rule::has).forEach(field -> entry.set(field, rule.get(field)));
    }

    private static void token(Optional<User> user, ObjectNode status) {
        status.put("authenticated", user.isPresent());
        user.ifPresent(known -> info(known, status.putObject("user")));
    }

    private static void who(User user, ObjectNode status) {
        info(user, status.putObject("userInfo"));
    }

    private static void info(User user, ObjectNode info) {
        info.put("username", user.name());
        ArrayNode groups = info.putArray("groups");
        user.groups().forEach(groups::add);
    }
}
