package dev.pitwall.engine.vram;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The tables in {@code resources/engine}. They come with the jar: one that cannot be read is a mistake of this version. */
final class EngineData {
    private EngineData() {
    }

    static <T> T yaml(String file, Class<T> type) {
        try (InputStream in = open(file)) {
            return YAMLMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.LOWER_CAMEL_CASE)
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build().readValue(in, type);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    /** The rows below the heading, without comments. */
    static List<String[]> csv(String file) {
        try (InputStream in = open(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(l -> !l.isBlank() && !l.startsWith("#")).skip(1).map(l -> l.split(",")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    private static InputStream open(String file) {
        return Objects.requireNonNull(EngineData.class.getResourceAsStream("/engine/" + file), file);
    }
}
