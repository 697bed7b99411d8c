package dev.pitwall.lab.kube.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.kube.store.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * How idle notebooks are stopped, if that is on: {@code ENABLE_CULLING} false, {@code CULL_IDLE_TIME} 1440 and
 * {@code IDLENESS_CHECK_PERIOD} 1 (minutes) unless the controller's ConfigMap says otherwise when it starts. The lab's
 * kernels are idle, so a check finds no newer activity than the last. [facts: cluster.md 7.4]
 */
final class Culling {
    private static final ObjectKey CONFIG = new ObjectKey(Resource.CONFIG_MAPS, "kubeflow",
            "notebook-controller-culler-config");
    private static final String ACTIVITY = "notebooks.kubeflow.org/last-activity";
    private static final String CHECKED = "notebooks.kubeflow.org/last_activity_check_timestamp";

    private final ClusterHand hand;
    private final Pods pods;
    private boolean enabled;
    private Duration idle = Duration.ZERO;
    private Duration period = Duration.ZERO;
    private Instant next = Instant.MIN;

    Culling(ClusterHand hand, Pods pods) {
        this.hand = hand;
        this.pods = pods;
    }

    /** The controller has started: its environment is read once. */
    void start() {
        JsonNode config = hand.find(CONFIG).map(StoredObject::tree).orElseGet(Json::object).path("data");
        enabled = config.path("ENABLE_CULLING").asText().equals("true");
        idle = Duration.ofMinutes(config.path("CULL_IDLE_TIME").asLong(1440));
        period = Duration.ofMinutes(Math.max(1, config.path("IDLENESS_CHECK_PERIOD").asLong(1)));
        next = Instant.MIN;
    }

    /** @return when it wants to look again */
    Instant act(Instant now) {
        if (!enabled) {
            return Instant.MAX;
        }
        if (!now.isBefore(next)) {
            next = now.plus(period);
            hand.store().list(Notebooks.NOTEBOOKS, "").objects().forEach(notebook -> check(notebook, now));
        }
        return next;
    }

    private void check(StoredObject notebook, Instant now) {
        JsonNode annotations = notebook.tree().at("/metadata/annotations");
        Optional<PodFacts> pod = pods.find(new ObjectKey(Resource.PODS, notebook.key().namespace(),
                notebook.key().name() + "-0")).filter(PodFacts::ready);
        if (annotations.has(Notebooks.STOPPED) || pod.isEmpty()) {
            return;
        }
        Optional<Instant> activity = time(annotations.path(ACTIVITY).asText());
        boolean cull = activity.filter(last -> last.plus(idle).isBefore(now)).isPresent();
        hand.change(notebook.key(), object -> {
            ObjectNode written = object.withObjectProperty("metadata").withObjectProperty("annotations");
            if (activity.isEmpty()) {
                written.put(ACTIVITY, Timestamp.of(now));
            }
            written.put(CHECKED, Timestamp.of(now));
            if (cull) {
                written.put(Notebooks.STOPPED, Timestamp.of(now));
            }
        });
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException none) {
            return Optional.empty();
        }
    }
}
