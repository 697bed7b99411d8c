package dev.pitwall.journey.node;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** No sentence is missing and none is left over. */
class NodeTextsTest {
    /** Keys that are put together at run time. */
    private static final Pattern BUILT = Pattern.compile("build\\..+|engine\\..+|type\\..+|.+\\.(one|many)|none|list|recommended"
            + "|initramfs|driver\\.operator\\.note|driver\\.os\\.note");
    private static final Pattern WORD = Pattern.compile("\"([a-z][A-Za-z0-9]*(?:\\.[A-Za-z0-9]+)+)\"");

    @Test
    void everySentenceIsUsedAndEveryUsedOneIsThere() throws IOException {
        Set<String> keys = new TreeSet<>(ResourceBundle.getBundle("journey/node").keySet());
        Set<String> used = new TreeSet<>();
        try (Stream<Path> sources = Files.list(Path.of("src/main/java/dev/pitwall/journey/node"))) {
            for (Path source : sources.toList()) {
                WORD.matcher(Files.readString(source)).results().map(MatchResult::group)
                        .map(word -> word.substring(1, word.length() - 1)).forEach(used::add);
            }
        }
        Set<String> counted = new TreeSet<>(keys);
        counted.removeIf(key -> BUILT.matcher(key).matches());
        assertThat(used).containsAll(counted);
        assertThat(used).allMatch(key -> keys.contains(key) || keys.contains(key + ".one") || key.endsWith(".yaml")
                || key.endsWith(".csv") || key.contains("nvidia.com") || key.contains("nvidia."));
    }
}
