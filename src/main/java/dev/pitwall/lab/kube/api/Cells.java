package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pitwall.lab.kube.api.ResourceType.Column;

import dev.pitwall.lab.kube.object.Conditions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Values of table columns. A formula is what Kubernetes' printers compute where no single field holds the value. */
final class Cells {
    private static final String NONE = "<none>";
    private static final String ROLE = "node-role.kubernetes.io/";

    @FunctionalInterface
    private interface Formula {
        JsonNode of(JsonNode object, Instant now);
    }

    private final Map<String, Formula> formulas = Map.ofEntries(
            text("none", (object, now) -> NONE),
            text("age", (object, now) -> Ages.since(object.at("/metadata/creationTimestamp").asText(), now)),
            text("podReady", (pod, now) -> new PodCells(pod, now).ready()),
            text("podStatus", (pod, now) -> new PodCells(pod, now).status()),
            text("podRestarts", (pod, now) -> new PodCells(pod, now).restarts()),
            text("nodeStatus", (node, now) -> nodeStatus(node)),
            text("nodeRoles", (node, now) -> nodeRoles(node)),
            text("nodeInternalIp", (node, now) -> firstWith(node.at("/status/addresses"), "type", "InternalIP")
                    .path("address").asText(NONE)),
            text("servicePorts", (service, now) -> ports(service.at("/spec/ports"))),
            text("serviceSelector", (service, now) -> pairs(service.at("/spec/selector"))),
            text("endpointAddresses", (endpoints, now) -> endpointAddresses(endpoints)),
            text("slicePorts", (slice, now) -> join(slice.path("ports"), port -> port.path("port").asText())),
            text("sliceAddresses", (slice, now) -> join(slice.path("endpoints"),
                    endpoint -> endpoint.at("/addresses/0").asText())),
            number("dataCount", object -> object.path("data").size() + object.path("binaryData").size()),
            number("secretCount", object -> object.path("secrets").size()),
            number("webhookCount", object -> object.path("webhooks").size()),
            text("eventLastSeen", (event, now) -> Ages.since(event.path("lastTimestamp").asText(), now)),
            text("eventObject", (event, now) -> event.at("/involvedObject/kind").asText().toLowerCase(Locale.ROOT) + "/" + event.at("/involvedObject/name").asText()),
            text("quotaRequests", (quota, now) -> quota(quota, false)),
            text("quotaLimits", (quota, now) -> quota(quota, true)),
            text("phase", (object, now) -> object.path("metadata").has("deletionTimestamp") ? "Terminating"
                    : object.at("/status/phase").asText("")),
            text("claimVolume", (claim, now) -> claim.at("/spec/volumeName").asText("")),
            text("claimCapacity", (claim, now) -> ofBound(claim, claim.at("/status/capacity/storage").asText(""))),
            text("claimModes", (claim, now) -> ofBound(claim, accessModes(claim.at("/status/accessModes")))),
            text("volumeModes", (volume, now) -> accessModes(volume.at("/spec/accessModes"))),
            text("volumeClaim", (volume, now) -> volume.at("/spec/claimRef").isObject()
                    ? volume.at("/spec/claimRef/namespace").asText() + "/" + volume.at("/spec/claimRef/name").asText()
                    : ""),
            text("volumeReason", (volume, now) -> volume.at("/status/reason").asText("")),
            text("volumeMode", (object, now) -> object.at("/spec/volumeMode").asText("<unset>")),
            text("storageClass", (object, now) -> object.at("/spec/storageClassName").asText("")),
            text("attributesClass", (object, now) -> object.at("/spec/volumeAttributesClassName").asText("<unset>")),
            text("expands", (found, now) -> Boolean.toString(found.path("allowVolumeExpansion").asBoolean())),
            number("daemonUpdated", set -> set.at("/status/updatedNumberScheduled").asInt()),
            number("daemonAvailable", set -> set.at("/status/numberAvailable").asInt()),
            text("nodeSelector", (set, now) -> pairs(set.at("/spec/template/spec/nodeSelector"))),
            text("templateContainers", (owner, now) -> join(owner.at("/spec/template/spec/containers"),
                    container -> container.path("name").asText())),
            text("templateImages", (owner, now) -> join(owner.at("/spec/template/spec/containers"),
                    container -> container.path("image").asText())),
            text("workloadSelector", (owner, now) -> pairs(owner.at("/spec/selector/matchLabels"))),
            text("replicasReady", (owner, now) -> owner.at("/status/readyReplicas").asInt() + "/"
                    + owner.at("/spec/replicas").asInt()),
            number("replicasUpdated", owner -> owner.at("/status/updatedReplicas").asInt()),
            number("replicasAvailable", owner -> owner.at("/status/availableReplicas").asInt()),
            number("readyReplicas", owner -> owner.at("/status/readyReplicas").asInt()),
            text("jobStatus", (job, now) -> jobStatus(job)),
            text("jobCompletions", (job, now) -> job.at("/status/succeeded").asInt() + "/"
                    + job.at("/spec/completions").asInt(1)),
            text("jobDuration", (job, now) -> jobDuration(job, now)),
            number("cronActive", cron -> cron.at("/status/active").size()),
            text("cronLast", (cron, now) -> cron.at("/status").has("lastScheduleTime")
                    ? Ages.since(cron.at("/status/lastScheduleTime").asText(), now) : NONE),
            text("boundRole", (binding, now) -> binding.at("/roleRef/kind").asText() + "/"
                    + binding.at("/roleRef/name").asText()),
            text("ingressHosts", (ingress, now) -> {
                String hosts = join(ingress.at("/spec/rules"), rule -> rule.path("host").asText("*"));
                return hosts.equals(NONE) ? "*" : hosts;
            }),
            text("policySelector", (policy, now) -> pairs(policy.at("/spec/podSelector/matchLabels"))),
            text("minAvailable", (budget, now) -> budget.at("/spec/minAvailable").asText("N/A")),
            text("maxUnavailable", (budget, now) -> budget.at("/spec/maxUnavailable").asText("N/A")));

