package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.Selector;
import dev.pitwall.lab.kube.object.Texts;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Predicate;
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
        return reason(user, wish).isPresent();
    }

    /** Why it is allowed, in RBAC's words; empty text for those who may everything, and nothing at all if it is not. */
    Optional<String> reason(User user, Wish wish) {
        if (isMaster(user)) {
            return Optional.of("");
        }
        return grants(user, wish.namespace()).stream().filter(grant -> allows(grant.rule(), wish))
                .map(grant -> "RBAC: allowed by " + grant.source()).findFirst();
    }

    /**
     * The first right in a list of rules that somebody does not have: nobody gives what is not theirs.
     *
     * @return in RBAC's words
     */
    List<String> missing(User user, String namespace, JsonNode wanted) {
        if (isMaster(user)) {
            return List.of();
        }
        List<JsonNode> own = rules(user, namespace);
        List<String> missing = new ArrayList<>();
        for (JsonNode rule : wanted) {
            if (own.stream().noneMatch(mine -> includes(mine, rule))) {
                missing.add(shown(rule));
            }
        }
        return missing;
    }

    private static boolean includes(JsonNode mine, JsonNode rule) {
        boolean all = mine.path("resourceNames").isEmpty() || !rule.path("resourceNames").isEmpty()
                && each(rule.path("resourceNames"), name -> has(mine.path("resourceNames"), name));
        return all && each(rule.path("verbs"), verb -> has(mine.path("verbs"), verb))
                && each(rule.path("apiGroups"), group -> has(mine.path("apiGroups"), group))
                && each(rule.path("resources"), resource -> has(mine.path("resources"), resource))
                && each(rule.path("nonResourceURLs"), url -> StreamSupport.stream(mine.path("nonResourceURLs")
                .spliterator(), false).anyMatch(own -> covers(own.asText(), url)));
    }

    private static boolean each(JsonNode list, Predicate<String> test) {
        return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).allMatch(test);
    }

    private static String shown(JsonNode rule) {
        StringJoiner text = new StringJoiner(", ", "{", "}");
        for (String field : List.of("apiGroups", "resources", "resourceNames", "nonResourceURLs", "verbs")) {
            if (rule.has(field)) {
                String name = switch (field) {
                    case "apiGroups" -> "APIGroups";
                    case "nonResourceURLs" -> "NonResourceURLs";
                    default -> Character.toUpperCase(field.charAt(0)) + field.substring(1);
                };
                text.add(name + ":" + rule.path(field).toString().replace(",", " "));
            }
        }
        return text.toString();
    }

    /** @param source the binding and role it comes from, as RBAC's reasons name them */
    private record Grant(JsonNode rule, String source) {
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
            rules.add(everything("resources", "apiGroups"));
            rules.add(everything("nonResourceURLs"));
        }
        grants(user, namespace).forEach(grant -> rules.add(grant.rule()));
        return rules;
    }

    private List<Grant> grants(User user, String namespace) {
        List<Grant> grants = new ArrayList<>();
        for (StoredObject binding : store.list(new Resource(RBAC, "clusterrolebindings"), "").objects()) {
            addRules(binding, "", user, grants);
        }
        if (!namespace.isEmpty()) {
            for (StoredObject binding : store.list(new Resource(RBAC, "rolebindings"), namespace).objects()) {
                addRules(binding, namespace, user, grants);
            }
        }
        return grants;
    }

    private static boolean isMaster(User user) {
        return user.groups().contains(User.MASTERS);
    }

    private static JsonNode everything(String... lists) {
        ObjectNode rule = Json.object();
        rule.putArray("verbs").add("*");
        for (String list : lists) {
            rule.putArray(list).add("*");
        }
        return rule;
    }

    private void addRules(StoredObject binding, String namespace, User user, List<Grant> grants) {
        JsonNode body = binding.tree();
        String subject = StreamSupport.stream(body.path("subjects").spliterator(), false)
                .filter(one -> isUser(one, user)).findFirst().map(Authorizer::named).orElse("");
        if (subject.isEmpty()) {
            return;
        }
        boolean clusterRole = body.at("/roleRef/kind").asText().equals("ClusterRole");
        String name = body.at("/roleRef/name").asText();
        String source = (namespace.isEmpty() ? "ClusterRoleBinding \"" + binding.key().name() + "\""
                : "RoleBinding \"" + binding.key().name() + "/" + namespace + "\"") + " of "
                + (clusterRole ? "ClusterRole" : "Role") + " \"" + name + "\" to " + subject;
        rulesOf(clusterRole, namespace, name).forEach(rule -> grants.add(new Grant(rule, source)));
    }

    /** The rules of a role; a role that gathers others has theirs. */
    List<JsonNode> rulesOf(boolean clusterRole, String namespace, String name) {
        List<JsonNode> rules = new ArrayList<>();
        store.find(new ObjectKey(new Resource(RBAC, clusterRole ? "clusterroles" : "roles"),
                clusterRole ? "" : namespace, name)).ifPresent(found -> {
            JsonNode role = found.tree();
            role.path("rules").forEach(rules::add);
            JsonNode selectors = role.at("/aggregationRule/clusterRoleSelectors");
            if (!selectors.isEmpty()) {
                gathered(found.key(), selectors, rules);
            }
        });
        return rules;
    }

    private void gathered(ObjectKey role, JsonNode selectors, List<JsonNode> rules) {
        for (StoredObject other : store.list(new Resource(RBAC, "clusterroles"), "").objects()) {
            JsonNode body = other.tree();
            boolean chosen = StreamSupport.stream(selectors.spliterator(), false)
                    .anyMatch(selector -> Selector.of(selector).test(Texts.map(body.at("/metadata/labels"))));
            if (chosen && !other.key().equals(role)) {
                body.path("rules").forEach(rule -> {
                    if (!rules.contains(rule)) {
                        rules.add(rule);
                    }
                });
            }
        }
    }

    private static String named(JsonNode subject) {
        String name = subject.path("name").asText();
        String kind = subject.path("kind").asText();
        return kind + " \"" + (kind.equals("ServiceAccount") ? name + "/" + subject.path("namespace").asText() : name)
                + "\"";
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
