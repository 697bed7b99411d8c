package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;

/** The self reviews: may I, what may I, who am I. */
final class AccessReviews {
    private final Authorizer authorizer;

    AccessReviews(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    void answer(Call call, ResourceType type) throws IOException {
        ObjectNode review = call.reviewBody(type.kind());
        review.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        review.withObjectProperty("metadata").putNull("creationTimestamp");
        ObjectNode status = review.putObject("status");
        switch (type.kind()) {
            case "SelfSubjectAccessReview" -> status.put("allowed", allowed(call.user(), review.path("spec")));
            case "SelfSubjectRulesReview" -> rules(call.user(), review.at("/spec/namespace").asText(), status);
            default -> who(call.user(), status);
        }
        call.answer(201, review);
    }

    private boolean allowed(User user, JsonNode spec) {
        if (spec.has("nonResourceAttributes")) {
            JsonNode asked = spec.path("nonResourceAttributes");
            return authorizer.allowsPath(user, asked.path("verb").asText(), asked.path("path").asText());
        }
        JsonNode asked = spec.path("resourceAttributes");
        String subresource = asked.path("subresource").asText("");
        String resource = asked.path("resource").asText();
        return authorizer.allows(user, new Authorizer.Wish(asked.path("verb").asText(),
                asked.path("group").asText(""), subresource.isEmpty() ? resource : resource + "/" + subresource,
                asked.path("namespace").asText(""), asked.path("name").asText("")));
    }

    private void rules(User user, String namespace, ObjectNode status) {
        ArrayNode resources = status.putArray("resourceRules");
        ArrayNode paths = status.putArray("nonResourceRules");
        status.put("incomplete", false);
        for (JsonNode rule : authorizer.rules(user, namespace)) {
            if (rule.has("resources")) {
                ObjectNode entry = resources.addObject();
                entry.set("verbs", rule.path("verbs"));
                entry.set("apiGroups", rule.path("apiGroups"));
                entry.set("resources", rule.path("resources"));
            }
            if (rule.has("nonResourceURLs")) {
                ObjectNode entry = paths.addObject();
                entry.set("verbs", rule.path("verbs"));
                entry.set("nonResourceURLs", rule.path("nonResourceURLs"));
            }
        }
    }

    private static void who(User user, ObjectNode status) {
        ObjectNode info = status.putObject("userInfo").put("username", user.name());
        ArrayNode groups = info.putArray("groups");
        user.groups().forEach(groups::add);
    }
}