    JsonNode value(Column column, JsonNode object, Instant now) {
        if (column.value().startsWith("/")) {
            JsonNode found = object.at(column.value());
            boolean absent = found.isMissingNode() || found.isNull();
            return absent ? TextNode.valueOf(column.type().equals("string") ? NONE : "") : found;
        }
        if (column.value().startsWith(".")) {
            return custom(column, object, now);
        }
        Formula formula = formulas.get(column.value());
        if (formula == null) {
            throw new IllegalStateException("the catalogue names a formula that is not there: " + column.value());
        }
        return formula.of(object, now);
    }

    /** A column of a custom resource: nothing is printed for what is not there, and a date is an age. */
    private static JsonNode custom(Column column, JsonNode object, Instant now) {
        return JsonPath.first(object, column.value()).map(value -> switch (column.type()) {
            case "date" -> TextNode.valueOf(Ages.since(value.asText(), now));
            case "string" -> TextNode.valueOf(value.isValueNode() ? value.asText() : value.toString());
            default -> value;
        }).orElse(NullNode.getInstance());
    }

    /** Names of all formulas, so that a test can hold the catalogue against them. */
    Set<String> names() {
        return formulas.keySet();
    }

    @FunctionalInterface
    private interface TextFormula {
        String of(JsonNode object, Instant now);
    }

    @FunctionalInterface
    private interface NumberFormula {
        int of(JsonNode object);
    }

    private static Map.Entry<String, Formula> text(String name, TextFormula formula) {
        return Map.entry(name, (object, now) -> TextNode.valueOf(formula.of(object, now)));
    }

    private static Map.Entry<String, Formula> number(String name, NumberFormula formula) {
        return Map.entry(name, (object, now) -> IntNode.valueOf(formula.of(object)));
    }

