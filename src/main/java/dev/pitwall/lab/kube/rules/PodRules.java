package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a pod's specification must be like, and what of it may change later. */
final class PodRules {
    /** Kubernetes puts the difference of the two specifications after this; the lab leaves it out. */
    private static final String FROZEN = "pod updates may not change fields other than `spec.containers[*].image`,"
            + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to"
            + " existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was"
            + " previously negative)";

    private final NameRules names;

    PodRules(NameRules names) {
        this.names = names;
    }

    /** @param path for example {@code spec} or {@code spec.template.spec} */
    void check(String path, JsonNode spec, List<Problem> problems) {
        check(path, spec, Set.of(), problems);
    }

    /** @param claims volumes that its owner adds to each of its pods */
    void check(String path, JsonNode spec, Set<String> claims, List<Problem> problems) {
        Set<String> volumes = volumes(path, spec, problems);
        volumes.addAll(claims);
        Set<String> seen = new HashSet<>();
        for (String list : List.of("containers", "initContainers")) {
            for (int i = 0; i < spec.path(list).size(); i++) {
                container(path + "." + list + "[" + i + "]", spec.path(list).get(i), volumes, seen, problems);
            }
        }
        names.labels(path + ".nodeSelector", spec.path("nodeSelector"), problems);
        for (int i = 0; i < spec.path("tolerations").size(); i++) {
            toleration(path + ".tolerations[" + i + "]", spec.path("tolerations").get(i), problems);
        }
        boolean onHost = spec.path("hostNetwork").asBoolean();
        if (onHost) {
            hostPorts(path, spec, problems);
        }
    }

    private Set<String> volumes(String path, JsonNode spec, List<Problem> problems) {
        Set<String> volumes = new HashSet<>();
        for (int i = 0; i < spec.path("volumes").size(); i++) {
            String field = path + ".volumes[" + i + "].name";
            String name = spec.path("volumes").get(i).path("name").asText("");
            if (name.isEmpty()) {
                problems.add(Problem.required(field, ""));
                continue;
            }
            names.check("label", field, name, problems);
            if (!volumes.add(name)) {
                problems.add(Problem.duplicate(field, Problem.quoted(name)));
            }
        }
        return volumes;
    }

    private void container(String path, JsonNode container, Set<String> volumes, Set<String> seen,
                           List<Problem> problems) {
        String name = container.path("name").asText("");
        if (!name.isEmpty()) {
            names.check("label", path + ".name", name, problems);
            if (!seen.add(name)) {
                problems.add(Problem.duplicate(path + ".name", Problem.quoted(name)));
            }
        }
        String image = container.path("image").asText("");
        if (image.isEmpty()) {
            problems.add(Problem.required(path + ".image", ""));
        } else if (!image.equals(image.strip())) {
            problems.add(Problem.invalid(path + ".image", Problem.quoted(image),
                    "must not have leading or trailing whitespace"));
        }
        for (int i = 0; i < container.path("env").size(); i++) {
            JsonNode variable = container.path("env").get(i);
            String field = path + ".env[" + i + "]";
            if (variable.has("name")) {
                names.check("envVar", field + ".name", variable.path("name").asText(), problems);
            }
            if (variable.has("valueFrom") && !variable.path("value").asText("").isEmpty()) {
                problems.add(Problem.invalid(field + ".valueFrom", "\"\"",
                        "may not be specified when `value` is not empty"));
            }
        }
        ports(path, container, problems);
        mounts(path, container, volumes, problems);
        ResourceRules.check(path + ".resources", container.path("resources"), problems);
    }

    private void ports(String path, JsonNode container, List<Problem> problems) {
        Set<String> named = new HashSet<>();
        for (int i = 0; i < container.path("ports").size(); i++) {
            String name = container.path("ports").get(i).path("name").asText("");
            String field = path + ".ports[" + i + "].name";
            if (!name.isEmpty()) {
                names.check("port", field, name, problems);
                if (!named.add(name)) {
                    problems.add(Problem.duplicate(field, Problem.quoted(name)));
                }
            }
        }
    }

