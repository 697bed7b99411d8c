package dev.pitwall.lab.kube.control.policy;

import dev.pitwall.lab.kube.admit.QuotaUsage;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts again what ResourceQuotas have in use when something that they count comes, ends or goes. Admission has counted
 * what it let in; here what goes is taken off. Namespaces without a quota cost nothing.
 */
public final class Quotas implements Controller {
    private final ControlPlane plane;
    private final QuotaUsage usage;
    private final WorkQueue queue = new WorkQueue();
    /** What each quota limits, by its key. */
    private final Map<ObjectKey, Set<String>> limits = new HashMap<>();
    private final Map<String, Integer> quotas = new HashMap<>();
    private Set<Resource> watched = Set.of(Resource.QUOTAS, Resource.PODS);

    public Quotas(ControlPlane plane) {
        this.plane = plane;
        this.usage = new QuotaUsage(plane.hand().store());
    }

    @Override
    public Set<Resource> watches() {
        return watched;
    }

    @Override
    public void observe(Change change) {
        switch (change) {
            case Change.Added added -> changed(added.now().key(), true);
            case Change.Modified modified -> changed(modified.now().key(), false);
            case Change.Deleted deleted -> {
                forget(deleted.before().key());
                changed(deleted.before().key(), true);
            }
        }
    }

    /** @param count its coming or going changes how many there are */
    private void changed(ObjectKey key, boolean count) {
        if (key.resource().equals(Resource.QUOTAS)) {
            plane.objects().find(key).ifPresent(this::learn);
            queue.add(namespace(key.namespace()));
        } else if (quotas.containsKey(key.namespace())
                && (count || key.resource().equals(Resource.VOLUME_CLAIMS) || podMatters(key))) {
            queue.add(namespace(key.namespace()));
        }
    }

    /** A pod counts until it has come to its end; what it asks for may change in place. */
    private boolean podMatters(ObjectKey key) {
        if (!key.resource().equals(Resource.PODS)) {
            return false;
        }
        Pods.News news = plane.pods().news();
        PodFacts now = news.last();
        return news.before().filter(before -> before.isDone() == now.isDone()
                && before.requests().equals(now.requests())).isEmpty();
    }

    private void learn(Item quota) {
        Set<String> names = new HashSet<>();
        quota.tree().at("/spec/hard").fieldNames().forEachRemaining(names::add);
        if (limits.put(quota.key(), Set.copyOf(names)) == null) {
            quotas.merge(quota.key().namespace(), 1, Integer::sum);
        }
        watchWhatCounts();
    }

    private void forget(ObjectKey key) {
        if (limits.remove(key) != null) {
            quotas.computeIfPresent(key.namespace(), (namespace, count) -> count == 1 ? null : count - 1);
            watchWhatCounts();
        }
    }

    private void watchWhatCounts() {
        Set<Resource> wanted = new HashSet<>(Set.of(Resource.QUOTAS, Resource.PODS));
        limits.values().forEach(names -> names.forEach(name -> QuotaUsage.counted(name).ifPresent(wanted::add)));
        if (!wanted.equals(watched)) {
            watched = Set.copyOf(wanted);
        }
    }

    private static ObjectKey namespace(String name) {
        return new ObjectKey(Resource.NAMESPACES, "", name);
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, (namespace, moment) -> usage.refresh(namespace.name()));
    }
}
