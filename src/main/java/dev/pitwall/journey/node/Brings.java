package dev.pitwall.journey.node;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Who brings driver or container toolkit to a node with a package manager: values of choices {@code driver} and {@code toolkit}. */
public enum Brings {
    OPERATOR, OS;

    static final String DRIVER = "driver";
    static final String TOOLKIT = "toolkit";

    String value() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Brings> named(String value) {
        return Arrays.stream(values()).filter(b -> b.value().equals(value)).findFirst();
    }
}
