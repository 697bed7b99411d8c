package dev.pitwall.journey.node;

import java.util.Locale;

/** Who brings driver or container toolkit to a node with a package manager: values of choices {@code driver} and {@code toolkit}. */
enum Brings {
    OPERATOR, OS;

    static final String DRIVER = "driver";
    static final String TOOLKIT = "toolkit";
    /** The choice of the step that makes cards schedulable, as far as it decides here. */
    static final String STACK = "stack";
    static final String DEVICE_PLUGIN = "device-plugin";

    String value() {
        return name().toLowerCase(Locale.ROOT);
    }
}
