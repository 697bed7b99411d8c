package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads values files of the charts Pitwall knows by the keys they use, also inside an umbrella chart. */
public final class HelmValuesReader {

    private static final String TABLE = "/read/chart-keys.json";

    private final Map<String, List<String>> chartKeys;
    private final SharingReader sharing = new SharingReader();

    /** Loads the table of charts. */
    public HelmValuesReader() {
        try (InputStream in = HelmValuesReader.class.getResourceAsStream(TABLE)) {
            Map<String, List<String>> keys = new LinkedHashMap<>();
            new ObjectMapper().readTree(in).properties().forEach(e -> keys.put(e.getKey(),
                    Json.list(e.getValue()).stream().map(JsonNode::asText).toList()));
            chartKeys = keys;
        } catch (IOException e) {
            throw new UncheckedIOException(TABLE + " is part of the jar and must be readable", e);
        }
    }

    /** True if a document that is no Kubernetes object has keys of a chart. */
    boolean recognises(List<JsonNode> documents) {
        return documents.stream().anyMatch(d -> isValues(d) && (chart(d).isPresent() || umbrella(d).isPresent()));
    }

    private static boolean isValues(JsonNode document) {
        return document.isObject() && !(document.has("apiVersion") && document.has("kind"));
    }

    HelmValues read(Tree tree) {
        Notes notes = new Notes();
        tree.cut().ifPresent(notes::add);
        JsonNode values = tree.roots().stream().filter(HelmValuesReader::isValues).findFirst().orElseThrow();
        Optional<String> prefix = chart(values).isPresent() ? Optional.empty() : umbrella(values);
        JsonNode root = prefix.map(values::path).orElse(values);
        Map<String, String> settings = new LinkedHashMap<>();
        flatten("", root, settings);
        return new HelmValues(chart(root), prefix, settings, sharing(tree.roots(), root), notes.list());
    }

    private List<SharingConfig> sharing(List<JsonNode> documents, JsonNode values) {
        List<SharingConfig> found = new ArrayList<>(documents.stream().filter(sharing::recognises).map(sharing::read).toList());
        JsonNode config = values.path("devicePlugin").path("config");
        if (config.path("data").isObject() && !config.path("data").isEmpty()) {
            found.add(new SharingConfig(Optional.empty(), Json.text(config, "name"), sharing.sections(config.path("data")),
                    List.of()));
        }
        return found;
    }

    /** The chart most of whose keys are used; one key alone is enough only for a chart that has its own name as key. */
    private Optional<String> chart(JsonNode values) {
        String best = "";
        long most = 0;
        for (Map.Entry<String, List<String>> chart : chartKeys.entrySet()) {
            long used = chart.getValue().stream().filter(values::has).count();
            if (used > most) {
                best = chart.getKey();
                most = used;
            }
        }
        boolean enough = most >= 2 || (best.equals("ollama") && values.path("ollama").isObject())
                || (most == 1 && values.size() == 1 && best.equals("gpu-operator") && operatorOnly(values));
        return enough ? Optional.of(best) : Optional.empty();
    }

    private static boolean operatorOnly(JsonNode values) {
        return values.has("driver") || values.has("toolkit") || values.has("devicePlugin") || values.has("dcgmExporter")
                || values.path("cdi").has("enabled");
    }

    private Optional<String> umbrella(JsonNode values) {
        return values.properties().stream().filter(e -> e.getValue().isObject())
                .filter(e -> chartKeys.containsKey(e.getKey()) && !e.getKey().equals("ollama")
                        || chart(e.getValue()).filter(c -> !c.equals("ollama")).isPresent())
                .map(Map.Entry::getKey).findFirst();
    }

    /** Puts every plain value under its dotted path. */
    static void flatten(String path, JsonNode node, Map<String, String> settings) {
        if (node.isObject()) {
            node.properties().forEach(e -> {
                String key = e.getKey().contains(".") ? "[" + e.getKey() + "]" : e.getKey();
                flatten(path.isEmpty() ? key : path + "." + key, e.getValue(), settings);
            });
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                flatten(path + "[" + i + "]", node.get(i), settings);
            }
        } else if (node.isValueNode() && !node.isNull()) {
            settings.put(path, Secrets.mask(path, node.asText()));
        }
    }
}
