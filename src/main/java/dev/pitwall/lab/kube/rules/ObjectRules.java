package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.schema.Schema;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Validates built-in objects: at creation, and what may change afterwards. Safe for any number of threads. */
public final class ObjectRules {
    private static final Set<String> WORKLOADS = Set.of("Deployment", "DaemonSet", "StatefulSet", "ReplicaSet");

    private static final int MOST_BYTES = 1 << 20;

    private final TypeRules types = new TypeRules();
    private final NameRules names = new NameRules();
    private final PodRules pods = new PodRules(names);
    private final WorkloadRules workloads = new WorkloadRules(pods, names);

    /**
     * @param before what is there now; empty for a new object
     * @return nothing if the object may be kept
     */
    public List<Problem> check(String kind, ObjectNode object, Optional<ObjectNode> before, Schema schema) {
        List<Problem> problems = new ArrayList<>();
        names.metadata(kind, object.path("metadata"), problems);
        types.check(object, schema, problems);
        switch (kind) {
            case "Pod" -> {
                if (before.isPresent()) {
                    pods.checkUpdate(object.path("spec"), before.get().path("spec"), problems);
                } else {
                    pods.check("spec", object.path("spec"), problems);
                }
            }
            case "Job" -> workloads.checkJob("spec", object.path("spec"), problems);
            case "CronJob" -> {
                CronRules.check(object, problems);
                workloads.checkJob("spec.jobTemplate.spec", object.at("/spec/jobTemplate/spec"), problems);
            }
            case "ConfigMap", "Secret" -> data(object, before, problems);
            case "Service" -> service(object, before, problems);
            case "PersistentVolumeClaim" -> ClaimRules.check(object, before, problems);
            case "RoleBinding", "ClusterRoleBinding" -> before.ifPresent(old -> sameRole(object, old, problems));
            case "RuntimeClass" -> before.ifPresent(old -> immutable("handler", object, old, problems));
            default -> {
                if (WORKLOADS.contains(kind)) {
                    workloads.check(kind, object, problems);
                }
            }
        }
        if (before.isPresent() && (WORKLOADS.contains(kind) || kind.equals("Job"))) {
            workloads.checkUpdate(kind, object, before.get(), problems);
        }
        return problems.stream().distinct().toList();
    }

    /** The rules for names, labels and annotations alone, which count for custom resources, too. */
    public List<Problem> checkMetadata(String kind, ObjectNode object) {
        List<Problem> problems = new ArrayList<>();
        names.metadata(kind, object.path("metadata"), problems);
        return problems;
    }

    private void data(ObjectNode object, Optional<ObjectNode> before, List<Problem> problems) {
        for (String field : List.of("data", "binaryData", "stringData")) {
            object.path(field).properties().forEach(entry ->
                    names.check("dataKey", field + "[" + entry.getKey() + "]", entry.getKey(), problems));
        }
        size(object, problems);
        before.filter(old -> old.path("immutable").asBoolean()).ifPresent(old -> {
            if (!object.path("immutable").asBoolean()) {
                problems.add(Problem.forbidden("immutable", "field is immutable when `immutable` is set"));
            }
            if (!object.path("data").equals(old.path("data"))) {
                problems.add(Problem.forbidden("data", "field is immutable when `immutable` is set"));
            }
        });
        before.filter(old -> old.has("type")).ifPresent(old -> immutable("type", object, old, problems));
    }

    /** [kubernetes: MaxSecretSize, which counts for both kinds] */
    private static void size(ObjectNode object, List<Problem> problems) {
        boolean secret = object.has("type");
        long bytes = 0;
        for (JsonNode value : object.path("data")) {
            bytes += secret ? decoded(value.asText()) : value.asText().getBytes(StandardCharsets.UTF_8).length;
        }
        for (JsonNode value : object.path("binaryData")) {
            bytes += decoded(value.asText());
        }
        if (bytes > MOST_BYTES) {
            problems.add(Problem.tooLong(secret ? "data" : "[]", MOST_BYTES));
        }
    }

    /** What a text of base64 stands for, in bytes. */
    private static long decoded(String base64) {
        int end = base64.length();
        while (end > 0 && base64.charAt(end - 1) == '=') {
            end--;
        }
        return end * 3L / 4;
    }

    private void service(ObjectNode object, Optional<ObjectNode> before, List<Problem> problems) {
        JsonNode spec = object.path("spec");
        JsonNode ports = spec.path("ports");
        boolean external = spec.path("type").asText("").equals("ExternalName");
        if (ports.isEmpty() && !external && !spec.path("clusterIP").asText("").equals("None")) {
            problems.add(Problem.required("spec.ports", ""));
        }
        for (int i = 0; i < ports.size(); i++) {
            String name = ports.get(i).path("name").asText("");
            if (name.isEmpty() && ports.size() > 1) {
                problems.add(Problem.required("spec.ports[" + i + "].name", ""));
            } else if (!name.isEmpty()) {
                names.check("label", "spec.ports[" + i + "].name", name, problems);
            }
        }
        before.filter(old -> !old.at("/spec/clusterIP").asText("").isEmpty() && !external
                && !old.at("/spec/type").asText().equals("ExternalName")).ifPresent(old -> {
            if (!spec.path("clusterIP").equals(old.at("/spec/clusterIP"))) {
                problems.add(Problem.invalid("spec.clusterIPs[0]", "[]string{"
                        + Problem.quoted(spec.path("clusterIP").asText("")) + "}", "may not change once set"));
            }
        });
    }

    private static void sameRole(ObjectNode object, ObjectNode old, List<Problem> problems) {
        JsonNode role = object.path("roleRef");
        if (!role.equals(old.path("roleRef"))) {
            problems.add(Problem.invalid("roleRef", "rbac.RoleRef{APIGroup:" + quoted(role, "apiGroup") + ", Kind:"
                    + quoted(role, "kind") + ", Name:" + quoted(role, "name") + "}", "cannot change roleRef"));
        }
    }

    private static String quoted(JsonNode object, String field) {
        return Problem.quoted(object.path(field).asText(""));
    }

    private static void immutable(String field, ObjectNode object, ObjectNode old, List<Problem> problems) {
        if (!object.path(field).equals(old.path(field))) {
            problems.add(Problem.invalid(field, Problem.quoted(object.path(field).asText("")), "field is immutable"));
        }
    }
}
