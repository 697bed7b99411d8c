package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Source;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Ran;
import dev.pitwall.read.Text;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Looks at one system and keeps what was shown. */
final class Looking {
    private final InstantSource clock;
    private final Map<String, Shown> shown = new ConcurrentHashMap<>();

    Looking(InstantSource clock) {
        this.clock = clock;
    }

    /** All that was shown, by its short name. */
    Map<String, Shown> shown() {
        return Map.copyOf(shown);
    }

    /**
     * Runs a command that reads. One that is not there, fails or hangs has shown what it has shown.
     *
     * @param name under which that is kept
     */
    Ran run(Machine machine, String name, String... command) throws TroubleException, InterruptedException {
        Source source = new Source(Source.Kind.SSH, machine.name(), String.join(" ", command));
        try {
            Ran ran = machine.run(command);
            shown.put(name, new Shown(source, clock.instant(), ran.output() + ran.errors(), ran.ok()));
            return ran;
        } catch (TroubleException e) {
            if (e.trouble().kind() != Kind.TIMEOUT) {
                throw e;
            }
            shown.put(name, new Shown(source, clock.instant(), e.trouble().what(), false));
            return new Ran(OptionalInt.empty(), "", e.trouble().what(), Duration.ZERO);
        }
    }

    String output(Machine machine, String name, String... command) throws TroubleException, InterruptedException {
        return run(machine, name, command).output();
    }

    /** The words that a command printed. */
    List<String> words(Machine machine, String name, String... command) throws TroubleException, InterruptedException {
        return Stream.of(output(machine, name, command).strip().split("\\s+")).filter(w -> !w.isEmpty()).toList();
    }

    /**
     * The contents of small files under {@code /sys}, by path; those that are not there, or empty, are left out.
     *
     * @param paths of files, or of folders whose files are all read
     */
    Map<String, String> attributes(Machine machine, String name, List<String> paths)
            throws TroubleException, InterruptedException {
        String[] command = Stream.concat(Stream.of("grep", "-rsH", "."), paths.stream()).toArray(String[]::new);
        Map<String, String> values = new HashMap<>();
        String printed = output(machine, name, command);
        // That one of them is not there makes grep fail, and is no failure of the look.
        shown.computeIfPresent(name, (n, s) -> new Shown(s.source(), s.at(), s.raw(), !printed.isBlank()));
        printed.lines().forEach(line -> paths.stream().filter(line::startsWith).findFirst()
                .ifPresent(path -> {
                    // A PCI address in the path has colons of its own.
                    int colon = line.indexOf(':', path.length());
                    if (colon > 0) {
                        values.put(line.substring(0, colon), line.substring(colon + 1).strip());
                    }
                }));
        return values;
    }

    /** Keeps an answer of the API. */
    JsonNode keep(String name, String system, String path, JsonNode data) {
        shown.put(name, new Shown(new Source(Source.Kind.PROXMOX, system, "GET /" + path), clock.instant(),
                data.toPrettyString(), true));
        return data;
    }

    /** Keeps that the API refused, or has no such thing. */
    void refused(String name, String system, String path, String why) {
        shown.put(name, new Shown(new Source(Source.Kind.PROXMOX, system, "GET /" + path), clock.instant(), why,
                false));
    }

    /** Keeps an answer that may not be there. */
    Optional<JsonNode> keep(String name, String system, String path, Optional<JsonNode> data) {
        data.ifPresentOrElse(found -> keep(name, system, path, found),
                () -> refused(name, system, path, "not there, or not allowed"));
        return data;
    }

    void keep(String name, Shown what) {
        shown.put(name, what);
    }

    /** What a command printed that has ended is whole, even without a last line end. */
    static Text whole(String output) {
        return Text.of(output, Text.Ending.WHOLE);
    }
}
