package dev.pitwall.lab.kube.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.kube.store.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Events about objects. The same event again within its life is counted up, as the event recorder of client-go does; an
 * hour after its last time it is gone, as with an API server. Used by the loop's thread only.
 */
public final class EventRecorder {
    /** {@code --event-ttl} of kube-apiserver. */
    private static final Duration LIFE = Duration.ofHours(1);

    /** client-go: {@code defaultAggregateMaxEvents} within {@code defaultAggregateIntervalInSeconds}. */
    private static final int ALIKE_MOST = 10;
    private static final Duration ALIKE_FOR = Duration.ofMinutes(10);
    private static final String COMBINED = "(combined from similar events): ";

    private final ObjectStore store;
    private final Instant begin;
    /** Oldest first. */
    private final LinkedHashMap<Same, Recorded> recorded = new LinkedHashMap<>();
    private final Map<Same, Similar> similar = new HashMap<>();

    private Instant swept = Instant.EPOCH;

    /** @param begin events that are over an hour older than this are not worth keeping */
    public EventRecorder(ObjectStore store, Instant begin) {
        this.store = store;
        this.begin = begin;
    }

    public enum Type { Normal, Warning }

    private record Same(String uid, String component, String reason, String message) {
    }

    private record Recorded(ObjectKey key, Instant last) {
    }

    /** Events that differ in their message only. */
    private record Similar(Set<String> messages, Instant last) {
    }

    /**
     * Something has happened to an object.
     *
     * @param kind      its kind, for example {@code Pod}
     * @param component who says so, for example {@code default-scheduler}
     * @param host      node of the component; empty if it has none
     */
    public void record(StoredObject about, String apiVersion, String kind, Type type, String component, String host,
                       String reason, String message, Instant now) {
        if (now.isBefore(begin.minus(LIFE))) {
            return;
        }
        forget(now);
        boolean combined = isOneOfMany(new Same(about.uid(), component, reason, ""), message, now);
        // Combined events are one event, whatever they say.
        Same same = new Same(about.uid(), component, reason, combined ? "" : message);
        Recorded before = recorded.remove(same);
        String text = combined ? COMBINED + message : message;
        ObjectKey key = before != null && store.find(before.key()).isPresent() ? again(before.key(), text, now)
                : first(about, apiVersion, kind, type, component, host, reason, text, now);
        recorded.put(same, new Recorded(key, now));
    }

    /** As the event aggregator of client-go: after ten different messages the rest is combined. */
    private boolean isOneOfMany(Same alike, String message, Instant now) {
        Similar before = similar.get(alike);
        Set<String> messages = before == null || before.last().plus(ALIKE_FOR).isBefore(now)
                ? new HashSet<>() : before.messages();
        if (messages.size() < ALIKE_MOST) {
            messages.add(message);
        }
        similar.put(alike, new Similar(messages, now));
        return messages.size() >= ALIKE_MOST;
    }

    private ObjectKey again(ObjectKey key, String message, Instant now) {
        ObjectNode event = store.get(key).copy();
        event.put("message", message).put("count", event.path("count").asInt(1) + 1)
                .put("lastTimestamp", Timestamp.of(now));
        store.update(key, event);
        return key;
    }

    private ObjectKey first(StoredObject about, String apiVersion, String kind, Type type, String component,
                            String host, String reason, String message, Instant now) {
        String namespace = about.key().namespace().isEmpty() ? "default" : about.key().namespace();
        long stamp = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        for (;; stamp++) {
            ObjectKey key =
                    new ObjectKey(Resource.EVENTS, namespace, about.key().name() + "." + Long.toHexString(stamp));
            if (store.find(key).isEmpty()) {
                store.create(key, event(about, apiVersion, kind, type, component, host, reason, message, now));
                return key;
            }
        }
    }

    private static ObjectNode event(StoredObject about, String apiVersion, String kind, Type type, String component,
                                    String host, String reason, String message, Instant now) {
        ObjectNode event = Json.object();
        event.putObject("metadata");
        event.putObject("involvedObject").put("apiVersion", apiVersion).put("kind", kind)
                .put("namespace", about.key().namespace()).put("name", about.key().name()).put("uid", about.uid())
                .put("resourceVersion", Long.toString(about.revision()));
        event.put("reason", reason).put("message", message).put("type", type.name());
        ObjectNode source = event.putObject("source").put("component", component);
        if (!host.isEmpty()) {
            source.put("host", host);
        }
        event.put("firstTimestamp", Timestamp.of(now)).put("lastTimestamp", Timestamp.of(now))
                .put("count", 1).putNull("eventTime");
        event.put("reportingComponent", component).put("reportingInstance", host);
        return event;
    }

    private void forget(Instant now) {
        while (!recorded.isEmpty() && recorded.firstEntry().getValue().last().plus(LIFE).isBefore(now)) {
            purge(recorded.pollFirstEntry().getValue().key());
        }
        if (swept.plus(ALIKE_FOR).isBefore(now)) {
            similar.values().removeIf(old -> old.last().plus(ALIKE_FOR).isBefore(now));
            swept = now;
        }
    }

    private void purge(ObjectKey key) {
        try {
            store.purge(key);
        } catch (StoreRefusal gone) {
            // Somebody has deleted it already.
        }
    }
}
