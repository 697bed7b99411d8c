package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.doctor.sign.Hint;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** What is looked at in the shells of machines, from {@code doctor/looks.yaml}. */
record Looks(List<Look> all) {
    private static final String FILE = "/doctor/looks.yaml";

    /** What a machine is to a site. */
    enum Role { HOST, NODE }

    /** @param instead asked where the command fails; empty for nothing */
    record Look(List<String> run, List<String> instead, Hint hint, Set<Role> on) {
    }

    static Looks load() {
        try (InputStream in = Objects.requireNonNull(Looks.class.getResourceAsStream(FILE), FILE)) {
            return new Looks(new YAMLMapper().readTree(in).valueStream().map(Looks::look).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(FILE + " is part of the jar and must be readable", e);
        }
    }

    private static Look look(JsonNode entry) {
        return new Look(words(entry.path("run")), words(entry.path("instead")), Hint.named(entry.path("hint").asText()),
                entry.path("on").valueStream().map(role -> Role.valueOf(role.asText().toUpperCase(Locale.ROOT)))
                        .collect(Collectors.toSet()));
    }

    private static List<String> words(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }

    List<Look> of(Role role) {
        return all.stream().filter(look -> look.on().contains(role)).toList();
    }
}
