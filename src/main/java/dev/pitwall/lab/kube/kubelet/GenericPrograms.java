package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.kube.object.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What runs in images of which nothing particular is known, from {@code lab/kube/programs.yaml}. */
final class GenericPrograms implements Programs {
    private final List<Entry> entries;
    private final String idleLog;
    private final Insides insides;

    private GenericPrograms(Listing listing, Insides insides) {
        this.entries = listing.programs();
        this.idleLog = listing.idleLog();
        this.insides = insides;
    }

    static GenericPrograms load(Insides insides) {
        return new GenericPrograms(DataFile.read("kube/programs.yaml", Listing.class), insides);
    }

    private record Listing(String idleLog, List<Entry> programs) {
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

        Entry saying(String line) {
            return new Entry(image, kind, starts, runs, exitCode, memoryMiB, entry, has, List.of(line));
        }
    }

    /** An {@code idle} one is a server that only seems to run, and says so. */
    enum Kind { server, idle, job, shell }

    @Override
    public Optional<Program> find(String image, JsonNode pod, JsonNode container) {
        ImageName name = ImageName.of(image);
        Entry entry = entries.stream()
                .filter(one -> one.image().fits(name.repository() + ":" + name.tag()))
                .findFirst().orElseThrow();
        List<String> words = words(container, entry);
        String command = words.isEmpty() ? "" : words.getFirst();
        if (insides.knows(name, command)) {
            return Optional.of(new ShellProgram(insides, words));
        }
        boolean own = entry.kind() == Kind.shell ? command.isEmpty()
                : container.path("command").isEmpty() || entry.has().isEmpty() || entry.has().contains(command);
        return Optional.of(!own ? new NotInImage(command) : switch (entry.kind()) {
            case shell -> new ShellProgram(insides, words);
            case server, job -> new PlainProgram(entry);
            case idle -> new PlainProgram(entry.saying(idleLog));
        });
    }

    private static List<String> words(JsonNode container, Entry entry) {
        List<String> words = new ArrayList<>(Texts.list(container.path("command")));
        if (words.isEmpty() && (entry.kind() != Kind.shell || container.path("args").isEmpty())) {
            words.addAll(entry.entry());
        }
        words.addAll(Texts.list(container.path("args")));
        return List.copyOf(words);
    }
}
