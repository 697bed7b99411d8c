package dev.pitwall.site;

import java.util.Arrays;
import java.util.Optional;

/** What is fetched from the Internet, and where it usually lies; a site may name a mirror instead (facts: cluster.md 1.1, 2, 4.4, 9). */
public enum Supply {
    OPERATOR_CHARTS("gpu-operator-charts", "https://helm.ngc.nvidia.com/nvidia"),
    DEVICE_PLUGIN_CHARTS("device-plugin-charts", "https://nvidia.github.io/k8s-device-plugin"),
    OLLAMA_CHARTS("ollama-charts", "https://helm.otwld.com"),
    IMAGE_FACTORY("talos-image-factory", "https://factory.talos.dev");

    private final String key;
    private final String usual;

    Supply(String key, String usual) {
        this.key = key;
        this.usual = usual;
    }

    /** The name in a site file. */
    public String key() {
        return key;
    }

    /** The address of its makers. */
    public String usual() {
        return usual;
    }

    public static Optional<Supply> of(String key) {
        return Arrays.stream(values()).filter(s -> s.key.equals(key)).findFirst();
    }
}
