package dev.pitwall.ui.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.journey.Watcher;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LogLinesTest {

    private final List<Runnable> drawings = new ArrayList<>();
    private final LogLines log = new LogLines(draw -> () -> drawings.add(draw));

    @Test
    void linesComeIntoViewInBulk() {
        add(0, 3);
        assertThat(log.shown()).isEmpty();
        drawings.getFirst().run();
        assertThat(log.shown()).extracting(Watcher.Line::text).containsExactly("0", "1", "2");
    }

    @Test
    void onlyTheLastLinesAreKept() {
        add(0, 1500);
        drawings.getLast().run();
        add(1500, 2300);
        drawings.getLast().run();
        assertThat(log.shown()).hasSize(LogLines.KEPT);
        assertThat(log.shown().getFirst().text()).isEqualTo("300");
        assertThat(log.shown().getLast().text()).isEqualTo("2299");
    }

    @Test
    void aFloodThatNobodyCouldReadIsNotKeptToBeDrawn() {
        add(0, 10_000);
        drawings.getLast().run();
        assertThat(log.shown()).hasSize(LogLines.KEPT);
        assertThat(log.shown().getFirst().text()).isEqualTo("8000");
    }

    private void add(int from, int to) {
        for (int i = from; i < to; i++) {
            log.add(new Watcher.Line(Instant.EPOCH, "pve2 ssh", Integer.toString(i), Optional.empty(), Optional.empty()));
        }
    }
}
