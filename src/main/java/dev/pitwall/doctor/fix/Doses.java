package dev.pitwall.doctor.fix;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.change.Tree;
import dev.pitwall.journey.change.YamlText;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes changes of the objects of a cluster out of the doses of a cure. What is as it should be already is not changed. */
final class Doses {
    private static final Pattern WORD = Pattern.compile("\\{([a-z-]+)(?::([^}]*))?}");
    private static final Map<String, ObjectType> KINDS = Map.of("DaemonSet", ObjectType.DAEMON_SET, "Deployment",
            ObjectType.DEPLOYMENT, "ConfigMap", ObjectType.CONFIG_MAP);
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Patient patient;
    private final Tolerations tolerations;
    private final PodDoses pods;
    private final AdmissionDoses admission;
    private final MachineDoses machines;
    private final RuntimeDoses runtimes;

    Doses(Patient patient) {
        this.patient = patient;
        this.tolerations = new Tolerations(patient);
        this.pods = new PodDoses(patient);
        this.admission = new AdmissionDoses(patient);
        this.machines = new MachineDoses(patient);
        this.runtimes = new RuntimeDoses(patient);
    }

    /** @throws IllegalArgumentException if the book has a kind of dose that there is not */
    List<Change> of(JsonNode dose) throws TroubleException, InterruptedException {
        String kind = dose.fieldNames().next();
        JsonNode what = dose.path(kind);
        return switch (kind) {
            case "policy" -> policy(what);
            case "policy-cdi" -> policyCdi(what);
            case "policy-env" -> environment(what);
            case "policy-annotations" -> annotations(what);
            case "policy-config-key" -> configKey();
            case "policy-tolerates" -> policyTolerates();
            case "object" -> objects(what);
            case "tolerate" -> tolerate(what);
            case "config-yaml" -> configYaml(what);
            case "namespace" -> namespace(what);
            case "node" -> nodes(what);
            case "restart" -> pods.restart(what);
            case "restart-holders" -> pods.restartHolders();
            case "restart-refused" -> pods.restartRefused();
            case "stop-notebook" -> pods.stopNotebooks();
            case "default-requests" -> admission.defaultRequests();
            case "least-requests" -> admission.leastRequests();
            case "kernel-of-archive" -> machines.kernelOfArchive();
            case "nouveau-away" -> machines.nouveauAway();
            case "boot-from-disk" -> machines.bootFromDisk();
            case "reboot-node" -> machines.reboot();
            case "reboot-where-pods-stay" -> machines.rebootWherePodsStay();
            case "default-runtime" -> defaultRuntime();
            case "templates-away" -> runtimes.templatesAway();
            default -> throw new IllegalArgumentException("no kind of dose: " + kind);
        };
    }

    private List<Change> policy(JsonNode fields) throws TroubleException, InterruptedException {
        Optional<JsonNode> policy = patient.policy();
        Optional<JsonNode> filled = filled(fields);
        return policy.isEmpty() || filled.isEmpty() ? List.of()
                : setting(ObjectType.CLUSTER_POLICY, policy.get(), filled.get(), "the operator's ClusterPolicy");
    }

    /** CDI goes on only where the engines of all nodes with cards read it, and off where that of one does not. */
    private List<Change> policyCdi(JsonNode what) throws TroubleException, InterruptedException {
        boolean on = what.asBoolean();
        boolean read = patient.cardNodes().stream().allMatch(RuntimeDoses::readsCdi);
        return on == read ? policy(at("/spec/cdi/enabled", what)) : List.of();
    }

    /** Where the engine of a node does not read CDI, all nodes with cards give them by a default runtime, each in its own way. */
    private List<Change> defaultRuntime() throws TroubleException, InterruptedException {
        List<JsonNode> nodes = patient.cardNodes();
        if (nodes.stream().allMatch(RuntimeDoses::readsCdi)) {
            return List.of();
        }
        List<Change> changes = new ArrayList<>(runtimes.defaultRuntime(nodes));
        if (!nodes.stream().allMatch(RuntimeDoses::hasOwnSettings)) {
            changes.addAll(environment(NODES.objectNode().put("part", "toolkit")
                    .set("set", NODES.objectNode().put("CONTAINERD_SET_AS_DEFAULT", "true"))));
        }
        return changes;
    }

