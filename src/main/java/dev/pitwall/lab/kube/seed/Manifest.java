package dev.pitwall.lab.kube.seed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One object as a manifest has it, and where it is kept. */
record Manifest(ObjectKey key, ObjectNode object) {
    private static final String FOLDER = "kube/seeds/";
    private static final String DEFINITIONS = "kube/crds/";

    /** Reads a file of {@code lab/kube/seeds} as it is. */
    static String text(String file) {
        return DataFile.text(FOLDER + file);
    }

    /** A CustomResourceDefinition that comes with the lab, by its name. */
    static Manifest definition(String name) {
        return all(DataFile.text(DEFINITIONS + name + ".yaml")).getFirst();
    }

    /** All documents of a text, in their order. */
    static List<Manifest> all(String yaml) {
        List<Manifest> found = new ArrayList<>();
        YAMLMapper mapper = new YAMLMapper();
        try (var documents = mapper.readerFor(JsonNode.class).<JsonNode>readValues(yaml)) {
            while (documents.hasNext()) {
                if (documents.next() instanceof ObjectNode object) {
                    found.add(of(object));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a manifest is no YAML", e);
        }
        return found;
    }

    static Manifest of(ObjectNode object) {
        String apiVersion = object.path("apiVersion").asText();
        int slash = apiVersion.indexOf('/');
        Resource resource = new Resource(slash < 0 ? "" : apiVersion.substring(0, slash),
                plural(object.path("kind").asText()));
        JsonNode metadata = object.path("metadata");
        return new Manifest(new ObjectKey(resource, metadata.path("namespace").asText(""),
                metadata.path("name").asText()), object);
    }

    /** The plural as the kinds that are planted form it. */
    private static String plural(String kind) {
        String lower = kind.toLowerCase(Locale.ROOT);
        if (lower.endsWith("s")) {
            return lower + "es";
        }
        return lower.endsWith("y") ? lower.substring(0, lower.length() - 1) + "ies" : lower + "s";
    }
}
