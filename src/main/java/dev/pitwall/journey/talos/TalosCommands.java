package dev.pitwall.journey.talos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.change.YamlText;
import java.util.Map;
import java.util.Optional;

/** Changes of Talos nodes as commands of {@code talosctl} and {@code curl}. */
public final class TalosCommands {
    private static final String END = "PITWALL";

    private TalosCommands() {
    }

    /** Gives the schematic to the factory, and the image to the node. */
    public static String of(TalosUpgrade c) {
        String post = c.after().content().isEmpty() ? "" : "curl -sS --fail-with-body -X POST --data-binary @- " + c.factory()
                + "/schematics <<'" + END + "'\n" + c.after().content() + END + "\n# It must answer with the id "
                + c.after().schematic() + "\n";
        String drain = c.drain().isPresent() ? "" : " --drain=false";
        return post + "talosctl -n " + c.address() + " upgrade" + drain + " --image " + c.after().reference();
    }

    /** Patches the machine configuration. */
    public static String of(TalosConfigChange c) {
        Optional<JsonNode> merge = merge(c.before(), c.after());
        String patch = merge.map(YamlText::of).orElseGet(() -> operations(c.before(), c.after()).toPrettyString() + "\n");
        String note = merge.isPresent() ? "" : "# If the configuration has several documents, take this away with"
                + " \"talosctl edit machineconfig\" instead: JSON patches take only one.\n";
        return note + "cat > patch.yaml <<'" + END + "'\n" + patch + END + "\ntalosctl -n " + c.address()
                + " patch machineconfig --mode=no-reboot --patch @patch.yaml";
    }

    /**
     * The patch as Talos merges it: of a list only what is added, since Talos appends (facts: cluster.md 4.3).
     *
     * @return empty if something is taken away, which a merge cannot do
     */
    public static Optional<JsonNode> merge(JsonNode before, JsonNode after) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            JsonNode was = before.path(field.getKey());
            JsonNode will = field.getValue();
            Optional<JsonNode> part = will.isObject() ? merge(was, will) : will.isArray() ? added(was, will)
                    : Optional.of(will).filter(w -> !w.isNull());
            if (part.isEmpty()) {
                return Optional.empty();
            }
            patch.set(field.getKey(), part.get());
        }
        return Optional.of(patch);
    }

    private static Optional<JsonNode> added(JsonNode was, JsonNode will) {
        ArrayNode more = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < will.size(); i++) {
            if (i < was.size() && !will.get(i).equals(was.get(i))) {
                return Optional.empty();
            }
            if (i >= was.size()) {
                more.add(will.get(i));
            }
        }
        return will.size() < was.size() ? Optional.empty() : Optional.of(more);
    }

    /** As a JSON patch (RFC 6902). */
    private static ArrayNode operations(JsonNode before, JsonNode after) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        add(all, "", before, after);
        return all;
    }

    private static void add(ArrayNode all, String path, JsonNode before, JsonNode after) {
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            String to = path + "/" + field.getKey().replace("~", "~0").replace("/", "~1");
            JsonNode was = before.path(field.getKey());
            JsonNode will = field.getValue();
            if (will.isObject()) {
                add(all, to, was, will);
            } else if (!will.equals(was)) {
                ObjectNode operation = all.addObject().put("op", will.isNull() ? "remove" : was.isNull() ? "add" : "replace")
                        .put("path", to);
                if (!will.isNull()) {
                    operation.set("value", will);
                }
            }
        }
    }
}
