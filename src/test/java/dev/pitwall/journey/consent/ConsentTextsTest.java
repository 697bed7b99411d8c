package dev.pitwall.journey.consent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No sentence is missing and none is left over. */
class ConsentTextsTest {
    private static final Pattern SAID = Pattern.compile("\"([a-z][A-Za-z]*(?:[.][A-Za-z][A-Za-z0-9]*)*)\"");

    @Test
    void everySentenceIsUsedAndEveryUsedOneIsThere() throws IOException {
        Set<String> keys = new TreeSet<>(ResourceBundle.getBundle("journey/consent").keySet());
        Set<String> words = new TreeSet<>();
        try (Stream<Path> sources = Files.list(Path.of("src/main/java/dev/pitwall/journey/consent"))) {
            for (Path source : sources.toList()) {
                SAID.matcher(Files.readString(source)).results().map(m -> m.group(1)).forEach(words::add);
                Pattern.compile("say\\(\"([^\"]+)\"[,)]").matcher(Files.readString(source)).results()
                        .map(m -> m.group(1)).forEach(key -> assertThat(keys).as(source + " says " + key).contains(key));
            }
        }
        assertThat(keys.stream().filter(key -> !words.contains(key))).as("not used").isEmpty();
    }
}
