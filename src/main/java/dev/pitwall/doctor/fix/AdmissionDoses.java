package dev.pitwall.doctor.fix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.read.Quantity;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Doses for pods that are refused before they exist, told by the events of those who would make them. */
final class AdmissionDoses {
    private static final String DEFAULTS = "pitwall-defaults";
    private static final ObjectType REPLICA_SET = ObjectType.namespaced("apps", "v1", "replicasets", "ReplicaSet");
    private static final Map<String, ObjectType> MAKERS = List.of(ObjectType.DEPLOYMENT, ObjectType.DAEMON_SET, REPLICA_SET,
            ObjectType.namespaced("apps", "v1", "statefulsets", "StatefulSet")).stream()
            .collect(Collectors.toMap(ObjectType::kind, Function.identity()));

    private final Patient patient;

    AdmissionDoses(Patient patient) {
        this.patient = patient;
    }

    /** Whoever makes the refused pods, as the event names it. */
    private List<JsonNode> refused(String says) throws TroubleException, InterruptedException {
        return patient.cluster().picked(ObjectType.EVENT, "", "type=Warning").stream()
                .filter(e -> e.path("message").asText().contains(says)).map(e -> e.path("involvedObject")).toList();
    }

    /** Of the namespaces with a quota for requests in which creations fail for want of them. */
    List<Change> defaultRequests() throws TroubleException, InterruptedException {
        Set<String> namespaces = new TreeSet<>();
        refused("must specify").forEach(maker -> namespaces.add(maker.path("namespace").asText()));
        List<Change> changes = new ArrayList<>();
        for (String namespace : namespaces) {
            ObjectRef ref = new ObjectRef(ObjectType.LIMIT_RANGE, namespace, DEFAULTS);
            if (patient.cluster().get(ref).isEmpty()) {
                changes.add(ManifestChange.making(patient.cluster().name(), ref, defaults(),
                        "default requests for pods that name none"));
            }
        }
        return changes;
    }

    /** What a small pod needs; limits high enough to stop nothing that runs today. */
    private static JsonNode defaults() {
        ObjectNode range = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "LimitRange");
        ObjectNode limit = range.putObject("spec").putArray("limits").addObject().put("type", "Container");
        limit.putObject("defaultRequest").put("cpu", "100m").put("memory", "256Mi");
        limit.putObject("default").put("cpu", "4").put("memory", "16Gi");
        return range;
    }

    /**
     * Containers that ask for less than the LimitRange of their namespace wants get its minimum, where their pods' template
     * has them. One that a webhook adds later is not in any template, and is left to whoever adds it.
     */
    List<Change> leastRequests() throws TroubleException, InterruptedException {
        Map<String, Change> changes = new LinkedHashMap<>();
        for (JsonNode maker : refused("minimum ")) {
            Optional<ObjectRef> ref = template(maker);
            Optional<JsonNode> object = ref.isEmpty() ? Optional.empty() : patient.cluster().get(ref.get());
            if (object.isPresent() && !changes.containsKey(ref.get().toString())) {
                JsonNode now = object.get().at("/spec/template/spec/containers");
                ArrayNode raised = raised(now, floors(ref.get().namespace()));
                if (!raised.equals(now)) {
                    changes.put(ref.get().toString(), ManifestChange.setting(patient.cluster().name(), ref.get(), object.get(),
                            containers(raised), Risk.RESTARTS_PODS, "requests at the namespace's minimum"));
                }
            }
        }
        return List.copyOf(changes.values());
    }

    /** The Deployment above a ReplicaSet; else the maker itself, if it has a template that may be changed. */
    private Optional<ObjectRef> template(JsonNode maker) throws TroubleException, InterruptedException {
        Optional<ObjectType> type = Optional.ofNullable(MAKERS.get(maker.path("kind").asText()));
        if (type.isEmpty()) {
            return Optional.empty();
        }
        String namespace = maker.path("namespace").asText();
        ObjectRef ref = new ObjectRef(type.get(), namespace, maker.path("name").asText());
        Optional<String> above = type.get().equals(REPLICA_SET) ? patient.cluster().get(ref).flatMap(set ->
                set.at("/metadata/ownerReferences").valueStream().filter(o -> o.path("kind").asText().equals("Deployment"))
                        .map(o -> o.path("name").asText()).findFirst()) : Optional.empty();
        return Optional.of(above.map(name -> new ObjectRef(ObjectType.DEPLOYMENT, namespace, name)).orElse(ref));
    }

    /** The highest minimum for a container of each resource, as it is written. */
    private Map<String, String> floors(String namespace) throws TroubleException, InterruptedException {
        Map<String, String> floors = new LinkedHashMap<>();
        patient.cluster().list(ObjectType.LIMIT_RANGE, namespace, "").stream().flatMap(r -> r.at("/spec/limits").valueStream())
                .filter(limit -> limit.path("type").asText().equals("Container"))
                .forEach(limit -> limit.path("min").properties().forEach(least ->
                        floors.merge(least.getKey(), least.getValue().asText(), (one, other) -> less(one, other) ? other : one)));
        return floors;
    }

    private static boolean less(String one, String other) {
        Optional<BigDecimal> left = Quantity.of(one);
        Optional<BigDecimal> right = Quantity.of(other);
        return left.isPresent() && right.isPresent() && left.get().compareTo(right.get()) < 0;
    }

    private static ArrayNode raised(JsonNode containers, Map<String, String> floors) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        containers.forEach(container -> {
            ObjectNode copy = container.deepCopy();
            for (String part : List.of("requests", "limits")) {
                floors.forEach((resource, least) -> {
                    if (less(copy.path("resources").path(part).path(resource).asText(""), least)) {
                        copy.withObject("/resources/" + part).put(resource, least);
                    }
                });
            }
            all.add(copy);
        });
        return all;
    }

    private static JsonNode containers(ArrayNode containers) {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.putObject("spec").putObject("template").putObject("spec").set("containers", containers);
        return fields;
    }
}
