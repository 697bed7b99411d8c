package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What runs in images of which nothing particular is known, from {@code lab/kube/programs.yaml}. */
final class GenericPrograms implements Programs {
    private final List<Entry> entries;

    private GenericPrograms(List<Entry> entries) {
        this.entries = entries;
    }

    static GenericPrograms load() {
        try (InputStream in = GenericPrograms.class.getResourceAsStream("/lab/kube/programs.yaml")) {
            return new GenericPrograms(new YAMLMapper().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .readValue(in, Listing.class).programs());
        } catch (IOException e) {
            throw new UncheckedIOException("lab/kube/programs.yaml cannot be read", e);
        }
    }

    private record Listing(List<Entry> programs) {
    }

    /**
     * @param image  as in {@code images.yaml}
     * @param starts seconds until a server is ready
     * @param runs   seconds of a job
     * @param entry  what it runs without a command of the container's own
     * @param has    commands that are in the image; empty where that is not known, and any is taken to be there
     */
    record Entry(ImageGlob image, Kind kind, double starts, double runs, int exitCode, long memoryMiB,
                 List<String> entry, List<String> has, List<String> log) {
        Entry {
            entry = entry == null ? List.of() : entry;
            has = has == null ? List.of() : has;
            log = log == null ? List.of() : log;
        }
    }

    enum Kind { server, job, shell }

    @Override
    public Optional<Program> find(String image, JsonNode pod, JsonNode container) {
        ImageName name = ImageName.of(image);
        Entry entry = entries.stream()
                .filter(one -> one.image().fits(name.repository() + ":" + name.tag()))
                .findFirst().orElseThrow();
        List<String> words = words(container, entry);
        String command = words.isEmpty() ? "" : words.getFirst();
        if (CommandLine.knows(command)) {
            return Optional.of(new ShellProgram(words));
        }
        boolean own = entry.kind() == Kind.shell ? command.isEmpty()
                : container.path("command").isEmpty() || entry.has().isEmpty() || entry.has().contains(command);
        return Optional.of(!own ? new NotInImage(command) : switch (entry.kind()) {
            case shell -> new ShellProgram(words);
            case server, job -> new PlainProgram(entry);
        });
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
