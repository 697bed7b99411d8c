package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.SystemUuid;

import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What tells the nodes of a cluster from each other. */
final class NodeNames {
    private NodeNames() {
    }

    static String of(JsonNode node) {
        return node.at("/metadata/name").asText();
    }

    /** The nodes' names by SMBIOS UUID, lower case, in both byte orders. */
    static Map<String, String> byUuid(Collection<JsonNode> nodes) {
        Map<String, String> names = new HashMap<>();
        nodes.forEach(node -> {
            String uuid = node.at("/status/nodeInfo/systemUUID").asText("");
            if (!uuid.isEmpty()) {
                names.put(uuid.toLowerCase(Locale.ROOT), of(node));
                names.putIfAbsent(SystemUuid.otherByteOrder(uuid).toLowerCase(Locale.ROOT), of(node));
            }
        });
        return names;
    }
}
