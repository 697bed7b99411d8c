package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/** Lists whose entries have names, such as volumes and environment variables. */
public final class Named {
    private Named() {
    }

    /** @return a missing node if there is no entry of the name */
    public static JsonNode find(JsonNode list, String name) {
        for (JsonNode entry : list) {
            if (entry.path("name").asText().equals(name)) {
                return entry;
            }
        }
        return MissingNode.getInstance();
    }
}