    /** @return nothing if it is so already */
    private List<Change> setting(ObjectType type, JsonNode present, JsonNode fields, String summary) {
        return Tree.holds(present, fields) ? List.of() : List.of(ManifestChange.setting(patient.cluster().name(),
                Patient.ref(type, present), present, fields, Risk.RESTARTS_PODS, summary));
    }

    /** @return empty if a word of it is not known */
    private Optional<JsonNode> filled(JsonNode tree) throws TroubleException, InterruptedException {
        if (tree.isObject()) {
            ObjectNode copy = NODES.objectNode();
            for (Map.Entry<String, JsonNode> field : tree.properties()) {
                Optional<JsonNode> value = filled(field.getValue());
                if (value.isEmpty()) {
                    return Optional.empty();
                }
                copy.set(field.getKey(), value.get());
            }
            return Optional.of(copy);
        }
        Matcher word = WORD.matcher(tree.asText(""));
        return tree.isTextual() && word.matches() ? word(word).map(TextNode::valueOf) : Optional.of(tree);
    }

    private Optional<String> word(Matcher word) throws TroubleException, InterruptedException {
        return switch (word.group(1)) {
            case "chart" -> patient.chartValue(word.group(2));
            case "operator-version" -> patient.operatorVersion();
            case "containerd-socket" -> Optional.of(patient.containerdSocket());
            default -> throw new IllegalArgumentException("no word " + word.group());
        };
    }

    /** Lists are set whole: what is not meant stays as it is. */
    private List<Change> environment(JsonNode what) throws TroubleException, InterruptedException {
        Optional<JsonNode> policy = patient.policy();
        if (policy.isEmpty()) {
            return List.of();
        }
        String place = "/spec/" + what.path("part").asText() + "/env";
        List<String> removed = what.path("remove").valueStream().map(JsonNode::asText).toList();
        ObjectNode set = (ObjectNode) filled(what.path("set").isObject() ? what.path("set") : NODES.objectNode()).orElseThrow();
        ArrayNode list = NODES.arrayNode();
        policy.get().at(place).forEach(entry -> {
            String name = entry.path("name").asText();
            if (!removed.contains(name) && !set.has(name)) {
                list.add(entry.deepCopy());
            }
        });
        set.properties().forEach(field -> list.addObject().put("name", field.getKey()).set("value", field.getValue()));
        return setWhole(ObjectType.CLUSTER_POLICY, policy.get(), place, list, "environment of the "
                + what.path("part").asText());
    }

    /** Compared as a whole, since a list that has an item too many holds the shorter one. */
    private List<Change> setWhole(ObjectType type, JsonNode present, String place, JsonNode value, String summary) {
        JsonNode now = present.at(place);
        if (now.equals(value) || now.isMissingNode() && value.isEmpty()) {
            return List.of();
        }
        return List.of(ManifestChange.setting(patient.cluster().name(), Patient.ref(type, present), present,
                at(place, value), Risk.RESTARTS_PODS, summary));
    }

    private static JsonNode at(String place, JsonNode value) {
        JsonNode tree = value;
        List<String> names = new ArrayList<>(List.of(place.substring(1).split("/")));
        for (String name : names.reversed()) {
            tree = NODES.objectNode().set(name, tree);
        }
        return tree;
    }

    private List<Change> annotations(JsonNode what) throws TroubleException, InterruptedException {
        Optional<JsonNode> policy = patient.policy();
        ObjectNode gone = NODES.objectNode();
        policy.ifPresent(p -> p.at("/spec/daemonsets/annotations").fieldNames().forEachRemaining(name -> what.path("remove")
                .valueStream().filter(start -> name.startsWith(start.asText())).forEach(start -> gone.putNull(name))));
        return policy.isEmpty() || gone.isEmpty() ? List.of() : setting(ObjectType.CLUSTER_POLICY, policy.get(),
                at("/spec/daemonsets/annotations", gone), "annotations of the operator's DaemonSets");
    }

