package dev.pitwall.lab.talos;

/** A machine configuration that a node does not take, with Talos's own text. */
final class ConfigRefusal extends Exception {
    ConfigRefusal(String text) {
        super(text);
    }
}
