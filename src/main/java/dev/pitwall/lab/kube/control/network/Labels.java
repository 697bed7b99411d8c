package dev.pitwall.lab.kube.control.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.Timestamp;
import java.time.Instant;

/** What Endpoints and EndpointSlices carry in their metadata. */
final class Labels {
    /** When something last changed that made the endpoints change. */
    private static final String TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time";

    private Labels() {
    }

    /** Gives an object the labels of its Service, and no others. @return the labels, for more */
    static ObjectNode ofService(ServiceFacts service, ObjectNode object) {
        ObjectNode labels = object.withObjectProperty("metadata").putObject("labels");
        JsonNode own = service.item().tree().at("/metadata/labels");
        own.properties().forEach(label -> labels.set(label.getKey(), label.getValue()));
        labels.remove(ServiceFacts.HEADLESS);
        if (service.headless()) {
            labels.put(ServiceFacts.HEADLESS, "");
        }
        return labels;
    }

    /** Writes when it changed, if it did. */
    static void trigger(ObjectNode object, ObjectNode before, Instant now) {
        if (!Json.copy(object).equals(before)) {
            object.withObjectProperty("metadata").withObjectProperty("annotations")
                    .put(TRIGGER, Timestamp.of(now));
        }
    }
}
