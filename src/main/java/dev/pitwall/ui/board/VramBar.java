package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ModelName;
import dev.pitwall.ui.theme.Motion;
import java.util.Optional;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.paint.Color;
import javafx.scene.paint.CycleMethod;
import javafx.scene.paint.LinearGradient;
import javafx.scene.paint.Paint;
import javafx.scene.paint.Stop;

/** A card's memory on one canvas. */
final class VramBar extends Drawing {

    /** The hatch: 2 px of every 4, at 45°. */
    private static final double HATCH = 4 / Math.sqrt(2);
    private static final double GAP = 1;
    private static final double EDGE = 1;
    private static final double NARROWEST_RESERVE = 4;

    private Bar bar = Bar.UNKNOWN;
    private Bar before = Bar.UNKNOWN;
    private Bar seen = Bar.UNKNOWN;
    private final Glide glide = new Glide(this::glide);
    private Optional<ModelName> highlighted = Optional.empty();
    private Optional<Look> drawn = Optional.empty();

    private record Look(double width, double height, Bar bar, Optional<ModelName> highlighted, Inks inks) {
    }

    VramBar() {
        super("vram-bar");
        canvas().setLayoutX(EDGE);
        canvas().setLayoutY(EDGE);
    }

    /** @param motion whether its parts glide to their new sizes */
    void show(Bar next, Motion motion) {
        if (!next.equals(bar)) {
            before = seen;
            bar = next;
            glide.start(motion);
        }
    }

    private void glide(double share) {
        seen = bar.from(before, share);
        draw();
    }

    /** Is as it is to be at once. */
    void settle() {
        glide.settle();
    }

    /** What is drawn now. */
    Bar seen() {
        return seen;
    }

    /** Lights up the part of a model. */
    void highlight(Optional<ModelName> model) {
        if (!model.equals(highlighted)) {
            highlighted = model;
            draw();
        }
    }

    /** The model whose part is at this place, in the bar's own coordinates. */
    Optional<ModelName> at(double x) {
        double left = EDGE;
        for (Bar.Part part : bar.parts()) {
            double right = left + width(part.bytes());
            if (x >= left && x < right) {
                return part.model();
            }
            left = right;
        }
        return Optional.empty();
    }

    private double width(long bytes) {
        return bar.total() == 0 ? 0 : canvas().getWidth() * bytes / bar.total();
    }

    @Override
    protected void layoutChildren() {
        canvas().setWidth(Math.max(0, getWidth() - 2 * EDGE));
        canvas().setHeight(Math.max(0, getHeight() - 2 * EDGE));
        draw();
    }

    @Override
    void draw() {
        double w = canvas().getWidth();
        double h = canvas().getHeight();
        Optional<Look> look = Optional.of(new Look(w, h, seen, highlighted, inks()));
        if (w <= 0 || look.equals(drawn)) {
            return;
        }
        drawn = look;
        GraphicsContext g = canvas().getGraphicsContext2D();
        g.clearRect(0, 0, w, h);
        double left = 0;
        for (Bar.Part part : seen.parts()) {
            double right = Math.min(w, left + width(part.bytes()));
            double x = Math.round(left);
            part(g, part, x, Math.max(1, Math.round(right) - x - GAP), h);
            left = right;
        }
        if (seen.reserve() > 0) {
            double width = Math.max(NARROWEST_RESERVE, Math.round(width(seen.reserve())));
            outline(g, inks().foreign(), 1, Math.round(w - width), width, h);
        }
    }

    private void part(GraphicsContext g, Bar.Part part, double x, double width, double h) {
        if (part.fill() == Fill.VICTIM) {
            outline(g, inks().victim(), 2, x, width, h);
        } else {
            g.setFill(paint(part.fill()));
            g.fillRect(x, 0, width, h);
        }
        if (part.model().isPresent() && part.model().equals(highlighted)) {
            outline(g, inks().lit(), 2, x, width, h);
        }
    }

    private static void outline(GraphicsContext g, Color ink, double line, double x, double width, double h) {
        g.setStroke(ink);
        g.setLineWidth(line);
        g.strokeRect(x + line / 2, line / 2, Math.max(0, width - line), h - line);
    }

    private Paint paint(Fill fill) {
        Inks inks = inks();
        return switch (fill) {
            case BUSY -> inks.busy();
            case IDLE -> inks.idle();
            case ESTIMATED -> new LinearGradient(0, 0, HATCH, HATCH, false, CycleMethod.REPEAT, new Stop(0, inks.hatch()),
                    new Stop(0.5, inks.hatch()), new Stop(0.5, inks.busy()), new Stop(1, inks.busy()));
            case FOREIGN -> inks.foreign();
            case RESERVE, VICTIM -> Color.TRANSPARENT;
        };
    }
}
