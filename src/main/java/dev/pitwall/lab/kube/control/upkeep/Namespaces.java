package dev.pitwall.lab.kube.control.upkeep;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.Kinds;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.Conditions.Condition;
import dev.pitwall.lab.kube.object.Texts;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Empties namespaces that are to go, tells in their conditions what still stands in the way, and lets them go once
 * nothing does. [kubernetes: namespaced_resources_deleter.go, status_condition_utils.go]
 */
public final class Namespaces implements Controller {
    private static final String FINALIZER = "kubernetes";
    /** {@code finalizerEstimateSeconds}: how long whoever has a finalizer is given. */
    private static final long FINALIZERS_TAKE = 15;

    private final ControlPlane plane;
    private final ClusterHand hand;
    private final Kinds kinds;
    private final WorkQueue queue = new WorkQueue();

    public Namespaces(ControlPlane plane, Kinds kinds) {
        this.plane = plane;
        this.hand = plane.as("namespace-controller").hand();
        this.kinds = kinds;
    }

    /** What is left after everything was told to go. @param seconds how long it may take, at a guess */
    private record Left(Map<String, Integer> byResource, Map<String, Integer> byFinalizer, long seconds) {
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.NAMESPACES);
    }

    @Override
    public void seen(StoredObject namespace) {
        queue.add(namespace.key());
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, this::sync);
    }

    private void sync(ObjectKey key, Instant now) {
        Optional<Item> found = plane.objects().find(key).filter(Item::isLeaving);
        if (found.isEmpty() || !hasFinalizer(found.get())) {
            return;
        }
        hand.status(key, namespace -> namespace.withObjectProperty("status").put("phase", "Terminating"));
        Left left = empty(key.name(), now);
        hand.status(key, namespace -> conditions(namespace, left, now));
        if (left.byResource().isEmpty()) {
            hand.status(key, Namespaces::finish);
        } else {
            queue.at(key, now.plusSeconds(left.seconds() / 2 + 1));
        }
    }

    private static boolean hasFinalizer(Item namespace) {
        return Texts.list(namespace.tree().at("/spec/finalizers")).contains(FINALIZER);
    }

    private Left empty(String namespace, Instant now) {
        Map<String, Integer> byResource = new TreeMap<>();
        Map<String, Integer> byFinalizer = new TreeMap<>();
        long seconds = 0;
        List<Resource> resources = kinds.namespaced().stream().sorted(Comparator.comparing(Resource::qualified)).toList();
        for (Resource resource : resources) {
            for (StoredObject object : plane.hand().store().list(resource, namespace).objects()) {
                if (!Ownership.of(object).isLeaving()) {
                    hand.delete(object.key());
                }
            }
            for (StoredObject object : plane.hand().store().list(resource, namespace).objects()) {
                Ownership rest = Ownership.of(object);
                byResource.merge(resource.plural() + "." + resource.group(), 1, Integer::sum);
                rest.finalizers().forEach(finalizer -> byFinalizer.merge(finalizer, 1, Integer::sum));
                seconds = Math.max(seconds, seconds(object, rest, now));
            }
        }
        return new Left(byResource, byFinalizer, seconds);
    }

    private long seconds(StoredObject object, Ownership rest, Instant now) {
        long grace = object.key().resource().equals(Resource.PODS)
                ? object.tree().at("/metadata/deletionGracePeriodSeconds").asLong(0) : 0;
        return Math.max(grace, rest.finalizers().isEmpty() ? 0 : FINALIZERS_TAKE);
    }

    private static void conditions(ObjectNode namespace, Left left, Instant now) {
        set(namespace, now, "NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered",
                "All resources successfully discovered");
        set(namespace, now, "NamespaceDeletionGroupVersionParsingFailure", "False", "ParsedGroupVersions",
                "All legacy kube types successfully parsed");
        set(namespace, now, "NamespaceDeletionContentFailure", "False", "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization");
        if (left.byResource().isEmpty()) {
            set(namespace, now, "NamespaceContentRemaining", "False", "ContentRemoved",
                    "All content successfully removed");
        } else {
            set(namespace, now, "NamespaceContentRemaining", "True", "SomeResourcesRemain",
                    "Some resources are remaining: " + list(left.byResource(), " has "));
        }
        if (left.byFinalizer().isEmpty()) {
            set(namespace, now, "NamespaceFinalizersRemaining", "False", "ContentHasNoFinalizers",
                    "All content-preserving finalizers finished");
        } else {
            set(namespace, now, "NamespaceFinalizersRemaining", "True", "SomeFinalizersRemain",
                    "Some content in the namespace has finalizers remaining: " + list(left.byFinalizer(), " in "));
        }
    }

    private static void set(ObjectNode namespace, Instant now, String type, String status, String reason,
                            String message) {
        Conditions.set(namespace, new Condition(type, status, reason, message), now);
    }

    private static String list(Map<String, Integer> counts, String has) {
        return counts.entrySet().stream()
                .map(count -> count.getKey() + has + count.getValue() + " resource instances")
                .collect(Collectors.joining(", "));
    }

    private static void finish(ObjectNode namespace) {
        namespace.withObjectProperty("spec").withArrayProperty("finalizers")
                .removeIf(finalizer -> finalizer.asText().equals(FINALIZER));
    }
}
