package dev.pitwall.link.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.journey.Helm.ChartFile;
import dev.pitwall.journey.change.Tree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** Reads a packed chart: a gzipped tar with one folder in it. Its subcharts are folders or packed charts in {@code charts/}. */
final class ChartReader {
    /** A chart has texts; more is no chart. Helm itself stops at 100 MiB. */
    private static final long MOST_BYTES = 100L << 20;
    private static final Pattern DEFINITIONS = Pattern.compile("crds/.*\\.(?:ya?ml|json)");
    private static final YAMLMapper YAML = new YAMLMapper();

    /** Files by their path inside the chart's folder. */
    private final Map<String, byte[]> files;

    private ChartReader(Map<String, byte[]> files) {
        this.files = files;
    }

    /** @throws IOException if it is no chart */
    static ChartFile read(byte[] archive) throws IOException {
        ChartReader chart = new ChartReader(unpacked(archive));
        JsonNode about = chart.yaml("Chart.yaml");
        if (about.path("name").asText().isEmpty()) {
            throw new IOException("no Chart.yaml with a name");
        }
        return new ChartFile(about.path("name").asText(), about.path("version").asText(),
                about.path("appVersion").asText(""), chart.values(), List.copyOf(chart.definitions()));
    }

    private static Map<String, byte[]> unpacked(byte[] archive) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        long total = 0;
        try (TarArchiveInputStream tar = new TarArchiveInputStream(new GZIPInputStream(new ByteArrayInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                String path = entry.getName().replaceFirst("^\\./", "");
                int folder = path.indexOf('/');
                if (entry.isFile() && folder > 0) {
                    byte[] bytes = tar.readNBytes((int) Math.min(MOST_BYTES + 1, Integer.MAX_VALUE));
                    total += bytes.length;
                    if (total > MOST_BYTES) {
                        throw new IOException("larger than a chart can be");
                    }
                    files.put(path.substring(folder + 1), bytes);
                }
            }
        }
        return files;
    }

    /** The defaults, those of each subchart under its name, with the chart's own over them, as Helm joins them. */
    private JsonNode values() throws IOException {
        ObjectNode below = JsonNodeFactory.instance.objectNode();
        Map<String, ChartReader> subcharts = subcharts();
        for (JsonNode dependency : yaml("Chart.yaml").path("dependencies")) {
            String name = dependency.path("name").asText();
            if (subcharts.containsKey(name)) {
                below.set(dependency.path("alias").asText(name), subcharts.get(name).values());
            }
        }
        return Tree.over(below, yaml("values.yaml"));
    }

    private TreeSet<String> definitions() throws IOException {
        TreeSet<String> names = new TreeSet<>();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            if (DEFINITIONS.matcher(file.getKey()).matches()) {
                for (JsonNode object : documents(file.getValue())) {
                    if (object.path("kind").asText().equals("CustomResourceDefinition")) {
                        names.add(object.at("/metadata/name").asText());
                    }
                }
            }
        }
        for (ChartReader subchart : subcharts().values()) {
            names.addAll(subchart.definitions());
        }
        return names;
    }

    /** By the name of each. */
    private Map<String, ChartReader> subcharts() throws IOException {
        Map<String, Map<String, byte[]>> folders = new LinkedHashMap<>();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            if (!file.getKey().startsWith("charts/")) {
                continue;
            }
            String path = file.getKey().substring("charts/".length());
            int folder = path.indexOf('/');
            if (folder > 0) {
                folders.computeIfAbsent(path.substring(0, folder), name -> new TreeMap<>())
                        .put(path.substring(folder + 1), file.getValue());
            } else if (path.endsWith(".tgz")) {
                folders.put(path, unpacked(file.getValue()));
            }
        }
        Map<String, ChartReader> byName = new LinkedHashMap<>();
        for (Map<String, byte[]> folder : folders.values()) {
            ChartReader subchart = new ChartReader(folder);
            byName.put(subchart.yaml("Chart.yaml").path("name").asText(), subchart);
        }
        return byName;
    }

    private JsonNode yaml(String path) throws IOException {
        byte[] bytes = files.get(path);
        JsonNode tree = bytes == null ? null : YAML.readTree(bytes);
        return tree != null && tree.isObject() ? tree : JsonNodeFactory.instance.objectNode();
    }

    /** The documents of a file of YAML that are objects. */
    static List<JsonNode> documents(byte[] yaml) throws IOException {
        List<JsonNode> objects = new ArrayList<>();
        try (MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(yaml)) {
            while (documents.hasNextValue()) {
                JsonNode document = documents.nextValue();
                if (document != null && document.isObject()) {
                    objects.add(document);
                }
            }
        }
        return objects;
    }
}
