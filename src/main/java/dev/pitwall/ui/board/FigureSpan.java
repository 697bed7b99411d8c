package dev.pitwall.ui.board;

import java.time.Duration;

/** How much of the past is shown. */
enum FigureSpan {
    HOUR(Duration.ofHours(1)), DAY(Duration.ofDays(1)), MONTH(Duration.ofDays(30));

    private final Duration time;

    FigureSpan(Duration time) {
        this.time = time;
    }

    Duration time() {
        return time;
    }
}