    private static String nodeStatus(JsonNode node) {
        boolean ready = Conditions.find(node, "Ready").path("status").asText("").equals("True");
        String cordoned = node.at("/spec/unschedulable").asBoolean() ? ",SchedulingDisabled" : "";
        return (ready ? "Ready" : "NotReady") + cordoned;
    }

    private static String nodeRoles(JsonNode node) {
        Set<String> roles = new TreeSet<>();
        node.at("/metadata/labels").properties().forEach(label -> {
            if (label.getKey().startsWith(ROLE) && label.getKey().length() > ROLE.length()) {
                roles.add(label.getKey().substring(ROLE.length()));
            }
        });
        return roles.isEmpty() ? NONE : String.join(",", roles);
    }

    /** What is said of a claim only once it has a volume. */
    private static String ofBound(JsonNode claim, String text) {
        return claim.at("/spec/volumeName").asText("").isEmpty() ? "" : text;
    }

    private static String accessModes(JsonNode modes) {
        return StreamSupport.stream(modes.spliterator(), false).map(mode -> switch (mode.asText()) {
            case "ReadWriteOnce" -> "RWO";
            case "ReadOnlyMany" -> "ROX";
            case "ReadWriteMany" -> "RWX";
            case "ReadWriteOncePod" -> "RWOP";
            default -> "";
        }).collect(Collectors.joining(","));
    }

    private static String ports(JsonNode ports) {
        return join(ports, port -> port.path("port").asText()
                + (port.has("nodePort") ? ":" + port.path("nodePort").asText() : "")
                + "/" + port.path("protocol").asText("TCP"));
    }

    /** At most three addresses, as kubectl has it. */
    private static String endpointAddresses(JsonNode endpoints) {
        List<String> found = new ArrayList<>();
        for (JsonNode subset : endpoints.path("subsets")) {
            for (JsonNode port : subset.path("ports")) {
                subset.path("addresses").forEach(address ->
                        found.add(address.path("ip").asText() + ":" + port.path("port").asText()));
            }
        }
        if (found.isEmpty()) {
            return NONE;
        }
        String shown = found.stream().limit(3).collect(Collectors.joining(","));
        return found.size() > 3 ? shown + " + " + (found.size() - 3) + " more..." : shown;
    }

    private static String quota(JsonNode quota, boolean limits) {
        StringJoiner text = new StringJoiner(", ");
        quota.at("/status/hard").properties().forEach(hard -> {
            if (hard.getKey().startsWith("limits.") == limits) {
                text.add(hard.getKey() + ": " + quota.at("/status/used").path(hard.getKey()).asText("0") + "/"
                        + hard.getValue().asText());
            }
        });
        return text.toString();
    }

    private static String jobStatus(JsonNode job) {
        for (String outcome : List.of("Complete", "Failed", "Suspended")) {
            if (Conditions.find(job, outcome).path("status").asText("").equals("True")) {
                return outcome;
            }
        }
        return "Running";
    }

    private static String jobDuration(JsonNode job, Instant now) {
        if (!job.at("/status").has("startTime")) {
            return "";
        }
        Instant start = Instant.parse(job.at("/status/startTime").asText());
        String end = job.at("/status/completionTime").asText("");
        return Ages.text(Duration.between(start, end.isEmpty() ? now : Instant.parse(end)));
    }

    private static JsonNode firstWith(JsonNode list, String field, String value) {
        return StreamSupport.stream(list.spliterator(), false)
                .filter(entry -> entry.path(field).asText().equals(value)).findFirst()
                .orElse(MissingNode.getInstance());
    }

    private static String pairs(JsonNode labels) {
        String text = labels.properties().stream()
                .map(label -> label.getKey() + "=" + label.getValue().asText()).collect(Collectors.joining(","));
        return text.isEmpty() ? NONE : text;
    }

    private static String join(JsonNode list, Function<JsonNode, String> each) {
        String text = StreamSupport.stream(list.spliterator(), false).map(each).collect(Collectors.joining(","));
        return text.isEmpty() ? NONE : text;
    }
}
