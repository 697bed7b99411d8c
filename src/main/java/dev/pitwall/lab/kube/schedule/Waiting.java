package dev.pitwall.lab.kube.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.ObjectKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** A pod that waits for a node, and what its tries have come to so far. */
final class Waiting {
    /** What of a spec decides where a pod can go, besides its requests and ports. */
    private static final List<String> DECIDING = List.of("nodeSelector", "affinity", "tolerations",
            "topologySpreadConstraints", "priority", "preemptionPolicy", "schedulingGates");

    /** The order in which pods are tried. */
    static final Comparator<Waiting> ORDER = Comparator.<Waiting>comparingInt(waiting -> -waiting.priority)
            .thenComparing(waiting -> waiting.created).thenComparingLong(waiting -> waiting.serial);

    private final long serial;
    private final int priority;
    private final Instant created;
    private PodFacts pod;
    private Demand demand;
    private String likeness = "";
    /** Where the {@link Backlog} has it. */
    Place place = Place.READY;
    /** Likeness under which the backlog has it. */
    String filedAs = "";
    /** When it may be tried again, or since when it waits for something to change. */
    Instant moment = Instant.MIN;
    int attempts;
    Instant lastTry = Instant.MIN;
    /** Filters that refused it at its last try; empty if there was nothing to filter. */
    Set<Refusal.Filter> refusedBy = Set.of();
    /** What was last said of it, and when. */
    String said = "";
    Instant saidAt = Instant.MIN;

    /** Where a pod waits; {@code GATED} is for its gates to go, {@code BINDING} for its volumes. */
    enum Place { READY, BACKING_OFF, STUCK, GATED, BINDING }

    Waiting(PodFacts pod, long serial) {
        this.serial = serial;
        this.priority = pod.priority();
        this.created = pod.created();
        become(pod);
    }

    /** @return true if it can go elsewhere than before */
    boolean become(PodFacts now) {
        pod = now;
        demand = Demand.of(now);
        String before = likeness;
        likeness = likeness(now, demand);
        return !likeness.equals(before);
    }

    ObjectKey key() {
        return pod.key();
    }

    PodFacts pod() {
        return pod;
    }

    Demand demand() {
        return demand;
    }

    long serial() {
        return serial;
    }

    /** Pods of one likeness go to the same nodes, and fail for the same reasons. */
    String likeness() {
        return likeness;
    }

    private static String likeness(PodFacts pod, Demand demand) {
        JsonNode spec = pod.object().tree().path("spec");
        StringBuilder text = new StringBuilder(pod.key().namespace()).append(new TreeMap<>(pod.labels()))
                .append(new TreeMap<>(pod.requests())).append(demand.ports());
        DECIDING.forEach(field -> text.append('|').append(spec.path(field)));
        for (JsonNode volume : spec.path("volumes")) {
            text.append('|').append(volume.path("persistentVolumeClaim"));
            if (volume.has("ephemeral")) {
                text.append(pod.key().name());
            }
        }
        return text.toString();
    }
}
