package dev.pitwall;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Tells a kubeconfig from a site file by its first lines, so that both can stand after {@code --site}. */
final class KubeconfigSniff {
    private static final int LINES = 200;

    private KubeconfigSniff() {
    }

    /** True for YAML with a kubeconfig's top-level keys; a broken one counts too, so that it gets its own message. */
    static boolean isKubeconfig(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.limit(LINES).anyMatch(l -> l.matches("(kind:\\s*Config\\s*|clusters:.*|contexts:.*|current-context:.*)"));
        } catch (MalformedInputException e) {
            return false;
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }
}
