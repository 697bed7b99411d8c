package dev.pitwall.lab.kube.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.OmitEmpty;
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

    /** What an event is about. @param kind of the object, for example {@code Pod} */
    public record Subject(StoredObject object, String apiVersion, String kind) {
        /** A kind of the core group. */
        public static Subject core(StoredObject object, String kind) {
            return new Subject(object, "v1", kind);
        }
    }

    /** Who tells of it. @param host node of the component; empty if it has none */
    public record Source(String component, String host) {
        public static Source of(String component) {
            return new Source(component, "");
        }
    }

    private record Same(String uid, String component, String reason, String message) {
    }

    private record Recorded(ObjectKey key, Instant last) {
    }

    /** Events that differ in their message only. */
    private record Similar(Set<String> messages, Instant last) {
    }

    /** Something has happened to an object. */
    public void record(Subject about, Source source, Type type, String reason, String message, Instant now) {
        if (now.isBefore(begin.minus(LIFE))) {
            return;
        }
        forget(now);
        boolean combined = isOneOfMany(new Same(about.object().uid(), source.component(), reason, ""), message, now);
        // Combined events are one event, whatever they say.
        Same same = new Same(about.object().uid(), source.component(), reason, combined ? "" : message);
        Recorded before = recorded.remove(same);
        String text = combined ? COMBINED + message : message;
        ObjectKey key = before != null && store.find(before.key()).isPresent() ? again(before.key(), text, now)
                : first(about, source, type, reason, text, now);
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

    private ObjectKey first(Subject about, Source source, Type type, String reason, String message, Instant now) {
        ObjectKey of = about.object().key();
        String namespace = of.namespace().isEmpty() ? "default" : of.namespace();
        long stamp = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        for (;; stamp++) {
            ObjectKey key = new ObjectKey(Resource.EVENTS, namespace, of.name() + "." + Long.toHexString(stamp));
            if (store.find(key).isEmpty()) {
                store.create(key, event(about, source, type, reason, message, now));
                return key;
            }
        }
    }

    private static ObjectNode event(Subject about, Source source, Type type, String reason, String message,
                                    Instant now) {
        StoredObject object = about.object();
        ObjectNode event = Json.object();
        event.putObject("metadata");
        event.putObject("involvedObject").put("apiVersion", about.apiVersion()).put("kind", about.kind())
                .put("namespace", object.key().namespace()).put("name", object.key().name()).put("uid", object.uid())
                .put("resourceVersion", Long.toString(object.revision()));
        event.put("reason", reason).put("message", message).put("type", type.name());
        OmitEmpty.put(event.putObject("source").put("component", source.component()), "host", source.host());
        event.put("firstTimestamp", Timestamp.of(now)).put("lastTimestamp", Timestamp.of(now))
                .put("count", 1).putNull("eventTime");
        event.put("reportingComponent", source.component()).put("reportingInstance", source.host());
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
