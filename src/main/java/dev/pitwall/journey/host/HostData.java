package dev.pitwall.journey.host;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Reads one of the tables of the host steps. They come with the jar: one that cannot be read is a mistake of this
 * version.
 */
final class HostData {
    private static final YAMLMapper YAML = new YAMLMapper();

    private HostData() {
    }

    /** @param name of the file in {@code journey/}, for example {@code host-times.yaml} */
    static <T> T read(String name, TypeReference<T> type) {
        try (InputStream in = HostData.class.getResourceAsStream("/journey/" + name)) {
            if (in == null) {
                throw new FileNotFoundException(name);
            }
            return YAML.readValue(in, type);
        } catch (IOException e) {
            throw new UncheckedIOException("journey/" + name + " cannot be read", e);
        }
    }
}
