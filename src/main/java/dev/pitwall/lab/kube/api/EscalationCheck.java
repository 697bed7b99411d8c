package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;

import java.util.List;
import java.util.stream.Collectors;

/** Nobody gives away rights that are not theirs, unless they may {@code escalate} or {@code bind}. */
final class EscalationCheck {
    private static final String RBAC = "rbac.authorization.k8s.io";

    private final Authorizer authorizer;

    EscalationCheck(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    /** @throws ApiFailure 403 in RBAC's words */
    void check(User user, Target target, ObjectNode object) {
        switch (target.type().qualifiedKind()) {
            case "Role." + RBAC, "ClusterRole." + RBAC ->
                    require(user, target, "escalate", target.type().resource().plural(), target.name(),
                            object.path("rules"));
            case "RoleBinding." + RBAC, "ClusterRoleBinding." + RBAC -> {
                JsonNode role = object.path("roleRef");
                boolean clusterRole = role.path("kind").asText().equals("ClusterRole");
                ArrayNode rules = Json.object().putArray("rules");
                authorizer.rulesOf(clusterRole, target.namespace(), role.path("name").asText()).forEach(rules::add);
                require(user, target, "bind", clusterRole ? "clusterroles" : "roles", role.path("name").asText(),
                        rules);
            }
            default -> { }
        }
    }

    private void require(User user, Target target, String verb, String resource, String name, JsonNode rules) {
        if (authorizer.allows(user, new Authorizer.Wish(verb, RBAC, resource, target.namespace(), name))) {
            return;
        }
        List<String> missing = authorizer.missing(user, target.namespace(), rules);
        if (!missing.isEmpty()) {
            String groups = user.groups().stream().map(group -> "\"" + group + "\"")
                    .collect(Collectors.joining(" ", "[", "]"));
            throw ApiFailure.forbidden(target.type(), target.name(), target.type().resource().qualified() + " \""
                    + target.name() + "\" is forbidden: user \"" + user.name() + "\" (groups=" + groups
                    + ") is attempting to grant RBAC permissions not currently held:\n"
                    + String.join("\n", missing));
        }
    }
}
