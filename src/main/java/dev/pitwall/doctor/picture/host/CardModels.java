package dev.pitwall.doctor.picture.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.re2j.Pattern;
import dev.pitwall.journey.node.Generation;
import dev.pitwall.journey.node.Generations;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tells the generation of a card by the name it is sold under, where a text has no more. */
final class CardModels {
    private static final String TABLE = "/doctor/card-models.yaml";
    private final Generations generations;
    private final List<Entry> entries = new ArrayList<>();

    private record Entry(String family, Pattern names) {
    }

    CardModels(Generations generations) {
        this.generations = generations;
        try (InputStream in = CardModels.class.getResourceAsStream(TABLE)) {
            for (JsonNode entry : new YAMLMapper().readTree(in)) {
                entries.add(new Entry(entry.path("generation").asText(),
                        Pattern.compile(entry.path("names").asText(), Pattern.CASE_INSENSITIVE)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(TABLE + " is part of the jar and must be readable", e);
        }
    }

    /** @param model for example {@code RTX 5090} or {@code A100} */
    Optional<Generation> of(String model) {
        return entries.stream().filter(e -> e.names().matcher(model.strip()).matches()).findFirst()
                .flatMap(e -> generations.ofFamily(e.family()));
    }
}
