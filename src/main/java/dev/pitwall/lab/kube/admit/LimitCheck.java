package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.Containers;
import dev.pitwall.lab.kube.object.PodResources;
import dev.pitwall.lab.kube.object.Quantities;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Holds pods and volume claims against a namespace's LimitRanges. */
final class LimitCheck implements Admission {
    private final ObjectStore store;

    LimitCheck(ObjectStore store) {
        this.store = store;
    }

    @Override
    public void admit(Request request) {
        boolean claim = request.resource().equals(Resource.VOLUME_CLAIMS) && request.operation() == Operation.CREATE;
        if (!claim && !Pods.isNew(request)) {
            return;
        }
        List<String> problems = new ArrayList<>();
        for (StoredObject range : store.list(Resource.LIMIT_RANGES, request.namespace()).objects()) {
            for (JsonNode limit : range.tree().at("/spec/limits")) {
                check(request, limit, claim, problems);
            }
        }
        if (!problems.isEmpty()) {
            throw Pods.forbidden(request, problems.size() == 1 ? problems.getFirst()
                    : "[" + String.join(", ", problems) + "]");
        }
    }

    private static void check(Request request, JsonNode limit, boolean claim, List<String> problems) {
        JsonNode spec = request.object().path("spec");
        switch (limit.path("type").asText()) {
            case "Container" -> {
                if (!claim) {
                    Containers.of(spec).forEach(container -> amounts(limit, "Container",
                            container.at("/resources/requests"), container.at("/resources/limits"), problems));
                }
            }
            case "Pod" -> {
                if (!claim) {
                    amounts(limit, "Pod", list(PodResources.requests(spec)), list(PodResources.limits(spec)), problems);
                }
            }
            case "PersistentVolumeClaim" -> {
                if (claim) {
                    JsonNode asked = spec.at("/resources/requests");
                    amounts(limit, "PersistentVolumeClaim", asked, asked, problems);
                }
            }
            default -> { }
        }
    }

    private static JsonNode list(Map<String, BigDecimal> amounts) {
        ObjectNode list = Json.object();
        amounts.forEach((name, amount) -> list.put(name, Quantities.text(name, amount)));
        return list;
    }

    private static void amounts(JsonNode limit, String what, JsonNode requests, JsonNode limits,
                                List<String> problems) {
        limit.path("min").properties().forEach(entry -> {
            String head = "minimum " + entry.getKey() + " usage per " + what + " is " + entry.getValue().asText();
            JsonNode asked = requests.path(entry.getKey());
            if (asked.isMissingNode()) {
                problems.add(head + ".  No request is specified");
            } else if (Quantities.of(asked).compareTo(Quantities.of(entry.getValue())) < 0) {
                problems.add(head + ", but request is " + asked.asText());
            }
        });
        limit.path("max").properties().forEach(entry -> {
            String head = "maximum " + entry.getKey() + " usage per " + what + " is " + entry.getValue().asText();
            JsonNode most = limits.path(entry.getKey());
            if (most.isMissingNode()) {
                problems.add(head + ".  No limit is specified");
            } else if (Quantities.of(most).compareTo(Quantities.of(entry.getValue())) > 0) {
                problems.add(head + ", but limit is " + most.asText());
            }
        });
        limit.path("maxLimitRequestRatio").properties().forEach(entry ->
                ratio(entry.getKey(), entry.getValue(), what, requests, limits, problems));
    }

    private static void ratio(String name, JsonNode most, String what, JsonNode requests, JsonNode limits,
                              List<String> problems) {
        BigDecimal request = Quantities.of(requests.path(name));
        BigDecimal limit = Quantities.of(limits.path(name));
        if (request.signum() == 0 || limit.signum() == 0) {
            return;
        }
        BigDecimal is = limit.divide(request, 6, RoundingMode.HALF_UP);
        if (is.compareTo(Quantities.of(most)) > 0) {
            problems.add(name + " max limit to request ratio per " + what + " is " + most.asText()
                    + ", but provided ratio is " + is);
        }
    }
}
