package dev.pitwall.lab.kube.control.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.EventRecorder.Source;
import dev.pitwall.lab.kube.control.EventRecorder.Subject;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.Selector;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Says how many pods of each PodDisruptionBudget may be evicted now. Pods that no budget is about cost one look.
 * [kubernetes: pkg/controller/disruption/disruption.go]
 */
public final class Budgets implements Controller {
    /** So long an eviction that was allowed counts though its pod is still there ({@code DeletionTimeout}). */
    private static final Duration EVICTION = Duration.ofMinutes(2);

    private final ControlPlane plane;
    private final ClusterHand hand;
    private final Expectation expectation;
    private final WorkQueue queue = new WorkQueue();
    private final Map<String, Map<ObjectKey, Selector>> selectors = new HashMap<>();

    public Budgets(ControlPlane plane) {
        this.plane = plane;
        this.hand = plane.as("disruption-controller").hand();
        this.expectation = new Expectation(plane);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.BUDGETS, Resource.PODS, Resource.DEPLOYMENTS, Resource.REPLICA_SETS,
                Resource.STATEFUL_SETS);
    }

    private Map<ObjectKey, Selector> in(String namespace) {
        return selectors.getOrDefault(namespace, new HashMap<>());
    }

    @Override
    public void gone(StoredObject object) {
        ObjectKey key = object.key();
        if (key.resource().equals(Resource.BUDGETS)) {
            in(key.namespace()).remove(key);
        } else if (key.resource().equals(Resource.PODS)) {
            podChanged();
        }
    }

    @Override
    public void seen(StoredObject object) {
        ObjectKey key = object.key();
        if (key.resource().equals(Resource.PODS)) {
            podChanged();
        } else if (key.resource().equals(Resource.BUDGETS)) {
            plane.objects().find(key).ifPresent(item -> selectors.computeIfAbsent(key.namespace(),
                    n -> new LinkedHashMap<>()).put(key, Selector.of(item.tree().at("/spec/selector"))));
            queue.add(key);
        } else if (expectation.hasChanged(key)) {
            in(key.namespace()).keySet().forEach(queue::add);
        }
    }

    private void podChanged() {
        Pods.News news = plane.pods().news();
        Map<ObjectKey, Selector> budgets = in(news.last().key().namespace());
        if (!budgets.isEmpty() && differ(news)) {
            budgets.forEach((key, selector) -> {
                if (news.before().filter(pod -> selector.test(pod.labels())).isPresent()
                        || news.now().filter(pod -> selector.test(pod.labels())).isPresent()) {
                    queue.add(key);
                }
            });
        }
    }

    private static boolean differ(Pods.News news) {
        if (news.before().isEmpty() || news.now().isEmpty()) {
            return true;
        }
        PodFacts before = news.before().get();
        PodFacts now = news.now().get();
        return before.ready() != now.ready() || before.isDone() != now.isDone()
                || before.deletion().isPresent() != now.deletion().isPresent()
                || !before.labels().equals(now.labels()) || !before.ownerUid().equals(now.ownerUid());
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, this::sync);
    }

    private void sync(ObjectKey key, Instant now) {
        Optional<Item> found = plane.objects().find(key);
        if (found.isEmpty()) {
            return;
        }
        Item budget = found.get();
        Selector selector = in(key.namespace()).getOrDefault(key, Selector.of(budget.tree().at("/spec/selector")));
        List<PodFacts> pods = plane.pods().in(key.namespace()).stream()
                .filter(pod -> selector.test(pod.labels())).toList();
        if (pods.isEmpty()) {
            event(budget, Type.Normal, "NoPods", "No matching pods found", now);
        }
        switch (expectation.of(budget, pods)) {
            case Expectation.Known known -> write(budget, pods, known, now);
            case Expectation.Failure failure -> {
                event(budget, Type.Warning, "CalculateExpectedPodCountFailed",
                        "Failed to calculate the number of expected pods: " + failure.why(), now);
                fail(budget, failure, now);
            }
        }
    }

    private void write(Item budget, List<PodFacts> pods, Expectation.Known wanted, Instant now) {
        Map<String, Instant> disrupted = disrupted(budget, pods, now);
        disrupted.values().stream().min(Instant::compareTo)
                .ifPresent(since -> queue.at(budget.key(), since.plus(EVICTION).plusSeconds(1)));
        int healthy = (int) pods.stream().filter(pod -> pod.ready() && pod.deletion().isEmpty()
                && !disrupted.containsKey(pod.key().name())).count();
        int allowed = wanted.pods() <= 0 ? 0 : Math.max(0, healthy - wanted.healthy());
        hand.status(budget.key(), object -> {
            ObjectNode status = object.withObjectProperty("status");
            if (disrupted.isEmpty()) {
                status.remove("disruptedPods");
            } else {
                ObjectNode entries = status.putObject("disruptedPods");
                disrupted.forEach((pod, since) -> entries.put(pod, since.toString()));
            }
            status.put("observedGeneration", budget.tree().at("/metadata/generation").asLong())
                    .put("currentHealthy", healthy).put("desiredHealthy", wanted.healthy())
                    .put("expectedPods", wanted.pods()).put("disruptionsAllowed", allowed);
            condition(object, budget, allowed > 0 ? "True" : "False",
                    allowed > 0 ? "SufficientPods" : "InsufficientPods", "", now);
        });
    }

    /** Nothing may be evicted while it is not known how many there ought to be. */
    private void fail(Item budget, Expectation.Failure failure, Instant now) {
        hand.status(budget.key(), object -> {
            object.withObjectProperty("status").put("disruptionsAllowed", 0);
            for (String count : List.of("currentHealthy", "desiredHealthy", "expectedPods")) {
                if (!object.path("status").has(count)) {
                    ((ObjectNode) object.path("status")).put(count, 0);
                }
            }
            condition(object, budget, "False", "SyncFailed", failure.why(), now);
        });
    }

    private static void condition(ObjectNode object, Item budget, String status, String reason, String message,
                                  Instant now) {
        Conditions.set(object, new Conditions.Condition("DisruptionAllowed", status, reason, message), now)
                .put("message", message)
                .put("observedGeneration", budget.tree().at("/metadata/generation").asLong());
    }

    /** Evictions that were allowed and whose pods are not gone yet; one that is given up after two minutes is not one. */
    private static Map<String, Instant> disrupted(Item budget, List<PodFacts> pods, Instant now) {
        Map<String, Instant> still = new TreeMap<>();
        JsonNode before = budget.tree().at("/status/disruptedPods");
        for (PodFacts pod : pods) {
            JsonNode since = before.path(pod.key().name());
            if (since.isTextual() && pod.deletion().isEmpty()
                    && Instant.parse(since.asText()).plus(EVICTION).isAfter(now)) {
                still.put(pod.key().name(), Instant.parse(since.asText()));
            }
        }
        return still;
    }

    private void event(Item budget, Type type, String reason, String message, Instant now) {
        plane.events().record(new Subject(budget.object(), "policy/v1", "PodDisruptionBudget"),
                Source.of("controllermanager"), type, reason, message, now);
    }
}
