package dev.pitwall.doctor.fix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The cures that Pitwall makes itself, from {@code doctor/cures.yaml}. */
public final class CureBook {
    private static final String FILE = "/doctor/cures.yaml";

    private final Map<String, Cure> cures;

    private CureBook(Map<String, Cure> cures) {
        this.cures = cures;
    }

    /**
     * A cure.
     *
     * @param title  as a step of a run is called
     * @param normal how long it may take after the changes until the finding is gone
     * @param notes  what a person should know before, one sentence each
     * @param doses  what is changed, in order: one field each, its name the kind of dose
     */
    public record Cure(String name, String title, Duration normal, List<String> notes, List<JsonNode> doses) {
        public Cure {
            notes = List.copyOf(notes);
            doses = List.copyOf(doses);
        }
    }

    /** Reads the book that is part of the jar. */
    public static CureBook load() {
        try (InputStream in = Objects.requireNonNull(CureBook.class.getResourceAsStream(FILE), FILE)) {
            Map<String, Cure> cures = new LinkedHashMap<>();
            new YAMLMapper().readTree(in).forEach(entry -> cures.put(entry.path("cure").asText(), cure(entry)));
            return new CureBook(cures);
        } catch (IOException e) {
            throw new UncheckedIOException(FILE + " is part of the jar and must be readable", e);
        }
    }

    private static Cure cure(JsonNode entry) {
        return new Cure(entry.path("cure").asText(), entry.path("title").asText(),
                Duration.parse(entry.path("normal").asText()),
                entry.path("notes").valueStream().map(JsonNode::asText).toList(), entry.path("changes").valueStream().toList());
    }

    /** @return empty if there is none of this name */
    public Optional<Cure> named(String name) {
        return Optional.ofNullable(cures.get(name));
    }

    /** Names of all cures. */
    public Set<String> names() {
        return cures.keySet();
    }
}
