package dev.pitwall.journey.node;

import java.util.Locale;

/** The two kinds of kernel modules that NVIDIA's driver has. */
public enum ModuleType {
    OPEN, PROPRIETARY;

    /** As {@code driver.kernelModuleType} of the GPU Operator takes it. */
    public String value() {
        return name().toLowerCase(Locale.ROOT);
    }
}
