package dev.pitwall.journey;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The words of all steps, from {@code journey/steps.yaml}. */
public final class StepTexts {
    private static final String FILE = "/journey/steps.yaml";

    private final Map<String, StepText> texts = new LinkedHashMap<>();

    private StepTexts(List<Row> rows) {
        rows.forEach(r -> texts.put(r.id(), new StepText(r.system(), r.title(), r.text())));
    }

    private record Row(String id, String system, String title, String text) {
    }

    public static StepTexts load() {
        try (InputStream in = Objects.requireNonNull(StepTexts.class.getResourceAsStream(FILE), FILE)) {
            return new StepTexts(List.of(new ObjectMapper(new YAMLFactory()).readValue(in, Row[].class)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** These words, and those of a step that is made for one run. */
    public StepTexts with(String step, StepText text) {
        StepTexts more = new StepTexts(List.of());
        more.texts.putAll(texts);
        more.texts.put(step, text);
        return more;
    }

    /** Ids of all steps, in the order in which they are walked. */
    public Set<String> ids() {
        return Collections.unmodifiableSet(texts.keySet());
    }

    /** @throws IllegalArgumentException if the file has no such step */
    public StepText of(String step) {
        return Optional.ofNullable(texts.get(step))
                .orElseThrow(() -> new IllegalArgumentException("no text of step " + step));
    }
}
