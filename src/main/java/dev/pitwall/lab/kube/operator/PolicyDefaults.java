package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.Map;

/** Values of a ClusterPolicy that fill the operands' templates. */
final class PolicyDefaults {
    private PolicyDefaults() {
    }

    static Map<String, String> of(JsonNode spec, String driverDigest) {
        return Map.ofEntries(
                Map.entry("driverDigest", driverDigest),
                Map.entry("drain", Boolean.toString(spec.at("/driver/upgradePolicy/drain/enable").asBoolean(false))),
                Map.entry("kernelModuleType", text(spec, "/driver/kernelModuleType", "auto")),
                Map.entry("driverInstallDir", text(spec, "/hostPaths/driverInstallDir", "/run/nvidia/driver")),
                Map.entry("kubeletRootDir", text(spec, "/hostPaths/kubeletRootDir", "/var/lib/kubelet")),
                Map.entry("installDir", text(spec, "/toolkit/installDir", "/usr/local/nvidia")),
                Map.entry("socketDir", folder(socket(spec))),
                Map.entry("runtimeClass", runtimeClass(spec)),
                Map.entry("migStrategy", text(spec, "/mig/strategy", "single")),
                Map.entry("mpsRoot", text(spec, "/devicePlugin/mps/root", "/run/nvidia/mps")),
                Map.entry("sharingName", text(spec, "/devicePlugin/config/name", "")),
                Map.entry("sharingDefault", text(spec, "/devicePlugin/config/default", "")));
    }

    static String runtimeClass(JsonNode spec) {
        return text(spec, "/operator/runtimeClass", "nvidia");
    }

    private static String socket(JsonNode spec) {
        for (JsonNode variable : spec.at("/toolkit/env")) {
            if (variable.path("name").asText().equals("CONTAINERD_SOCKET")) {
                return variable.path("value").asText();
            }
        }
        return "/run/containerd/containerd.sock";
    }

    private static String folder(String path) {
        return path.lastIndexOf('/') > 0 ? path.substring(0, path.lastIndexOf('/')) : "/";
    }

    private static String text(JsonNode spec, String pointer, String otherwise) {
        String text = spec.at(pointer).asText("");
        return text.isEmpty() || text.equals("null") ? otherwise : text;
    }
}
