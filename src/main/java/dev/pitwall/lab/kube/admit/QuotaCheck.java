package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.Containers;
import dev.pitwall.lab.kube.object.Quantities;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Holds new objects against the namespace's ResourceQuotas. */
final class QuotaCheck implements Admission {
    /** A quota on one of these wants every container to say what it takes. */
    private static final Set<String> STATED = Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu",
            "limits.memory");

    private final ObjectStore store;
    private final QuotaUsage usage;

    QuotaCheck(ObjectStore store) {
        this.store = store;
        this.usage = new QuotaUsage(store);
    }

    @Override
    public void admit(Request request) {
        if (request.operation() != Operation.CREATE || request.namespace().isEmpty()
                || !request.subresource().isEmpty()) {
            return;
        }
        boolean pod = Pods.isNew(request);
        for (StoredObject quota : store.list(Resource.QUOTAS, request.namespace()).objects()) {
            ObjectNode body = quota.copy();
            if (pod ? QuotaUsage.inScope(body, request.object()) : isUnscoped(body)) {
                check(request, quota, body, pod);
            }
        }
    }

    private static boolean isUnscoped(JsonNode quota) {
        return quota.at("/spec/scopes").isEmpty() && quota.at("/spec/scopeSelector").isMissingNode();
    }

    private void check(Request request, StoredObject quota, ObjectNode body, boolean pod) {
        JsonNode hard = body.at("/spec/hard");
        if (pod) {
            requireStated(request, quota.key().name(), hard);
        }
        Map<String, BigDecimal> asked = new TreeMap<>();
        QuotaUsage.of(request.resource(), request.object()).forEach((name, amount) -> {
            if (hard.has(name) && amount.signum() > 0) {
                asked.put(name, amount);
            }
        });
        if (asked.isEmpty()) {
            return;
        }
        Map<String, BigDecimal> used = usage.used(request.namespace(), body);
        List<String> over = asked.keySet().stream().filter(name ->
                used.get(name).add(asked.get(name)).compareTo(Quantities.of(hard.path(name))) > 0).toList();
        if (!over.isEmpty()) {
            throw Pods.forbidden(request, "exceeded quota: " + quota.key().name()
                    + ", requested: " + list(over, name -> Quantities.text(name, asked.get(name)))
                    + ", used: " + list(over, name -> Quantities.text(name, used.get(name)))
                    + ", limited: " + list(over, name -> hard.path(name).asText()));
        }
        Map<String, BigDecimal> after = new LinkedHashMap<>(used);
        asked.forEach((name, amount) -> after.merge(name, amount, BigDecimal::add));
        usage.write(quota.key(), body, after);
    }

    private static String list(List<String> names, UnaryOperator<String> amount) {
        return names.stream().map(name -> name + "=" + amount.apply(name)).collect(Collectors.joining(","));
    }

    private static void requireStated(Request request, String quota, JsonNode hard) {
        Map<String, List<String>> missing = new TreeMap<>();
        Set<String> names = new TreeSet<>();
        hard.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            if (STATED.contains(name)) {
                String field = name.startsWith("limits.") ? "limits" : "requests";
                String resource = name.substring(name.indexOf('.') + 1);
                Containers.of(request.object().path("spec")).stream()
                        .filter(container -> !container.path("resources").path(field).has(resource))
                        .forEach(container -> missing.computeIfAbsent(name, n -> new ArrayList<>())
                                .add(container.path("name").asText()));
            }
        }
        if (!missing.isEmpty()) {
            throw Pods.forbidden(request, "failed quota: " + quota + ": must specify " + missing.entrySet().stream()
                    .map(entry -> entry.getKey() + " for: " + String.join(",", entry.getValue()))
                    .collect(Collectors.joining("; ")));
        }
    }
}
