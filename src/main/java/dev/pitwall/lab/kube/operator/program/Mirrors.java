package dev.pitwall.lab.kube.operator.program;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.kube.kubelet.Run;

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
        return new Mirrors(DataFile.tree("kube/operator/registry.yaml").path("mirrors"));
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
