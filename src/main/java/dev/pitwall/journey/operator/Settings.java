package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.pitwall.journey.survey.ClusterSurvey.Distribution;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers and names of the cluster steps, from {@code journey/operator-settings.yaml}.
 *
 * @param toolkitEnvironment what the operator's toolkit has to be told, by distribution
 * @param talosDriverRoot    where Talos has the driver
 * @param memory             by section of the chart's values
 * @param driverImages       how systems call themselves that driver images are published for
 * @param labels             prefixes of what is written on nodes
 * @param times              of Helm's work
 * @param coming             what is still normal to wait for
 */
record Settings(Map<Distribution, Map<String, String>> toolkitEnvironment, String talosDriverRoot,
                Map<String, Memory> memory, List<String> driverImages, Labels labels, Map<String, Times> times,
                Map<String, Duration> coming) {

    /** Kubernetes quantities of bytes. */
    record Memory(String least, String given) {
    }

    /**
     * @param operator  labels and annotations of the operator and its operands
     * @param features  labels of NFD
     * @param discovery annotations of NFD
     */
    record Labels(String operator, String features, String discovery) {
    }

    /** @param takes what a person is told to expect */
    record Times(Duration takes, Duration limit) {
    }

    static Settings load() {
        try (InputStream in = Settings.class.getResourceAsStream("/journey/operator-settings.yaml")) {
            if (in == null) {
                throw new FileNotFoundException("operator-settings.yaml");
            }
            return YAMLMapper.builder().addModule(new JavaTimeModule())
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build().readValue(in, Settings.class);
        } catch (IOException e) {
            throw new UncheckedIOException("journey/operator-settings.yaml cannot be read", e);
        }
    }

    /** How long a part of what comes by itself may take. */
    Duration coming(String what) {
        return Optional.ofNullable(coming.get(what)).orElseThrow();
    }

    Map<String, String> environment(Distribution distribution) {
        return toolkitEnvironment.getOrDefault(distribution, Map.of());
    }
}