    private static void mounts(String path, JsonNode container, Set<String> volumes, List<Problem> problems) {
        Set<String> paths = new HashSet<>();
        for (int i = 0; i < container.path("volumeMounts").size(); i++) {
            JsonNode mount = container.path("volumeMounts").get(i);
            String field = path + ".volumeMounts[" + i + "]";
            String name = mount.path("name").asText("");
            if (!name.isEmpty() && !volumes.contains(name)) {
                problems.add(Problem.notFound(field + ".name", Problem.quoted(name)));
            }
            String where = mount.path("mountPath").asText("");
            if (!where.isEmpty() && !paths.add(where)) {
                problems.add(Problem.invalid(field + ".mountPath", Problem.quoted(where), "must be unique"));
            }
        }
    }

    private static void toleration(String path, JsonNode toleration, List<Problem> problems) {
        String operator = toleration.path("operator").asText("Equal");
        if (toleration.path("key").asText("").isEmpty() && !operator.equals("Exists")) {
            problems.add(Problem.invalid(path + ".operator", Problem.quoted(toleration.path("operator").asText("")),
                    "operator must be Exists when `key` is empty, which means \"match all values and all keys\""));
        }
        if (operator.equals("Exists") && !toleration.path("value").asText("").isEmpty()) {
            problems.add(Problem.invalid(path + ".operator", Problem.quoted(toleration.path("value").asText()),
                    "value must be empty when `operator` is 'Exists'"));
        }
        if (toleration.has("tolerationSeconds") && !toleration.path("effect").asText("").equals("NoExecute")) {
            problems.add(Problem.invalid(path + ".effect", Problem.quoted(toleration.path("effect").asText("")),
                    "effect must be 'NoExecute' when `tolerationSeconds` is set"));
        }
    }

    private static void hostPorts(String path, JsonNode spec, List<Problem> problems) {
        for (int i = 0; i < spec.path("containers").size(); i++) {
            JsonNode ports = spec.path("containers").get(i).path("ports");
            for (int j = 0; j < ports.size(); j++) {
                JsonNode port = ports.get(j);
                if (port.has("hostPort") && !port.path("hostPort").equals(port.path("containerPort"))) {
                    problems.add(Problem.invalid(path + ".containers[" + i + "].ports[" + j + "].containerPort",
                            port.path("containerPort").asText(), "must match `hostPort` when `hostNetwork` is true"));
                }
            }
        }
    }

    void checkUpdate(JsonNode spec, JsonNode before, List<Problem> problems) {
        ObjectNode now = spec.deepCopy();
        ObjectNode old = before.deepCopy();
        for (ObjectNode one : List.of(now, old)) {
            one.remove(List.of("activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds"));
            // Scheduling gates may be taken off and, with them, the node may be narrowed.
            one.remove("schedulingGates");
            for (String list : List.of("containers", "initContainers")) {
                one.path(list).forEach(PodRules::withoutImage);
            }
        }
        boolean gated = !before.path("schedulingGates").isEmpty();
        if (gated) {
            now.remove(List.of("nodeSelector", "affinity"));
            old.remove(List.of("nodeSelector", "affinity"));
        }
        if (!now.equals(old)) {
            problems.add(Problem.forbidden("spec", FROZEN));
        }
        if (!containsAll(spec.path("tolerations"), before.path("tolerations"))) {
            problems.add(Problem.forbidden("spec.tolerations", "existing toleration can not be modified except its"
                    + " tolerationSeconds"));
        }
    }

    private static void withoutImage(JsonNode container) {
        if (container instanceof ObjectNode object) {
            object.remove("image");
        }
    }

    private static boolean containsAll(JsonNode now, JsonNode before) {
        for (JsonNode one : before) {
            boolean kept = false;
            for (JsonNode other : now) {
                kept |= bare(other).equals(bare(one));
            }
            if (!kept) {
                return false;
            }
        }
        return true;
    }

    private static JsonNode bare(JsonNode toleration) {
        JsonNode copy = toleration.deepCopy();
        if (copy instanceof ObjectNode object) {
            object.remove("tolerationSeconds");
        }
        return copy;
    }
}
