package dev.pitwall.lab.helm;

import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Real Helm, where its native library loads; elsewhere the tests that need it are skipped and say why. */
public final class RealHelm {
    private RealHelm() {
    }

    /** Skips the test if Helm cannot run here. */
    public static void require() {
        try {
            Helm.version().call();
        } catch (Throwable missing) {
            abort("real Helm does not run here: " + missing);
        }
    }

    /** Unpacks a chart into a folder of its own. */
    public static Path unpack(Chart chart, Path dir) throws IOException {
        Path folder = dir.resolve(chart.name() + "-" + chart.version());
        for (Map.Entry<String, byte[]> file : chart.files().entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        return folder;
    }

    public static Path values(JsonNode values, Path dir) throws IOException {
        return Files.write(Files.createTempFile(dir, "values", ".yaml"), new YAMLMapper().writeValueAsBytes(values));
    }
}
