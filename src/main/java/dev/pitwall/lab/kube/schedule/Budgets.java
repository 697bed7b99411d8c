package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.KnownObjects;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Selector;
import dev.pitwall.lab.kube.schedule.NodeLoad.Held;
import dev.pitwall.lab.kube.store.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which pods of a node could not leave without breaking a PodDisruptionBudget. */
final class Budgets {
    private final List<Budget> budgets = new ArrayList<>();

    private record Budget(ObjectKey key, Selector selector, int allowed, Set<String> disrupted) {
        boolean covers(PodFacts pod) {
            return key.namespace().equals(pod.key().namespace()) && !pod.labels().isEmpty()
                    && selector.test(pod.labels()) && !disrupted.contains(pod.key().name());
        }
    }

    Budgets(KnownObjects objects) {
        for (Item item : objects.all(ControlPlane.BUDGETS)) {
            // For the scheduler an empty selector takes nothing, unlike for the eviction API.
            if (!item.tree().at("/spec/selector").isEmpty()) {
                Set<String> disrupted = new LinkedHashSet<>();
                item.tree().at("/status/disruptedPods").fieldNames().forEachRemaining(disrupted::add);
                budgets.add(new Budget(item.key(), Selector.of(item.tree().at("/spec/selector")),
                        item.tree().at("/status/disruptionsAllowed").asInt(0), disrupted));
            }
        }
    }

    /** Those of the pods, the more important first, whose leaving would be one too many. */
    Set<Held> broken(List<Held> pods) {
        Map<ObjectKey, Integer> left = new HashMap<>();
        Set<Held> broken = new LinkedHashSet<>();
        for (Held held : pods) {
            for (Budget budget : budgets) {
                if (budget.covers(held.pod())
                        && left.merge(budget.key(), budget.allowed() - 1, (before, first) -> before - 1) < 0) {
                    broken.add(held);
                }
            }
        }
        return broken;
    }
}
