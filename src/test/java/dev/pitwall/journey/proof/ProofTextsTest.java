package dev.pitwall.journey.proof;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** No sentence is missing and none is left over. */
class ProofTextsTest {
    /** Keys that are put together at run time. */
    private static final List<String> BUILT = List.of("none", "proof.ready.new", "proof.ready.failed",
            "proof.ready.booted", "proof.ready.driver", "proof.ready.again", "row.last.good", "row.last.failed",
            "row.last.booted", "row.last.driver");
    private static final Pattern WORD = Pattern.compile("\"([a-z][A-Za-z0-9]*(?:\\.[A-Za-z0-9]+)+)\"");

    @Test
    void everySentenceIsUsedAndEveryUsedOneIsThere() throws IOException {
        Set<String> keys = new TreeSet<>(ResourceBundle.getBundle("journey/proof").keySet());
        Set<String> used = new TreeSet<>(BUILT);
        try (Stream<Path> sources = Files.list(Path.of("src/main/java/dev/pitwall/journey/proof"))) {
            for (Path source : sources.toList()) {
                WORD.matcher(Files.readString(source)).results().map(MatchResult::group)
                        .map(word -> word.substring(1, word.length() - 1)).forEach(used::add);
            }
        }
        used.retainAll(used.stream().filter(w -> !w.endsWith(".yaml") && !w.endsWith(".ai") && !w.startsWith("nvidia.com")).collect(Collectors.toSet()));

        assertThat(keys).isEqualTo(used);
    }
}
