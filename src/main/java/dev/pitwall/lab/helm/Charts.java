package dev.pitwall.lab.helm;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The charts of {@code lab/charts}: which there are, and each put together from its layers. */
public final class Charts {
    private static final String FOLDER = "/lab/charts/";

    /** @param layers files of each layer, by its folder; {@code FILE < RESOURCE} is taken from elsewhere */
    private record Index(Map<String, List<String>> layers, List<Entry> charts) {
    }

    private record Entry(String name, String version, String created, List<Layer> layers) {
    }

    /** @param at folder in the chart that the layer goes to; absent means the chart's own */
    private record Layer(String of, String at) {
        String place(String file) {
            return at == null ? file : at + "/" + file;
        }
    }

    private final List<Chart> all;

    private Charts(List<Chart> all) {
        this.all = all;
    }

    /** Reads them from the lab's resources. */
    public static Charts load() {
        try (InputStream in = open(FOLDER + "charts.yaml")) {
            Index index = new YAMLMapper().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .readValue(in, Index.class);
            return new Charts(index.charts().stream().map(entry -> chart(index, entry)).toList());
        } catch (IOException e) {
            throw new UncheckedIOException("the lab's charts cannot be read", e);
        }
    }

    /** The newest of each name first. */
    public List<Chart> all() {
        return all;
    }

    public Optional<Chart> find(String name, String version) {
        return all.stream().filter(chart -> chart.name().equals(name) && chart.version().equals(version)).findFirst();
    }

    private static Chart chart(Index index, Entry entry) {
        TreeMap<String, byte[]> files = new TreeMap<>();
        for (Layer layer : entry.layers()) {
            for (String file : index.layers().get(layer.of())) {
                String[] from = file.split(" < ");
                files.put(layer.place(from[0]), bytes(from.length > 1 ? from[1] : FOLDER + layer.of() + "/" + file));
            }
        }
        return new Chart(entry.name(), entry.version(), Instant.parse(entry.created()),
                Collections.unmodifiableSortedMap(files));
    }

    private static byte[] bytes(String path) {
        try (InputStream in = open(path)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("a file of a chart cannot be read", e);
        }
    }

    private static InputStream open(String path) throws IOException {
        InputStream in = Charts.class.getResourceAsStream(path);
        if (in == null) {
            throw new FileNotFoundException(path);
        }
        return in;
    }
}
