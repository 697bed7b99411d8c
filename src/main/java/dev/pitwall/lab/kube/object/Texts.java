package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lists and maps of texts, such as access modes and labels. */
public final class Texts {
    private Texts() {
    }

    /** @return empty for what is no list */
    public static List<String> list(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return List.copyOf(texts);
    }

    /** @return empty for what is no object */
    public static Map<String, String> map(JsonNode object) {
        Map<String, String> texts = new HashMap<>();
        object.properties().forEach(text -> texts.put(text.getKey(), text.getValue().asText()));
        return Map.copyOf(texts);
    }
}
