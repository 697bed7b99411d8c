package dev.pitwall.lab.scene;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;

/** The scenes there are and will be. */
public final class SceneIndex {
    private final List<Entry> entries;

    /** @param available false for a scene this version does not have yet */
    public record Entry(String name, String summary, boolean available) {
    }

    public SceneIndex() {
        try (InputStream in = SceneIndex.class.getResourceAsStream("/lab/scenes/index.yaml")) {
            entries = new YAMLMapper().readValue(in, new TypeReference<List<Entry>>() { });
        } catch (IOException e) {
            throw new UncheckedIOException("lab/scenes/index.yaml cannot be read", e);
        }
    }

    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** Names of the scenes that can be started, for messages. */
    public String available() {
        return entries.stream().filter(Entry::available).map(Entry::name).collect(Collectors.joining(", "));
    }
}
