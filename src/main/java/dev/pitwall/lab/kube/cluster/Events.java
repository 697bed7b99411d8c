package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;

import java.time.Duration;
import java.time.Instant;

/** Events about objects. One that lasts is counted up, as the event recorder does. */
final class Events {
    private static final Resource EVENTS = Resource.core("events");
    /** Repeats are counted at most this often, so that a lasting trouble is not a stream of changes. */
    private static final long REPEAT_SECONDS = 60;

    private final Desired desired;
    private final Instant now;

    Events(Desired desired, Instant now) {
        this.desired = desired;
        this.now = now;
    }

    enum Type { Normal, Warning }

    /** @param source for example {@code kubelet} or {@code default-scheduler} */
    void about(String kind, ObjectKey object, Type type, String source, String reason, String message, Instant since) {
        long repeats = Math.max(0, Duration.between(since, now).toSeconds() / REPEAT_SECONDS);
        String namespace = object.namespace().isEmpty() ? "default" : object.namespace();
        String name = object.name() + "." + String.format("%016x", Names.hash(reason + message + since) << 20);
        ObjectNode event = desired.add(EVENTS, namespace, name, since);
        event.putObject("involvedObject").put("kind", kind).put("namespace", object.namespace())
                .put("name", object.name()).put("uid", Desired.uid(object))
                .put("apiVersion", kind.equals("DaemonSet") ? "apps/v1" : "v1");
        event.put("reason", reason).put("message", message);
        event.putObject("source").put("component", source);
        event.put("firstTimestamp", ObjectStore.timestamp(since))
                .put("lastTimestamp", ObjectStore.timestamp(since.plusSeconds(repeats * REPEAT_SECONDS)))
                .put("count", repeats + 1).put("type", type.name()).putNull("eventTime");
        event.put("reportingComponent", source).put("reportingInstance", "");
    }
}
