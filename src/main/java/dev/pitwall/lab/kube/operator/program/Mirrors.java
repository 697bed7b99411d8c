package dev.pitwall.lab.kube.operator.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.kubelet.Run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * The package mirrors that a driver container takes kernel headers from. It does not use those of the host; a kernel
 * that has left the mirrors, or that never came from them, has none. (facts: cluster.md 1.6)
 */
final class Mirrors {
    private static final String SOURCES = "/etc/apt/sources.list.d/custom-repo.list";
    private final JsonNode data;

    private Mirrors(JsonNode data) {
        this.data = data;
    }

    static Mirrors load() {
        try (InputStream in = Mirrors.class.getResourceAsStream("/lab/kube/operator/registry.yaml")) {
            return new Mirrors(new YAMLMapper().readTree(in).path("mirrors"));
        } catch (IOException e) {
            throw new UncheckedIOException("lab/kube/operator/registry.yaml cannot be read", e);
        }
    }

    /** @param run its pod may bring a list of sources of its own, {@code driver.repoConfig} */
    boolean haveHeaders(Run run, String kernel) {
        Optional<String> own = run.mounted(SOURCES);
        boolean reached = own.isEmpty() || matches(data.path("hosts"), own.get());
        return reached && matches(data.path("kernels"), kernel) && !matches(data.path("left"), kernel);
    }

    private static boolean matches(JsonNode patterns, String text) {
        return StreamSupport.stream(patterns.spliterator(), false)
                .anyMatch(pattern -> text.matches("(?s)" + pattern.asText()));
    }
}
