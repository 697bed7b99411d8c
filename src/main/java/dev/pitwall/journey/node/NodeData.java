package dev.pitwall.journey.node;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Reads a table of {@code journey/}. They come with the jar: one that cannot be read is a mistake of this version. */
final class NodeData {
    private static final YAMLMapper YAML = YAMLMapper.builder().enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .build();

    private NodeData() {
    }

    static <T> T read(String name, Class<T> type) {
        return read(name, YAML.constructType(type));
    }

    /** Rows of a table. */
    static <T> List<T> rows(String name, Class<T> row) {
        return read(name, YAML.getTypeFactory().constructCollectionType(List.class, row));
    }

    /** Rows by their name. */
    static <T> Map<String, T> named(String name, Class<T> row) {
        return read(name, YAML.getTypeFactory().constructMapType(Map.class, String.class, row));
    }

    private static <T> T read(String name, JavaType type) {
        try (InputStream in = NodeData.class.getResourceAsStream("/journey/" + name)) {
            if (in == null) {
                throw new FileNotFoundException(name);
            }
            return YAML.readValue(in, type);
        } catch (IOException e) {
            throw new UncheckedIOException("journey/" + name + " cannot be read", e);
        }
    }
}
