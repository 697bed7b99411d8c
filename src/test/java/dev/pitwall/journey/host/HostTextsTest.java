package dev.pitwall.journey.host;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class HostTextsTest {
    /** Keys that are put together: their beginnings. */
    private static final Set<String> MADE = Set.of("iommu.adds.", "row.group.06");
    /** Said by {@code Sentences.list}. */
    private static final Set<String> OF_LISTS = Set.of("none", "list");

    @Test
    void noTextIsMissingAndNoneIsUnused() throws IOException {
        Set<String> keys = keys();
        String code = code();
        Set<String> said = Pattern.compile("\"([a-z][A-Za-z]*(?:\\.[a-zA-Z_]+)*)\"").matcher(code).results()
                .map(r -> r.group(1)).collect(Collectors.toCollection(TreeSet::new));

        assertThat(keys).allSatisfy(key -> assertThat(said.contains(key)
                || said.contains(key.replaceFirst("\\.(?:one|many)$", "")) || OF_LISTS.contains(key) || MADE.stream().anyMatch(key::startsWith))
                .as(key).isTrue());
        assertThat(Pattern.compile("say\\(\"([^\"]+)\"[,)]").matcher(code).results().map(r -> r.group(1))).isSubsetOf(keys);
        assertThat(Pattern.compile("count\\(\"([^\"]+)\",").matcher(code).results().map(r -> r.group(1) + ".many"))
                .isSubsetOf(keys);
    }

    private static Set<String> keys() throws IOException {
        Properties texts = new Properties();
        try (InputStream in = HostTextsTest.class.getResourceAsStream("/journey/host.properties")) {
            texts.load(in);
        }
        return new TreeSet<>(texts.stringPropertyNames());
    }

    private static String code() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/java/dev/pitwall/journey/host"))) {
            StringBuilder all = new StringBuilder();
            for (Path file : files.toList()) {
                all.append(Files.readString(file));
            }
            return all.toString();
        }
    }
}
