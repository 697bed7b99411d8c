package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Wherever a text is cut, reading it never throws, and every value equals the one of the whole text or is absent.
 * Fields that say something of the text as a whole are left out of the comparison.
 */
class TruncationTest {

    private static final Set<String> ABOUT_THE_TEXT = Set.of("notes", "confidence", "file", "longestWaitSeconds",
            "longestStep", "stream", "problems", "also");
    /** What the lines prove grows with every line. */
    private static final Set<String> GROWING = Set.of("/iommu/state", "/bootloader", "/layout");

    private final Map<String, JsonNode> wholes = new ConcurrentHashMap<>();
    private final Recognizer recognizer = new Recognizer();
    private final ReadJson writer = new ReadJson();

    record Cut(String text, int at) {
        @Override
        public String toString() {
            return "cut at " + at + ": …" + text.substring(Math.max(0, at - 60), at).replace("\n", "⏎");
        }
    }

    @Provide
    Arbitrary<Cut> cuts() {
        return Arbitraries.of(Samples.all()).flatMap(text -> Combinators.combine(Arbitraries.just(text),
                Arbitraries.integers().between(0, text.length())).as(Cut::new));
    }

    @Property(tries = 3000)
    void aCutTextGivesNothingThatTheWholeDoesNot(@ForAll("cuts") Cut cut) {
        check(cut);
    }

    @Test
    void noCutOfASmallRealOutputInventsAnything() {
        for (String name : Samples.in("raw")) {
            String text = Samples.text(name);
            for (int at = 0; at <= text.length(); at++) {
                check(new Cut(text, at));
            }
        }
    }

    @Test
    void noCutAtALineOfAQueryInXmlTakesTheSecondBestFigure() {
        for (String name : Samples.in("nvidia-smi")) {
            String text = Samples.text(name);
            for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
                if (text.substring(0, at).lastIndexOf("power_draw") > at - 120) {
                    check(new Cut(text, at + 1));
                }
            }
        }
    }

    private void check(Cut cut) {
        JsonNode whole = wholes.computeIfAbsent(cut.text(), Samples::read);
        switch (recognizer.recognise(Text.of(cut.text().substring(0, cut.at()), Text.Ending.MAYBE_CUT))) {
            case Recognizer.NotRecognised n -> assertThat(n.tried()).isNotEmpty();
            case Recognizer.Recognised r -> {
                List<String> invented = new ArrayList<>();
                JsonNode part = writer.write("sample", r, List.of());
                // Cut before what makes an object special, it is still rightly called a Kubernetes object.
                if (!part.path("kind").asText().equals("kubernetes-objects")) {
                    compare("", part, whole, invented);
                }
                assertThat(invented).as(cut.toString()).isEmpty();
            }
        }
    }

    private static void compare(String path, JsonNode part, JsonNode whole, List<String> invented) {
        if (part.isNull() || GROWING.contains(path)) {
            return;
        }
        if (part.isObject()) {
            part.properties().stream().filter(e -> !ABOUT_THE_TEXT.contains(e.getKey()))
                    .forEach(e -> compare(path + "/" + e.getKey(), e.getValue(), whole.path(e.getKey()), invented));
        } else if (part.isArray()) {
            for (int i = 0; i < part.size(); i++) {
                compare(path + "/" + i, part.get(i), whole.path(i), invented);
            }
        } else if (part.isTextual() && part.asText().endsWith("…")) {
            if (!whole.asText().startsWith(part.asText().substring(0, part.asText().length() - 1))) {
                invented.add(path + " " + part + " of " + whole);
            }
        } else if (!part.equals(whole)) {
            invented.add(path + " " + part + " instead of " + whole);
        }
    }
}
