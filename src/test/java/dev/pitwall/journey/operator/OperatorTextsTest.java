package dev.pitwall.journey.operator;

import dev.pitwall.card.OperandTower.Kind;
import dev.pitwall.journey.StepTexts;
import dev.pitwall.journey.survey.ClusterSurvey.Distribution;
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
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** No sentence is missing and none is left over. */
class OperatorTextsTest {
    private static final Pattern SAID = Pattern.compile("\"([a-z][A-Za-z]*(?:[.][A-Za-z][A-Za-z0-9-]*)*)\"");
    /** Beginnings of keys whose end is put together at run time. */
    private static final List<String> BUILT = List.of("distribution.", "tier.", "init.", "note.containerd.", "ask.stack.",
            "value.memory.", "sharing.note.", "sharing.mig.", "owner.note.");

    @Test
    void everySentenceIsUsedAndEveryUsedOneIsThere() throws IOException {
        Set<String> keys = new TreeSet<>(ResourceBundle.getBundle("journey/operator").keySet());
        Set<String> words = new TreeSet<>();
        try (Stream<Path> sources = Files.list(Path.of("src/main/java/dev/pitwall/journey/operator"))) {
            for (Path source : sources.toList()) {
                SAID.matcher(Files.readString(source)).results().map(MatchResult::group)
                        .map(w -> w.substring(1, w.length() - 1)).forEach(words::add);
                Pattern.compile("say\\(\"([^\"]+)\"[,)]").matcher(Files.readString(source)).results()
                        .map(m -> m.group(1)).forEach(key -> assertThat(keys).as(source + " says " + key).contains(key));
            }
        }
        assertThat(keys.stream().filter(k -> !words.contains(k) && BUILT.stream().noneMatch(k::startsWith)))
                .as("not used").isEmpty();
        for (Kind kind : Kind.values()) {
            assertThat(keys).contains("tier." + kind);
        }
        for (Distribution distribution : Distribution.values()) {
            assertThat(keys).contains("distribution." + distribution, "note.containerd." + distribution);
        }
    }

    @Test
    void everyStepHasItsWords() {
        StepTexts texts = StepTexts.load();

        CardScene.STEPS.forEach(step -> assertThat(texts.of(step.id()).system()).isEqualTo("cluster"));
    }
}
