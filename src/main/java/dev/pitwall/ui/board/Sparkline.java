package dev.pitwall.ui.board;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import javafx.scene.canvas.GraphicsContext;

/** How busy a card was since the window shows it: one bar a sample, the newest at the right and brighter. */
final class Sparkline extends Drawing {

    /** Samples that are kept and drawn. */
    static final int KEPT = 12;
    static final double WIDTH = 54;
    static final double HEIGHT = 16;
    private static final double STEP = WIDTH / KEPT;
    private static final double GAP = 1.5;

    private List<Double> samples = List.of();
    private Optional<Look> drawn = Optional.empty();

    private record Look(List<Double> samples, Inks inks) {
    }

    Sparkline() {
        super("sparkline");
        canvas().setWidth(WIDTH);
        canvas().setHeight(HEIGHT);
    }

    /** @param next 0 to 1 each, the oldest first */
    void show(List<Double> next) {
        samples = next;
        draw();
    }

    @Override
    protected void layoutChildren() {
        draw();
    }

    @Override
    void draw() {
        Optional<Look> look = Optional.of(new Look(samples, inks()));
        if (look.equals(drawn)) {
            return;
        }
        drawn = look;
        GraphicsContext g = canvas().getGraphicsContext2D();
        g.clearRect(0, 0, WIDTH, HEIGHT);
        int first = KEPT - samples.size();
        for (int i = 0; i < samples.size(); i++) {
            double height = Math.max(1, Math.round(Math.clamp(samples.get(i), 0, 1) * HEIGHT));
            g.setFill(i == samples.size() - 1 ? inks().lit() : inks().foreign());
            g.fillRect(Math.round((first + i) * STEP), HEIGHT - height, STEP - GAP, height);
        }
    }

    /** The last samples of one card. */
    static final class Samples {
        private final Deque<Double> kept = new ArrayDeque<>();

        void add(OptionalDouble sample) {
            sample.ifPresent(s -> {
                kept.addLast(s);
                if (kept.size() > KEPT) {
                    kept.removeFirst();
                }
            });
        }

        List<Double> all() {
            return List.copyOf(kept);
        }
    }
}
