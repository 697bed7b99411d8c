package dev.pitwall.lab.models;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Which Host headers an Ollama that listens on loopback answers: names and addresses of this machine and of private
 * networks. Others get an empty 403, as with a port-forward under a made-up name (facts: models.md 5.2).
 */
final class LocalHosts {
    private static final Pattern PRIVATE = Pattern.compile(
            "127\\..*|10\\..*|192\\.168\\..*|172\\.(1[6-9]|2[0-9]|3[01])\\..*|0\\.0\\.0\\.0|169\\.254\\..*|"
            + "\\[?(::1?|f[cd].*|fe80.*)\\]?");
    private static final Pattern LOCAL = Pattern.compile("localhost|.*\\.(localhost|local|internal)");

    private LocalHosts() {
    }

    /** @param host without its port; empty is allowed */
    static boolean allow(String host) {
        String name = host == null ? "" : host.toLowerCase(Locale.ROOT);
        return name.isEmpty() || PRIVATE.matcher(name).matches() || LOCAL.matcher(name).matches();
    }
}
