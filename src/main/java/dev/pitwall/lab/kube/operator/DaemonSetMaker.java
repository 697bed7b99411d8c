package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pitwall.lab.kube.store.Json;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;

/** Makes an operand's DaemonSet from its template and the ClusterPolicy. (facts: cluster.md 1.2, 1.4, 1.5) */
final class DaemonSetMaker {
    static final String HASH = "nvidia.com/last-applied-hash";
    private static final Set<String> ROLL_OUT = Set.of("upgradePolicy", "manager", "startupProbe", "enabled",
            "resources");
    private static final String CONFIG_VOLUME = "config";

    private final OperandList operands;
    private final JsonNode spec;
    private final String operator;
    private final PolicyImages images;
    private final Map<String, String> values;
    private final boolean cdi;
    private final Map<Wanted, JsonNode> made = new HashMap<>();

    private record Wanted(String operand, String driverSuffix) {
    }

    /**
     * @param spec     of the ClusterPolicy
     * @param operator the operator's release
     */
    DaemonSetMaker(OperandList operands, JsonNode spec, String operator) {
        this.operands = operands;
        this.spec = spec;
        this.operator = operator;
        JsonNode versions = operands.versions(operator);
        this.images = new PolicyImages(spec, operator, versions);
        this.values = PolicyDefaults.of(spec, digest(driver(spec)));
        this.cdi = spec.at("/cdi/enabled").asBoolean(versions.path("cdi").asBoolean());
    }

    /** True if it makes what this policy wants of this release of the operator. */
    boolean isFor(JsonNode policy, String release) {
        return operator.equals(release) && spec.equals(policy);
    }

    /**
     * @param driverSuffix what follows the driver's version in its image's tag
     * @return the same each time, not to be changed
     */
    JsonNode make(Operand operand, String driverSuffix) {
        return made.computeIfAbsent(new Wanted(operand.name(), driverSuffix), wanted -> made(operand, driverSuffix));
    }

    private ObjectNode made(Operand operand, String driverSuffix) {
        ObjectNode pod = pod(operand, driverSuffix);
        ObjectNode object = Json.object();
        ObjectNode metadata = object.putObject("metadata");
        labels(metadata.putObject("labels"), operand);
        ObjectNode set = object.putObject("spec");
        set.putObject("selector").putObject("matchLabels").put("app", operand.name());
        ObjectNode template = set.putObject("template");
        ObjectNode podMetadata = template.putObject("metadata");
        ObjectNode podLabels = podMetadata.putObject("labels");
        spec.at("/daemonsets/labels").properties().forEach(l -> podLabels.put(l.getKey(), l.getValue().asText()));
        labels(podLabels, operand);
        JsonNode annotations = spec.at("/daemonsets/annotations");
        if (!annotations.isEmpty()) {
            podMetadata.set("annotations", annotations.deepCopy());
        }
        template.set("spec", pod);
        set.set("updateStrategy", strategy(operand));
        metadata.putObject("annotations").put(HASH, digest(object));
        return object;
    }

    private void labels(ObjectNode labels, Operand operand) {
        labels.put("app", operand.name()).put("app.kubernetes.io/managed-by", "gpu-operator")
                .put("helm.sh/chart", "gpu-operator-" + operator);
    }

    private ObjectNode strategy(Operand operand) {
        ObjectNode strategy = Json.object();
        String wanted = spec.at("/daemonsets/updateStrategy").asText("RollingUpdate");
        if (operand.onDelete() || wanted.equals("OnDelete")) {
            return strategy.put("type", "OnDelete");
        }
        String unavailable = spec.at("/daemonsets/rollingUpdate/maxUnavailable").asText("1");
        ObjectNode rolling = strategy.put("type", "RollingUpdate").putObject("rollingUpdate");
        if (unavailable.matches("\\d{1,6}")) {
            rolling.put("maxUnavailable", Integer.parseInt(unavailable));
        } else {
            rolling.put("maxUnavailable", unavailable);
        }
        return strategy;
    }

