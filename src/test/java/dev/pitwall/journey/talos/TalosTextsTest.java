package dev.pitwall.journey.talos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TalosTextsTest {
    /** Of {@code Sentences.list}. */
    private static final Set<String> ELSEWHERE = Set.of("none", "list");

    @Test
    void everySentenceIsUsed() throws Exception {
        Properties texts = new Properties();
        try (var in = Files.newBufferedReader(Path.of("resources/journey/talos.properties"))) {
            texts.load(in);
        }
        StringBuilder code = new StringBuilder();
        try (Stream<Path> files = Files.list(Path.of("src/main/java/dev/pitwall/journey/talos"))) {
            for (Path file : files.toList()) {
                code.append(Files.readString(file));
            }
        }
        Set<String> unused = new TreeSet<>(texts.stringPropertyNames());
        unused.removeIf(key -> ELSEWHERE.contains(key) || code.indexOf("\"" + key + "\"") >= 0);

        assertThat(unused).isEqualTo(Set.copyOf(List.of()));
    }
}
