package dev.pitwall.journey.drain;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/** No sentence is missing and none is left over. */
class DrainTextsTest {
    private static final Pattern WORD = Pattern.compile("\"([a-z][a-z.]*)\"");

    @Test
    void everySentenceIsUsedAndEveryUsedOneIsThere() throws IOException {
        Set<String> keys = ResourceBundle.getBundle("journey/drain").keySet().stream()
                .map(key -> key.replaceFirst("\\.(one|many)$", "")).collect(Collectors.toCollection(TreeSet::new));
        String code = Files.readString(Path.of("src/main/java/dev/pitwall/journey/drain/Departure.java"));
        Set<String> words = WORD.matcher(code).results().map(m -> m.group(1)).collect(Collectors.toSet());

        assertThat(words).containsAll(keys);
        assertThat(Pattern.compile("say\\(\"([^\"]+)\"").matcher(code).results().map(m -> m.group(1))).isSubsetOf(keys);
    }
}