    private ObjectNode pod(Operand operand, String driverSuffix) {
        ObjectNode pod = operand.spec().deepCopy();
        if (operand.toolkitWait()) {
            toolkitWait(pod);
        }
        if (operand.sharing() && !values.get("sharingName").isEmpty()) {
            sharing(pod);
        }
        ObjectNode filled = (ObjectNode) filled(pod, driverSuffix);
        place(filled, operand);
        for (JsonNode container : filled.path("containers")) {
            if (container.path("name").asText().equals(operand.main())) {
                settings((ObjectNode) container, operand);
            }
        }
        if (operand.isDriver()) {
            repositories(filled);
        }
        if (operand.part().equals("dcgmExporter")) {
            metricList(filled);
        }
        if (operand.part().equals("validator")) {
            validations(filled);
        }
        return filled;
    }

    private void place(ObjectNode pod, Operand operand) {
        ObjectNode selector = pod.putObject("nodeSelector");
        selector.put("nvidia.com/gpu.deploy." + operand.deploy(), "true");
        operand.nodes().forEach(selector::put);
        pod.put("serviceAccountName", operand.account());
        JsonNode tolerations = spec.at("/daemonsets/tolerations");
        if (tolerations.isArray()) {
            pod.set("tolerations", tolerations.deepCopy());
        } else {
            pod.putArray("tolerations").addObject().put("key", "nvidia.com/gpu").put("operator", "Exists")
                    .put("effect", "NoSchedule");
        }
        String priority = spec.at("/daemonsets/priorityClassName").asText("");
        if (!priority.isEmpty()) {
            pod.put("priorityClassName", priority);
        }
        boolean injected = spec.at("/cdi/nriPluginEnabled").asBoolean(false);
        if (operand.runtime() && !injected) {
            pod.put("runtimeClassName", values.get("runtimeClass"));
        }
    }

    /** What the policy's section says of the main container; the user's variables come last and win. */
    private void settings(ObjectNode container, Operand operand) {
        JsonNode part = spec.path(operand.part());
        String pull = part.path("imagePullPolicy").asText("");
        container.put("imagePullPolicy", pull.isEmpty() ? "IfNotPresent" : pull);
        JsonNode resources = part.path("resources");
        if (!resources.isEmpty()) {
            container.set("resources", resources.deepCopy());
        }
        if (operand.isDriver() && part.path("startupProbe").isObject()) {
            part.path("startupProbe").properties().forEach(field ->
                    container.withObjectProperty("startupProbe").set(field.getKey(), field.getValue()));
        }
        ArrayNode env = container.withArrayProperty("env");
        if (cdi) {
            cdi(env, operand);
        }
        part.path("env").forEach(variable -> put(env, variable));
        part.path("args").forEach(arg -> container.withArrayProperty("args").add(arg.asText()));
    }

    /** What the operator sets for CDI. (facts: cluster.md 1.5) */
    private static void cdi(ArrayNode env, Operand operand) {
        if (operand.part().equals("toolkit")) {
            Map.of("CDI_ENABLED", "true", "NVIDIA_RUNTIME_SET_AS_DEFAULT", "false", "NVIDIA_CONTAINER_RUNTIME_MODE",
                    "cdi", "CRIO_CONFIG_MODE", "config").entrySet().stream().sorted(Map.Entry.comparingByKey())
                    .forEach(entry -> env.addObject().put("name", entry.getKey()).put("value", entry.getValue()));
        }
        if (operand.name().equals("nvidia-device-plugin-daemonset")) {
            env.addObject().put("name", "DEVICE_LIST_STRATEGY").put("value", "cdi-annotations,cdi-cri");
        }
    }

    private static void put(ArrayNode env, JsonNode variable) {
        for (int i = 0; i < env.size(); i++) {
            if (env.get(i).path("name").equals(variable.path("name"))) {
                env.set(i, variable.deepCopy());
                return;
            }
        }
        env.add(variable.deepCopy());
    }

    private void validations(ObjectNode pod) {
        for (String component : List.of("driver", "toolkit", "cuda", "plugin")) {
            for (JsonNode container : pod.path("initContainers")) {
                if (container.path("name").asText().equals(component + "-validation")) {
                    spec.at("/validator/" + component + "/env").forEach(variable ->
                            put(((ObjectNode) container).withArrayProperty("env"), variable));
                }
            }
        }
    }

