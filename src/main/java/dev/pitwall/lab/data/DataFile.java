package dev.pitwall.lab.data;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Reads one file of the lab's data. They come with the jar: one that is not there or cannot be read is a mistake of
 * this version. A record must name every field that its file has.
 */
public final class DataFile {
    private static final ObjectMapper YAML = YAMLMapper.builder().addModule(new JavaTimeModule()).build();
    private static final ObjectMapper JSON = new ObjectMapper();

    private DataFile() {
    }

    /**
     * @param path below {@code lab/}, for example {@code kube/images.yaml}
     * @throws UncheckedIOException if it cannot be read
     */
    public static byte[] bytes(String path) {
        return with(path, InputStream::readAllBytes);
    }

    /** As {@link #bytes}, in UTF-8. */
    public static String text(String path) {
        return new String(bytes(path), StandardCharsets.UTF_8);
    }

    /** A YAML or JSON file as a tree. Errors as with {@link #bytes}. */
    public static JsonNode tree(String path) {
        return with(path, in -> mapper(path).readTree(in));
    }

    /** A YAML or JSON file as a record. Errors as with {@link #bytes}. */
    public static <T> T read(String path, Class<T> type) {
        return with(path, in -> mapper(path).readValue(in, type));
    }

    /** A YAML or JSON file as a list or map. Errors as with {@link #bytes}. */
    public static <T> T read(String path, TypeReference<T> type) {
        return with(path, in -> mapper(path).readValue(in, type));
    }

    private static ObjectMapper mapper(String path) {
        return path.endsWith(".json") ? JSON : YAML;
    }

    @FunctionalInterface
    private interface Reading<T> {
        T read(InputStream in) throws IOException;
    }

    private static <T> T with(String path, Reading<T> reading) {
        try (InputStream in = DataFile.class.getResourceAsStream("/lab/" + path)) {
            if (in == null) {
                throw new FileNotFoundException(path);
            }
            return reading.read(in);
        } catch (IOException e) {
            throw new UncheckedIOException("lab/" + path + " cannot be read", e);
        }
    }
}
