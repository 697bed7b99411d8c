package dev.pitwall.journey.talos;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads the tables of {@code resources/journey/talos}. They come with the jar: one that cannot be read is a mistake of this version. */
final class TalosData {
    private TalosData() {
    }

    /** The rows of a table below its head; lines that begin with {@code #} are left out. */
    static List<String[]> rows(String name) {
        return text(name).lines().filter(line -> !line.isBlank() && !line.startsWith("#")).skip(1)
                .map(line -> line.split(",", -1)).toList();
    }

    private static String text(String name) {
        try (InputStream in = TalosData.class.getResourceAsStream("/journey/talos/" + name)) {
            if (in == null) {
                throw new FileNotFoundException(name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be read", e);
        }
    }
}
