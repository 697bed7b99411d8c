package dev.pitwall.lab.kube.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;

/**
 * Who wrote fields, and how.
 *
 * @param operation   {@code Apply} or {@code Update}
 * @param subresource empty for the object itself
 */
record Manager(String name, String operation, String apiVersion, String subresource) {

    static Manager of(JsonNode entry) {
        return new Manager(entry.path("manager").asText(""), entry.path("operation").asText(""),
                entry.path("apiVersion").asText(""), entry.path("subresource").asText(""));
    }

    boolean applies() {
        return operation.equals("Apply");
    }

    /** The same writer, whatever version it spoke. */
    boolean isSame(Manager other) {
        return name.equals(other.name) && operation.equals(other.operation) && subresource.equals(other.subresource);
    }

    ObjectNode json(FieldSet fields, String time) {
        ObjectNode json = Json.object().put("manager", name).put("operation", operation)
                .put("apiVersion", apiVersion).put("time", time).put("fieldsType", "FieldsV1");
        json.set("fieldsV1", fields.json());
        if (!subresource.isEmpty()) {
            json.put("subresource", subresource);
        }
        return json;
    }

    /** As a conflict names it. */
    String shown(String time) {
        String named = "\"" + name + "\"" + (subresource.isEmpty() ? "" : " with subresource \"" + subresource + "\"");
        return applies() ? named : named + " using " + apiVersion + (time.isEmpty() ? "" : " at " + time);
    }
}
