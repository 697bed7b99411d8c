package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.world.World;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What runs in images of which nothing particular is known, from {@code lab/kube/programs.yaml}. */
final class GenericPrograms implements Programs {
    private final List<Entry> entries;
    private final World world;

    private GenericPrograms(List<Entry> entries, World world) {
        this.entries = entries;
        this.world = world;
    }

    static GenericPrograms load(World world) {
        try (InputStream in = GenericPrograms.class.getResourceAsStream("/lab/kube/programs.yaml")) {
            return new GenericPrograms(new YAMLMapper().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .readValue(in, Listing.class).programs(), world);
        } catch (IOException e) {
            throw new UncheckedIOException("lab/kube/programs.yaml cannot be read", e);
        }
    }

    private record Listing(List<Entry> programs) {
    }

    /** @param image as in {@code images.yaml}; {@code runs} seconds of a job; {@code starts} seconds until it is ready */
    record Entry(ImageGlob image, Kind kind, double starts, double runs, int exitCode, long memoryMiB,
                 List<String> entry, List<String> log) {
        Entry {
            entry = entry == null ? List.of() : entry;
            log = log == null ? List.of() : log;
        }
    }

    enum Kind { server, job, shell, vectorAdd }

    @Override
    public Optional<Program> find(String image, JsonNode pod, JsonNode container) {
        ImageName name = ImageName.of(image);
        Entry entry = entries.stream()
                .filter(one -> one.image().fits(name.repository() + ":" + name.tag()))
                .findFirst().orElseThrow();
        List<String> words = words(container, entry);
        boolean shell = !words.isEmpty() && Set.of("sh", "bash", "sleep", "echo", "true", "false", "exit", "date")
                .contains(words.getFirst().substring(words.getFirst().lastIndexOf('/') + 1));
        return Optional.of(shell || entry.kind() == Kind.shell ? new ShellProgram(words)
                : entry.kind() == Kind.vectorAdd ? new VectorAdd(world, name.tag()) : new PlainProgram(entry));
    }

    private static List<String> words(JsonNode container, Entry entry) {
        List<String> words = new ArrayList<>();
        container.path("command").forEach(word -> words.add(word.asText()));
        if (words.isEmpty() && (entry.kind() != Kind.shell || container.path("args").isEmpty())) {
            words.addAll(entry.entry());
        }
        container.path("args").forEach(word -> words.add(word.asText()));
        return List.copyOf(words);
    }
}
