package dev.pitwall.lab.kube.operator.discovery;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import dev.pitwall.lab.kube.object.Texts;
import java.time.Duration;
import java.util.List;

/**
 * {@code nfd-worker.conf}, as far as devices and the pace go.
 *
 * @param classes classes of devices that are looked at, as beginnings of a class code
 * @param fields  what a device's label is made of: {@code class}, {@code vendor}, {@code device},
 *                {@code subsystem_vendor}, {@code subsystem_device}
 */
record WorkerConfig(List<String> classes, List<String> fields, Duration interval) {
    /** NFD's own defaults. */
    private static final WorkerConfig DEFAULTS = new WorkerConfig(List.of("03", "0b40", "12"),
            List.of("class", "vendor"), Duration.ofSeconds(60));
    private static final List<String> KNOWN = List.of("class", "vendor", "device", "subsystem_vendor",
            "subsystem_device");

    /** A file that cannot be read leaves the defaults. */
    static WorkerConfig parse(String text) {
        JsonNode root;
        try {
            root = new YAMLMapper().readTree(text);
        } catch (JsonProcessingException e) {
            return DEFAULTS;
        }
        JsonNode pci = root.at("/sources/pci");
        List<String> fields = words(pci.path("deviceLabelFields"), DEFAULTS.fields()).stream()
                .filter(KNOWN::contains).toList();
        return new WorkerConfig(words(pci.path("deviceClassWhitelist"), DEFAULTS.classes()),
                fields.isEmpty() ? DEFAULTS.fields() : fields,
                interval(root.at("/core/sleepInterval").asText("")));
    }

    private static List<String> words(JsonNode list, List<String> otherwise) {
        if (!list.isArray()) {
            return otherwise;
        }
        return Texts.list(list);
    }

    /** A Go duration in one unit, such as {@code 60s}. */
    private static Duration interval(String text) {
        if (!text.matches("\\d{1,6}[smh]")) {
            return DEFAULTS.interval();
        }
        long number = Long.parseLong(text.substring(0, text.length() - 1));
        return switch (text.charAt(text.length() - 1)) {
            case 's' -> Duration.ofSeconds(Math.max(1, number));
            case 'm' -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }
}
