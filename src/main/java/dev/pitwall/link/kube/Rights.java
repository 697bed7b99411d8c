package dev.pitwall.link.kube;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

/**
 * What the signed-in user may do, asked of the cluster itself (SelfSubjectReview, SelfSubjectAccessReview). Both are
 * answers to a question: nothing is stored.
 */
final class Rights {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<Right> NEEDED = List.of(
            new Right("list", "", "nodes", ""), new Right("watch", "", "nodes", ""),
            new Right("list", "", "pods", ""), new Right("watch", "", "pods", ""),
            new Right("list", "", "services", ""), new Right("watch", "", "services", ""),
            new Right("list", "apps", "daemonsets", ""), new Right("watch", "apps", "daemonsets", ""),
            new Right("get", "", "services", "proxy"), new Right("get", "", "pods", "proxy"));
    private static final List<Right> OF_OPERATOR = List.of(
            new Right("list", "nvidia.com", "clusterpolicies", ""),
            new Right("watch", "nvidia.com", "clusterpolicies", ""));

    /** Of the engines' Lease; without them all of Pitwall works but its engine. */
    private static final List<Right> OF_ENGINE = List.of(new Right("get", "coordination.k8s.io", "leases", ""),
            new Right("create", "coordination.k8s.io", "leases", ""), new Right("update", "coordination.k8s.io", "leases", ""));

    private final ApiServer server;

    record Right(String verb, String group, String resource, String subresource) {
        /** As kubectl writes it, for example {@code daemonsets.apps} or {@code services/proxy}. */
        String name() {
            return resource + (group.isEmpty() ? "" : "." + group) + (subresource.isEmpty() ? "" : "/" + subresource);
        }
    }

    Rights(ApiServer server) {
        this.server = server;
    }

    /**
     * Who the server takes this for.
     *
     * @return empty text if the server is too old to say (before 1.28)
     */
    String whoAmI() throws TroubleException {
        ObjectNode review = JSON.createObjectNode();
        review.put("apiVersion", "authentication.k8s.io/v1").put("kind", "SelfSubjectReview");
        try {
            JsonNode answer = server.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", review,
                    "ask who is signed in");
            return answer.path("status").path("userInfo").path("username").asText("");
        } catch (ApiRefusal refusal) {
            if (refusal.absent() || refusal.forbidden()) {
                return "";
            }
            throw new TroubleException(refusal.trouble(), refusal);
        }
    }

    /** Rights that are missing; {@code operator} adds those of the GPU Operator's resources. */
    List<Right> missing(Operator operator) throws TroubleException {
        List<Right> asked = new ArrayList<>(NEEDED);
        if (operator == Operator.FOUND) {
            asked.addAll(OF_OPERATOR);
        }
        List<Right> missing = new ArrayList<>();
        for (Right right : asked) {
            if (!allowed(right, "")) {
                missing.add(right);
            }
        }
        return missing;
    }

    /**
     * What is lost if the engine's rights are missing, with the commands that give them; empty if they are there. They are asked
     * for in the namespace of the Lease that is there, else in {@code default}.
     */
    Optional<String> withoutLease(String user) throws TroubleException {
        String namespace = leaseNamespace();
        List<String> missing = new ArrayList<>();
        for (Right right : OF_ENGINE) {
            if (!allowed(right, namespace)) {
                missing.add(right.verb());
            }
        }
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        String where = KubeLeases.NAME + " --namespace=" + namespace;
        return Optional.of((user.isEmpty() ? "This user" : user) + " may not " + sentence(missing)
                + " leases.coordination.k8s.io in namespace " + namespace + ". Everything else works, but the Board only watches:"
                + " nothing can be placed, moved or pinned there, as nobody could know which engine decides. Let an administrator run"
                + " \"kubectl create role " + where + " --verb=get,create,update --resource=leases.coordination.k8s.io\" and"
                + " \"kubectl create rolebinding " + where + " --role=" + KubeLeases.NAME + " " + subject(user) + "\".");
    }

    private String leaseNamespace() throws TroubleException {
        return KubeLeases.found(server).orElse("default");
    }

    enum Operator { FOUND, NOT_FOUND }

    /** @param namespace empty asks for all of them */
    private boolean allowed(Right right, String namespace) throws TroubleException {
        ObjectNode review = JSON.createObjectNode();
        review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
        ObjectNode attributes = review.putObject("spec").putObject("resourceAttributes");
        attributes.put("verb", right.verb()).put("group", right.group()).put("resource", right.resource());
        if (!namespace.isEmpty()) {
            attributes.put("namespace", namespace);
        }
        if (!right.subresource().isEmpty()) {
            attributes.put("subresource", right.subresource());
        }
        try {
            return server.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review,
                    "ask for its own rights").path("status").path("allowed").asBoolean(false);
        } catch (ApiRefusal refusal) {
            throw new TroubleException(refusal.trouble(), refusal);
        }
    }

    /** The trouble of missing rights, with the commands that give them. */
    static Trouble trouble(List<Right> missing, String user, String where) {
        Set<String> clauses = new LinkedHashSet<>();
        for (Right right : missing) {
            clauses.add(right.verb() + " " + right.name());
        }
        return new Trouble(Trouble.Kind.RIGHTS, where,
                (user.isEmpty() ? "this user" : user) + " may not " + sentence(List.copyOf(clauses))
                        + " in all namespaces",
                "Let an administrator run \"" + role(missing) + "\" and \"" + binding(user) + "\".");
    }

    private static String role(List<Right> missing) {
        Set<String> resources = new LinkedHashSet<>();
        NEEDED.forEach(right -> resources.add(right.name()));
        missing.forEach(right -> resources.add(right.name()));
        return "kubectl create clusterrole pitwall --verb=get,list,watch --resource=" + String.join(",", resources);
    }

    private static String binding(String user) {
        return "kubectl create clusterrolebinding pitwall --clusterrole=pitwall " + subject(user);
    }

    private static String subject(String user) {
        String[] parts = user.split(":");
        return parts.length == 4 && user.startsWith("system:serviceaccount:")
                ? "--serviceaccount=" + parts[2] + ":" + parts[3]
                : "--user=" + (user.isEmpty() ? "USER" : user);
    }

    /** {@code a, b and c}. */
    static String sentence(List<String> parts) {
        if (parts.size() < 2) {
            return String.join("", parts);
        }
        return String.join(", ", parts.subList(0, parts.size() - 1)) + " and " + parts.getLast();
    }
}
