package dev.pitwall.ui.board;

import dev.pitwall.engine.figure.Figure;
import dev.pitwall.engine.figure.Point;
import dev.pitwall.engine.figure.Trend;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Puts points into curves with their words. Pure. */
final class Curves {
    private static final double PERCENT = 100;
    private static final double MIB_OF_GIB = 1024;

    private final Texts texts;

    Curves(Texts texts) {
        this.texts = texts;
    }

    /** @param points of one curve, or of several that are alike; @param widest how many bars there may be */
    Curve of(Figure figure, List<Point> points, CurveTime time, Instant now, int widest) {
        Trend trend = Trend.of(points, now, time.over(), time.bars(points, widest));
        String over = over(time);
        String name = texts.get("board.figure.name." + figure.name().toLowerCase(Locale.ROOT));
        if (trend.isEmpty()) {
            return new Curve(trend, 1, texts.get("board.figures.unmeasured"), texts.get("board.figures.spoken.none", name, over));
        }
        String least = number(figure, trend.least());
        String most = number(figure, trend.most());
        String last = number(figure, trend.last());
        String unit = texts.get("board.figure.unit." + figure.name().toLowerCase(Locale.ROOT));
        double full = figure == Figure.UTILISATION ? 1 : Math.max(Double.MIN_NORMAL, trend.most().orElse(1));
        return new Curve(trend, full, texts.get("board.figures.words", last, unit, least, most),
                texts.get("board.figures.spoken", name, last, unit, least, most, over));
    }

    /** For example "hour", or "5 min". */
    String over(CurveTime time) {
        return time.isWhole() ? texts.get("board.figures.over." + time.asked().name().toLowerCase(Locale.ROOT))
                : Ages.span(time.over());
    }

    private static String number(Figure figure, OptionalDouble value) {
        double v = value.orElse(0);
        return switch (figure) {
            case MEMORY -> String.format(Locale.ROOT, "%.1f", v / MIB_OF_GIB);
            case UTILISATION -> Long.toString(Math.round(v * PERCENT));
            case TEMPERATURE, POWER -> Long.toString(Math.round(v));
            case TOKENS -> rate(v);
        };
    }

    /** Tokens a second, with a tenth where that tells something. */
    static String rate(double tokensPerSecond) {
        return tokensPerSecond < 10 ? String.format(Locale.ROOT, "%.1f", tokensPerSecond)
                : Long.toString(Math.round(tokensPerSecond));
    }
}
