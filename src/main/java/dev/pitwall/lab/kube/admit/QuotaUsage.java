package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.PodLife;
import dev.pitwall.lab.kube.object.PodResources;
import dev.pitwall.lab.kube.object.QosClass;
import dev.pitwall.lab.kube.object.Quantities;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * How much of a ResourceQuota is used, counted from the objects that are there. A pod counts until it has ended, bound or
 * not (facts: cluster.md 7.2). Safe for any number of threads.
 */
public final class QuotaUsage {
    private static final String STORAGE = "requests.storage";
    private static final Set<String> PLAIN = Set.of("cpu", "memory", "ephemeral-storage");
    /** Objects that a quota may count by their bare name. */
    private static final Set<String> COUNTED = Set.of("services", "secrets", "configmaps", "persistentvolumeclaims",
            "replicationcontrollers", "resourcequotas");

    private final ObjectStore store;

    public QuotaUsage(ObjectStore store) {
        this.store = store;
    }

    /** Writes into every quota of a namespace what is used now. */
    public void refresh(String namespace) {
        for (StoredObject quota : store.list(Resource.QUOTAS, namespace).objects()) {
            ObjectNode body = quota.copy();
            write(quota.key(), body, used(namespace, body));
        }
    }

    void write(ObjectKey key, ObjectNode quota, Map<String, BigDecimal> used) {
        ObjectNode status = quota.withObjectProperty("status");
        status.set("hard", quota.at("/spec/hard"));
        ObjectNode amounts = status.putObject("used");
        used.forEach((name, amount) -> amounts.put(name, Quantities.text(name, amount)));
        try {
            store.update(key, quota);
        } catch (StoreRefusal e) {
            // Changed or deleted meanwhile; whoever did that counts again.
        }
    }

    /** @return amount by each name that the quota limits */
    Map<String, BigDecimal> used(String namespace, JsonNode quota) {
        Map<String, BigDecimal> used = new TreeMap<>();
        quota.at("/spec/hard").fieldNames().forEachRemaining(name -> used.put(name, BigDecimal.ZERO));
        store.list(Resource.PODS, namespace).objects().forEach(pod -> {
            JsonNode body = pod.tree();
            if (!PodLife.isOver(body) && inScope(quota, body)) {
                add(used, ofPod(body.path("spec")));
            }
        });
        for (String name : used.keySet()) {
            counted(name).filter(resource -> !name.equals(STORAGE) && !resource.equals(Resource.PODS))
                    .ifPresent(resource ->
                    used.put(name, BigDecimal.valueOf(store.list(resource, namespace).objects().size())));
        }
        if (used.containsKey(STORAGE)) {
            store.list(Resource.VOLUME_CLAIMS, namespace).objects().forEach(claim -> used.merge(STORAGE,
                    Quantities.of(claim.tree().at("/spec/resources/requests/storage")), BigDecimal::add));
        }
        return used;
    }

    /** The resource whose objects a quota counts under a name; empty if it counts what pods ask for. */
    public static Optional<Resource> counted(String name) {
        if (name.equals(STORAGE)) {
            return Optional.of(Resource.VOLUME_CLAIMS);
        }
        String counted = name.startsWith("count/") ? name.substring("count/".length())
                : COUNTED.contains(name) ? name : "";
        return counted.isEmpty() ? Optional.empty() : Optional.of(resource(counted));
    }

    private static Resource resource(String qualified) {
        int dot = qualified.indexOf('.');
        return dot < 0 ? Resource.core(qualified) : new Resource(qualified.substring(dot + 1),
                qualified.substring(0, dot));
    }

    private static void add(Map<String, BigDecimal> used, Map<String, BigDecimal> more) {
        more.forEach((name, amount) -> used.computeIfPresent(name, (key, sum) -> sum.add(amount)));
    }

    /** What an object would add, by the names that quotas use. */
    static Map<String, BigDecimal> of(Resource resource, JsonNode object) {
        Map<String, BigDecimal> amounts = new LinkedHashMap<>();
        if (resource.equals(Resource.PODS)) {
            amounts.putAll(ofPod(object.path("spec")));
        } else {
            amounts.put("count/" + resource.qualified(), BigDecimal.ONE);
            if (resource.group().isEmpty() && COUNTED.contains(resource.plural())) {
                amounts.put(resource.plural(), BigDecimal.ONE);
            }
        }
        if (resource.equals(Resource.VOLUME_CLAIMS)) {
            amounts.put(STORAGE, Quantities.of(object.at("/spec/resources/requests/storage")));
        }
        return amounts;
    }

    private static Map<String, BigDecimal> ofPod(JsonNode spec) {
        Map<String, BigDecimal> amounts = new LinkedHashMap<>();
        amounts.put("pods", BigDecimal.ONE);
        amounts.put("count/pods", BigDecimal.ONE);
        PodResources.requests(spec).forEach((name, amount) -> {
            amounts.put("requests." + name, amount);
            if (PLAIN.contains(name)) {
                amounts.put(name, amount);
            }
        });
        PodResources.limits(spec).forEach((name, amount) -> {
            if (PLAIN.contains(name)) {
                amounts.put("limits." + name, amount);
            }
        });
        return amounts;
    }

    /** Whether a pod is one that the quota is about. */
    static boolean inScope(JsonNode quota, JsonNode pod) {
        for (JsonNode scope : quota.at("/spec/scopes")) {
            if (!fits(scope.asText(), pod)) {
                return false;
            }
        }
        for (JsonNode term : quota.at("/spec/scopeSelector/matchExpressions")) {
            boolean fits = term.path("scopeName").asText().equals("PriorityClass")
                    ? classFits(term, pod.at("/spec/priorityClassName").asText(""))
                    : fits(term.path("scopeName").asText(), pod);
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private static boolean fits(String scope, JsonNode pod) {
        boolean terminating = pod.path("spec").has("activeDeadlineSeconds");
        boolean bestEffort = QosClass.of(pod.path("spec")) == QosClass.BestEffort;
        return switch (scope) {
            case "Terminating" -> terminating;
            case "NotTerminating" -> !terminating;
            case "BestEffort" -> bestEffort;
            case "NotBestEffort" -> !bestEffort;
            default -> true;
        };
    }

    private static boolean classFits(JsonNode term, String name) {
        boolean listed = false;
        for (JsonNode value : term.path("values")) {
            listed |= value.asText().equals(name);
        }
        return switch (term.path("operator").asText()) {
            case "In" -> listed;
            case "NotIn" -> !listed;
            case "Exists" -> !name.isEmpty();
            default -> name.isEmpty();
        };
    }
}
