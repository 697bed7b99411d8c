package dev.pitwall.lab.scene;

import com.fasterxml.jackson.core.type.TypeReference;

import dev.pitwall.lab.data.DataFile;
import java.util.List;
import java.util.stream.Collectors;

/** The scenes there are and will be. */
public final class SceneIndex {
    private final List<Entry> entries;

    /** @param available false for a scene this version does not have yet */
    public record Entry(String name, String summary, boolean available) {
    }

    public SceneIndex() {
        entries = DataFile.read("scenes/index.yaml", new TypeReference<List<Entry>>() { });
    }

    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** Names of the scenes that can be started, for messages. */
    public String available() {
        return entries.stream().filter(Entry::available).map(Entry::name).collect(Collectors.joining(", "));
    }
}
