package dev.pitwall.journey.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DiffTest {

    @Test
    void whatStaysIsNumberedAsItWillBeAndWhatGoesAsItWas() {
        assertThat(words(Diff.of("a\nb\nc\n", "x\na\nc\nd\n"))).containsExactly("ADDED 1 x", "SAME 2 a", "REMOVED 2 b",
                "SAME 3 c", "ADDED 4 d");
    }

    @Test
    void aNewFileIsAllAddedAndARemovedOneAllGone() {
        assertThat(words(Diff.of("", "a\nb\n"))).containsExactly("ADDED 1 a", "ADDED 2 b");
        assertThat(words(Diff.of("a\n", ""))).containsExactly("REMOVED 1 a");
        assertThat(Diff.of("a\n", "a\n")).extracting(DiffLine::sign).containsExactly(DiffLine.Sign.SAME);
    }

    @Test
    void theOldLineStandsAboveTheOneThatReplacesIt() {
        assertThat(words(Diff.of("root=1 quiet\n", "root=1 quiet intel_iommu=on\n")))
                .containsExactly("REMOVED 1 root=1 quiet", "ADDED 1 root=1 quiet intel_iommu=on");
    }

    @Test
    void bothTextsCanBeReadBackFromTheComparison() {
        String before = lines(0, 300, 3);
        String after = lines(0, 300, 5);
        List<DiffLine> diff = Diff.of(before, after);
        assertThat(joined(diff, DiffLine.Sign.ADDED)).isEqualTo(before);
        assertThat(joined(diff, DiffLine.Sign.REMOVED)).isEqualTo(after);
    }

    @Test
    void textsTooLongForTheTableAreShownAsReplacedAtOnce() {
        List<DiffLine> diff = Diff.of(lines(0, 5000, 7), lines(5000, 10_000, 7));
        assertThat(diff).extracting(DiffLine::sign).doesNotContain(DiffLine.Sign.SAME);
    }

    private static String joined(List<DiffLine> diff, DiffLine.Sign without) {
        return diff.stream().filter(l -> l.sign() != without).map(l -> l.text() + "\n").collect(Collectors.joining());
    }

    private static String lines(int from, int to, int leaveOut) {
        return IntStream.range(from, to).filter(i -> i % leaveOut != 0).mapToObj(i -> "line " + i + "\n")
                .collect(Collectors.joining());
    }

    private static List<String> words(List<DiffLine> diff) {
        return diff.stream().map(l -> l.sign() + " " + l.number() + " " + l.text()).toList();
    }
}
