package dev.pitwall.doctor.picture.words;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The words of every kind of object that a diagnosis looks at. */
public final class ClusterWords {
    private static final Set<String> POD_TEMPLATES = Set.of("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job");
    private static final Set<String> OPERATOR = Set.of("ClusterPolicy", "NVIDIADriver", "GPUCluster");
    private static final Pattern NODE_LABEL = Pattern.compile("^(?:nvidia\\.com/|feature\\.node\\.kubernetes\\.io/pci-).*");
    private static final int LONGEST_TEXT = 64_000;
    private final PodWords pods = new PodWords();
    private final SpecWords spec = new SpecWords();

    /** @return empty for an object that says nothing of use */
    public Optional<Spoken> of(JsonNode object) {
        String kind = object.path("kind").asText();
        if (kind.equals("Pod")) {
            return Optional.of(pods.of(object));
        }
        List<String> lines = switch (kind) {
            case "Node" -> node(object);
            case "ConfigMap" -> configMap(object);
            case "Namespace" -> labels(object, "pod-security.kubernetes.io/enforce");
            case "RuntimeClass" -> List.of("kind: RuntimeClass", "handler: " + object.path("handler").asText());
            case "Notebook" -> notebook(object);
            case "CronJob" -> template(object.path("spec").path("jobTemplate"));
            default -> POD_TEMPLATES.contains(kind) ? template(object)
                    : OPERATOR.contains(kind) ? policy(object) : Fields.conditions(object.path("status"));
        };
        return lines.isEmpty() ? Optional.empty() : Optional.of(new Spoken(Fields.name(object),
                kind.equals("Node") ? Fields.name(object) : "", "", lines));
    }

    /** When it was used last is in an annotation; what it asks for in its template. */
    private List<String> notebook(JsonNode notebook) {
        List<String> lines = new ArrayList<>(List.of("kind: Notebook"));
        notebook.path("metadata").path("annotations").properties().stream().filter(a -> a.getKey().contains("kubeflow"))
                .forEach(a -> lines.add(a.getKey() + ": " + a.getValue().asText()));
        lines.addAll(template(notebook));
        return lines;
    }

    private static List<String> node(JsonNode node) {
        List<String> lines = new ArrayList<>();
        node.path("metadata").path("labels").properties().stream()
                .filter(label -> NODE_LABEL.matcher(label.getKey()).matches())
                .forEach(label -> lines.add(label.getKey() + "=" + label.getValue().asText()));
        Fields.list(node.path("status").path("conditions")).stream()
                .filter(c -> !c.path("status").asText().equals(c.path("type").asText().equals("Ready") ? "True" : "False"))
                .forEach(c -> lines.add(c.path("type").asText() + "=" + c.path("status").asText() + " "
                        + c.path("message").asText("")));
        JsonNode status = node.path("status");
        lines.add("Container Runtime Version: "
                + status.path("nodeInfo").path("containerRuntimeVersion").asText(""));
        status.path("capacity").properties().stream().filter(r -> r.getKey().startsWith("nvidia.com/"))
                .forEach(r -> lines.add("  " + r.getKey() + ":  " + r.getValue().asText()));
        Fields.list(node.path("spec").path("taints")).forEach(taint -> lines.add("Taints: " + taint.path("key").asText() + "="
                + taint.path("value").asText("") + ":" + taint.path("effect").asText()));
        return lines;
    }

    private static List<String> labels(JsonNode object, String name) {
        JsonNode value = object.path("metadata").path("labels").path(name);
        return value.isTextual() ? List.of(name + "=" + value.asText()) : List.of();
    }

    private static List<String> configMap(JsonNode map) {
        List<String> lines = new ArrayList<>();
        map.path("data").properties().stream().filter(e -> e.getValue().isTextual())
                .filter(e -> e.getValue().asText().length() <= LONGEST_TEXT)
                .forEach(e -> e.getValue().asText().lines().forEach(lines::add));
        return lines;
    }

    private List<String> template(JsonNode owner) {
        List<String> lines = new ArrayList<>(Fields.conditions(owner.path("status")));
        JsonNode status = owner.path("status");
        if (owner.path("kind").asText().equals("DaemonSet") && status.has("desiredNumberScheduled")) {
            lines.add(Fields.name(owner) + " desiredNumberScheduled: " + status.path("desiredNumberScheduled").asInt());
        }
        lines.addAll(spec.of(owner.path("spec").path("template").path("spec")));
        return lines;
    }

    /** The operator's own objects: what they wait for, and the variables that are given to each operand. */
    private static List<String> policy(JsonNode policy) {
        List<String> lines = new ArrayList<>(Fields.conditions(policy.path("status")));
        policy.path("spec").properties().forEach(part -> {
            lines.addAll(SpecWords.variables(part.getValue().path("env")));
            Fields.list(part.getValue().path("args")).forEach(word -> lines.add(word.asText()));
        });
        return lines;
    }
}
