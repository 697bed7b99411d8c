package dev.pitwall.ui.board;

import dev.pitwall.engine.figure.Trend;
import java.time.Duration;

/**
 * What a sparkline shows.
 *
 * @param full   the value of a bar of full height, above 0
 * @param words  now, least and most, for the line beside it
 * @param spoken the same in a sentence, for those who do not see it
 */
record Curve(Trend trend, double full, String words, String spoken) {
    static final Curve NOTHING = new Curve(Trend.nothing(Duration.ofHours(1), Sparkline.BARS), 1, "", "");
}
