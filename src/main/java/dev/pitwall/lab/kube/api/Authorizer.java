package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** Decides by the roles and bindings that are in the store, as RBAC does. */
final class Authorizer {
    private static final String RBAC = "rbac.authorization.k8s.io";

    private final ObjectStore store;

    Authorizer(ObjectStore store) {
        this.store = store;
    }

    /**
     * What somebody wants to do to resources.
     *
     * @param resource with its subresource, for example {@code pods/log}
     */
    record Wish(String verb, String group, String resource, String namespace, String name) {
    }

    boolean allows(User user, Wish wish) {
        return isMaster(user) || rules(user, wish.namespace()).stream().anyMatch(rule -> allows(rule, wish));
    }

    /** A path that is no resource, such as {@code /version}. */
    boolean allowsPath(User user, String verb, String path) {
        return isMaster(user) || rules(user, "").stream().anyMatch(rule -> has(rule.path("verbs"), verb)
                && StreamSupport.stream(rule.path("nonResourceURLs").spliterator(), false)
                .anyMatch(url -> covers(url.asText(), path)));
    }

    /** All rules that count for a user in a namespace; an empty one is cluster scope. */
    List<JsonNode> rules(User user, String namespace) {
        List<JsonNode> rules = new ArrayList<>();
        if (isMaster(user)) {
            rules.add(everything());
        }
        for (StoredObject binding : store.list(new Resource(RBAC, "clusterrolebindings"), "").objects()) {
            addRules(binding, "", user, rules);
        }
        if (!namespace.isEmpty()) {
            for (StoredObject binding : store.list(new Resource(RBAC, "rolebindings"), namespace).objects()) {
                addRules(binding, namespace, user, rules);
            }
        }
        return rules;
    }

    private static boolean isMaster(User user) {
        return user.groups().contains(User.MASTERS);
    }

    private static JsonNode everything() {
        var rule = Json.object();
        for (String list : List.of("verbs", "apiGroups", "resources", "nonResourceURLs")) {
            ArrayNode values = rule.putArray(list);
            values.add("*");
        }
        return rule;
    }

    private void addRules(StoredObject binding, String namespace, User user, List<JsonNode> rules) {
        JsonNode body = binding.tree();
        boolean bound = StreamSupport.stream(body.path("subjects").spliterator(), false)
                .anyMatch(subject -> isUser(subject, user));
        if (!bound) {
            return;
        }
        boolean clusterRole = body.at("/roleRef/kind").asText().equals("ClusterRole");
        ObjectKey role = new ObjectKey(new Resource(RBAC, clusterRole ? "clusterroles" : "roles"),
                clusterRole ? "" : namespace, body.at("/roleRef/name").asText());
        store.find(role).ifPresent(found -> found.tree().path("rules").forEach(rules::add));
    }

    private static boolean isUser(JsonNode subject, User user) {
        String name = subject.path("name").asText();
        return switch (subject.path("kind").asText()) {
            case "User" -> name.equals(user.name());
            case "Group" -> user.groups().contains(name);
            case "ServiceAccount" -> user.name()
                    .equals("system:serviceaccount:" + subject.path("namespace").asText() + ":" + name);
            default -> false;
        };
    }

    private static boolean allows(JsonNode rule, Wish wish) {
        boolean named = rule.path("resourceNames").isEmpty() || has(rule.path("resourceNames"), wish.name());
        return named && has(rule.path("verbs"), wish.verb()) && has(rule.path("apiGroups"), wish.group())
                && has(rule.path("resources"), wish.resource());
    }

    private static boolean has(JsonNode list, String value) {
        return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText)
                .anyMatch(entry -> entry.equals("*") || entry.equals(value)
                        || entry.startsWith("*/") && value.endsWith(entry.substring(1)));
    }

    private static boolean covers(String url, String path) {
        return url.endsWith("*") ? path.startsWith(url.substring(0, url.length() - 1)) : url.equals(path);
    }
}
