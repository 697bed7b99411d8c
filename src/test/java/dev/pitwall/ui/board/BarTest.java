package dev.pitwall.ui.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.engine.live.ModelName;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BarTest {
    private static final Bar BEFORE = new Bar(100, List.of(part("a", 20), part("b", 40), others(10)), 4);
    private static final Bar AFTER = new Bar(100, List.of(part("a", 30), others(10), part("c", 8)), 8);

    private static Bar.Part part(String model, long bytes) {
        return new Bar.Part(Fill.IDLE, bytes, Optional.of(new ModelName(model)));
    }

    private static Bar.Part others(long bytes) {
        return new Bar.Part(Fill.FOREIGN, bytes, Optional.empty());
    }

    @Test
    void halfWayWhatStaysIsBetweenItsSizesWhatComesHasHalfAndWhatWentHasHalfInItsPlace() {
        assertThat(AFTER.from(BEFORE, 0.5)).isEqualTo(new Bar(100, List.of(part("a", 25), part("b", 20), others(10), part("c", 4)), 6));
    }

    @Test
    void atTheEndNothingIsLeftOfWhatWentAndAnotherCardsBarIsNoWayToThis() {
        assertThat(AFTER.from(BEFORE, 1)).isEqualTo(AFTER);
        assertThat(AFTER.from(new Bar(50, BEFORE.parts(), 4), 0.1)).isEqualTo(AFTER);
    }
}