    private void toolkitWait(ObjectNode pod) {
        ObjectNode wait = operands.common("toolkitWait");
        pod.withArrayProperty("initContainers").insert(0, wait.path("container"));
        pod.withArrayProperty("volumes").add(wait.path("volume"));
    }

    private void sharing(ObjectNode pod) {
        ObjectNode sharing = operands.common("sharing");
        ObjectNode once = ((ObjectNode) sharing.path("container")).deepCopy()
                .put("name", sharing.path("init").asText());
        once.withArrayProperty("env").addObject().put("name", "ONESHOT").put("value", "true");
        pod.withArrayProperty("initContainers").add(once);
        ObjectNode always = ((ObjectNode) sharing.path("container")).deepCopy()
                .put("name", sharing.path("sidecar").asText());
        always.withArrayProperty("env").addObject().put("name", "ONESHOT").put("value", "false");
        for (JsonNode container : pod.path("containers")) {
            ((ObjectNode) container).withArrayProperty("env").addObject().put("name", "CONFIG_FILE")
                    .put("value", "/config/config.yaml");
            ((ObjectNode) container).withArrayProperty("volumeMounts").addObject().put("name", CONFIG_VOLUME)
                    .put("mountPath", "/config");
        }
        pod.withArrayProperty("containers").add(always);
        pod.put("shareProcessNamespace", true);
        ArrayNode volumes = pod.withArrayProperty("volumes");
        volumes.addObject().put("name", values.get("sharingName")).putObject("configMap")
                .put("name", values.get("sharingName"));
        volumes.addObject().put("name", CONFIG_VOLUME).putObject("emptyDir");
    }

    /** A list of package sources of one's own. */
    private void repositories(ObjectNode pod) {
        String map = spec.at("/driver/repoConfig/configMapName").asText("");
        if (!map.isEmpty()) {
            mount(pod, "repo-config", map, "/etc/apt/sources.list.d");
        }
    }

    private void metricList(ObjectNode pod) {
        String map = spec.at("/dcgmExporter/config/name").asText("");
        if (!map.isEmpty()) {
            mount(pod, "metrics-config", map, "/etc/dcgm-exporter/custom");
        }
    }

    private static void mount(ObjectNode pod, String volume, String map, String path) {
        pod.withArrayProperty("volumes").addObject().put("name", volume).putObject("configMap").put("name", map);
        ((ObjectNode) pod.path("containers").path(0)).withArrayProperty("volumeMounts").addObject()
                .put("name", volume).put("mountPath", path).put("readOnly", true);
    }

    private JsonNode filled(JsonNode node, String driverSuffix) {
        return switch (node) {
            case ObjectNode object -> {
                ObjectNode copy = Json.object();
                object.properties().forEach(field -> copy.set(field.getKey(), filled(field.getValue(), driverSuffix)));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = array.arrayNode();
                array.forEach(item -> copy.add(filled(item, driverSuffix)));
                yield copy;
            }
            case TextNode text -> TextNode.valueOf(filled(text.textValue(), driverSuffix));
            default -> node.deepCopy();
        };
    }

    private String filled(String text, String driverSuffix) {
        if (text.startsWith("@")) {
            return images.of(text.substring(1), driverSuffix);
        }
        String filled = text;
        for (Map.Entry<String, String> value : values.entrySet()) {
            filled = filled.replace("{" + value.getKey() + "}", value.getValue());
        }
        return filled;
    }

    /** What of the driver's section makes another driver; how it is rolled out does not. */
    private static JsonNode driver(JsonNode spec) {
        ObjectNode driver = Json.object();
        spec.path("driver").properties().stream().filter(field -> !ROLL_OUT.contains(field.getKey()))
                .forEach(field -> driver.set(field.getKey(), field.getValue()));
        return driver;
    }

    private static String digest(JsonNode node) {
        CRC32 sum = new CRC32();
        sum.update(node.toString().getBytes(StandardCharsets.UTF_8));
        return Long.toString(sum.getValue());
    }
}
