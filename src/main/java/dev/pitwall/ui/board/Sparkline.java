package dev.pitwall.ui.board;

import java.util.List;
import java.util.Optional;
import javafx.scene.AccessibleRole;
import javafx.scene.canvas.GraphicsContext;

/** A curve as bars from nought, the newest at the right and brighter; a gap where nothing was measured. One canvas. */
final class Sparkline extends Drawing {

    static final double WIDTH = 54;
    static final double HEIGHT = 16;
    /** Bars in a card's head. */
    static final int BARS = 18;
    private static final double GAP = 1;

    private final double width;
    private final double height;
    private Curve curve = Curve.NOTHING;
    private Optional<Look> drawn = Optional.empty();

    private record Look(List<Double> bars, double full, Inks inks) {
    }

    /** As it stands in a card's head. */
    Sparkline() {
        this(WIDTH, HEIGHT);
    }

    Sparkline(double width, double height) {
        super("sparkline");
        this.width = width;
        this.height = height;
        canvas().setWidth(width);
        canvas().setHeight(height);
        setMinSize(width, height);
        setPrefSize(width, height);
        setMaxSize(width, height);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
    }

    void show(Curve next) {
        if (!next.spoken().equals(curve.spoken())) {
            setAccessibleText(next.spoken());
            Words.explain(this, next.spoken());
        }
        curve = next;
        draw();
    }

    @Override
    protected void layoutChildren() {
        draw();
    }

    @Override
    void draw() {
        Optional<Look> look = Optional.of(new Look(curve.trend().bars(), curve.full(), inks()));
        if (look.equals(drawn)) {
            return;
        }
        drawn = look;
        GraphicsContext g = canvas().getGraphicsContext2D();
        g.clearRect(0, 0, width, height);
        List<Double> bars = curve.trend().bars();
        double step = width / bars.size();
        for (int i = 0; i < bars.size(); i++) {
            if (!bars.get(i).isNaN()) {
                double tall = Math.max(1, Math.round(Math.clamp(bars.get(i) / curve.full(), 0, 1) * height));
                g.setFill(i == bars.size() - 1 ? inks().lit() : inks().foreign());
                g.fillRect(Math.round(i * step), height - tall, Math.max(1, step - GAP), tall);
            }
        }
    }
}
