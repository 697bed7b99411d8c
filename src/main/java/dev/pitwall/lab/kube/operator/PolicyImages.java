package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.Map;

/**
 * Image names as the operator builds them: repository, image and version of the policy's section, and where one is
 * missing, that of the operator's own release.
 */
final class PolicyImages {
    private static final Map<String, String[]> USUAL = Map.of(
            "driver", new String[] {"nvcr.io/nvidia", "driver", "driver"},
            "driver.manager", new String[] {"nvcr.io/nvidia/cloud-native", "k8s-driver-manager", "manager"},
            "toolkit", new String[] {"nvcr.io/nvidia/k8s", "container-toolkit", "toolkit"},
            "devicePlugin", new String[] {"nvcr.io/nvidia", "k8s-device-plugin", "plugin"},
            "gfd", new String[] {"nvcr.io/nvidia", "k8s-device-plugin", "plugin"},
            "dcgm", new String[] {"nvcr.io/nvidia/cloud-native", "dcgm", "dcgm"},
            "dcgmExporter", new String[] {"nvcr.io/nvidia/k8s", "dcgm-exporter", "exporter"},
            "migManager", new String[] {"nvcr.io/nvidia/cloud-native", "k8s-mig-manager", "mig"});

    private final JsonNode spec;
    private final String operator;
    private final JsonNode versions;

    /** @param operator release of the operator, {@code v26.3.2} */
    PolicyImages(JsonNode spec, String operator, JsonNode versions) {
        this.spec = spec;
        this.operator = operator;
        this.versions = versions;
    }

    /** @param driverSuffix what follows the driver's version: {@code ubuntu24.04}, or kernel and system */
    String of(String section, String driverSuffix) {
        JsonNode part = spec.at("/" + section.replace('.', '/'));
        String[] usual = usual(section);
        String image = part.path("image").asText("");
        String repository = part.path("repository").asText("");
        String version = part.path("version").asText("");
        String name = (repository.isEmpty() ? usual[0] : repository) + "/" + (image.isEmpty() ? usual[1] : image);
        if (repository.isEmpty() && image.contains("/")) {
            name = image;
        }
        if (version.startsWith("sha256:")) {
            return name + "@" + version;
        }
        String tag = version.isEmpty() ? usual[2] : version;
        return name + ":" + tag + (section.equals("driver") ? "-" + driverSuffix : "");
    }

    private String[] usual(String section) {
        if (USUAL.containsKey(section)) {
            String[] usual = USUAL.get(section);
            return new String[] {usual[0], usual[1], versions.path(usual[2]).asText(operator)};
        }
        // The validator and the node status exporter have the operator's own version.
        boolean separate = versions.path("separateValidator").asBoolean();
        return new String[] {separate ? "nvcr.io/nvidia/cloud-native" : "nvcr.io/nvidia",
            separate ? "gpu-operator-validator" : "gpu-operator", operator};
    }
}