    /** Only where there is one key: which of several is meant nobody can tell. */
    private List<Change> configKey() throws TroubleException, InterruptedException {
        Optional<JsonNode> policy = patient.policy();
        if (policy.isEmpty()) {
            return List.of();
        }
        String name = policy.get().at("/spec/devicePlugin/config/name").asText("");
        Optional<JsonNode> map = name.isEmpty() ? Optional.empty() : patient.cluster().get(
                new ObjectRef(ObjectType.CONFIG_MAP, patient.operatorNamespace(), name));
        List<String> keys = new ArrayList<>();
        map.ifPresent(m -> m.path("data").fieldNames().forEachRemaining(keys::add));
        return keys.size() != 1 ? List.of() : setting(ObjectType.CLUSTER_POLICY, policy.get(),
                at("/spec/devicePlugin/config/default", TextNode.valueOf(keys.getFirst())), "default of the sharing configuration");
    }

    private List<Change> policyTolerates() throws TroubleException, InterruptedException {
        Optional<JsonNode> policy = patient.policy();
        String place = "/spec/daemonsets/tolerations";
        return policy.isEmpty() ? List.of() : setWhole(ObjectType.CLUSTER_POLICY, policy.get(), place,
                tolerations.over(policy.get().at(place), tolerations.ofNodes()), "tolerations of the operator's DaemonSets");
    }

    private static Pattern pattern(JsonNode what) {
        return Pattern.compile(what.path("name").asText());
    }

    private List<Change> objects(JsonNode what) throws TroubleException, InterruptedException {
        ObjectType type = KINDS.get(what.path("kind").asText());
        List<Change> changes = new ArrayList<>();
        for (JsonNode object : patient.named(type, pattern(what))) {
            changes.addAll(setting(type, object, what.path("fields"), type.kind() + " of the stack"));
        }
        return changes;
    }

    private List<Change> tolerate(JsonNode what) throws TroubleException, InterruptedException {
        ObjectType type = KINDS.get(what.path("kind").asText());
        String place = "/spec/template/spec/tolerations";
        List<JsonNode> wanted = what.path("control-planes").asBoolean() ? tolerations.ofControlPlanes()
                : tolerations.ofNodes();
        List<Change> changes = new ArrayList<>();
        for (JsonNode object : patient.named(type, pattern(what))) {
            changes.addAll(setWhole(type, object, place, tolerations.over(object.at(place), wanted), "tolerations of its pods"));
        }
        return changes;
    }

    private List<Change> configYaml(JsonNode what) throws TroubleException, InterruptedException {
        List<Change> changes = new ArrayList<>();
        String key = what.path("key").asText();
        for (JsonNode map : patient.named(ObjectType.CONFIG_MAP, pattern(what))) {
            if (map.path("data").has(key)) {
                JsonNode before = yaml(map.path("data").path(key).asText());
                JsonNode after = Tree.over(before, what.path("fields"));
                changes.addAll(before.equals(after) ? List.of() : setting(ObjectType.CONFIG_MAP, map,
                        NODES.objectNode().set("data", NODES.objectNode().put(key, YamlText.of(after))), key));
            }
        }
        return changes;
    }

    /** A text that is no YAML is replaced by what it has to say. */
    private static JsonNode yaml(String text) {
        try {
            JsonNode tree = new YAMLMapper().readTree(text);
            return tree.isObject() ? tree : NODES.objectNode();
        } catch (JsonProcessingException e) {
            return NODES.objectNode();
        }
    }

    private List<Change> namespace(JsonNode fields) throws TroubleException, InterruptedException {
        Optional<JsonNode> namespace = patient.cluster().get(ObjectRef.of(ObjectType.NAMESPACE, patient.operatorNamespace()));
        return namespace.isEmpty() ? List.of() : setting(ObjectType.NAMESPACE, namespace.get(), fields, "the operator's namespace");
    }

    private List<Change> nodes(JsonNode fields) throws TroubleException, InterruptedException {
        List<Change> changes = new ArrayList<>();
        for (JsonNode node : patient.nodes()) {
            changes.addAll(setting(ObjectType.NODE, node, fields, "the node"));
        }
        return changes;
    }
}
