package dev.pitwall.ui.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ExcerptTest {

    @Test
    void aFewLinesAroundWhatMattersShowAndTheRestAreGaps() {
        assertThat(words(Excerpt.of(20, Set.of(10)::contains, 2, 40)))
                .containsExactly("GAP 0-8", "LINES 8-13", "GAP 13-20");
    }

    @Test
    void aGapOfOneLineIsTheLine() {
        assertThat(words(Excerpt.of(10, Set.of(1, 6)::contains, 2, 40))).containsExactly("LINES 0-10");
    }

    @Test
    void whereNothingMattersTheBeginningShows() {
        assertThat(words(Excerpt.of(100, _ -> false, 3, 40))).containsExactly("LINES 0-40", "GAP 40-100");
        assertThat(words(Excerpt.of(300, _ -> true, 3, 40))).containsExactly("LINES 0-40", "GAP 40-300");
        assertThat(Excerpt.of(0, _ -> true, 3, 40)).isEmpty();
    }

    @Property(tries = 200)
    void thePiecesCoverAllLinesInOrder(@ForAll @IntRange(max = 200) int lines, @ForAll Set<@IntRange(max = 200) Integer> matter) {
        int next = 0;
        for (Excerpt.Piece piece : Excerpt.of(lines, matter::contains, 3, 40)) {
            assertThat(piece.from()).isEqualTo(next);
            assertThat(piece.size()).isPositive();
            next = piece.to();
        }
        assertThat(next).isEqualTo(lines);
    }

    private static List<String> words(List<Excerpt.Piece> pieces) {
        return pieces.stream().map(p -> p.kind() + " " + p.from() + "-" + p.to()).toList();
    }
}
