package dev.pitwall.lab.talos;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A reference to an installer image: the factory's, {@code factory.talos.dev/metal-installer/<id>:<version>}, or the
 * plain one that Talos publishes up to 1.13 (facts: cluster.md 4.3, 4.4).
 */
record InstallerImage(String reference, String schematic, String version) {
    private static final Pattern FACTORY = Pattern.compile(
            "[^/]+/(?:metal-|nocloud-)?installer(?:-secureboot)?/([0-9a-f]{64}):(v[0-9][0-9A-Za-z.-]*)");
    private static final Pattern PLAIN = Pattern.compile("ghcr\\.io/siderolabs/installer:(v[0-9][0-9A-Za-z.-]*)");

    /** @return empty if it has neither form */
    static Optional<InstallerImage> parse(String reference) {
        Matcher factory = FACTORY.matcher(reference);
        if (factory.matches()) {
            return Optional.of(new InstallerImage(reference, factory.group(1), factory.group(2)));
        }
        Matcher plain = PLAIN.matcher(reference);
        return plain.matches() ? Optional.of(new InstallerImage(reference, Schematic.of(List.of()).id(),
                plain.group(1))) : Optional.empty();
    }

    boolean isPlain() {
        return PLAIN.matcher(reference).matches();
    }
}
