package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.ui.theme.Motion;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javafx.animation.AnimationTimer;
import javafx.animation.Interpolator;
import javafx.geometry.Bounds;
import javafx.scene.layout.Pane;
import javafx.scene.layout.VBox;

/**
 * A model that comes to a card flies there from where it was: where it was dropped, its row on another card, or the shelf.
 * What flies lies on a layer that the pointer goes through; the board itself is at once as it is. Used on the window's thread.
 */
final class Flights {

    private static final long TIME = TimeUnit.MILLISECONDS.toNanos(220);
    /** A row that is not made by then is not waited for. */
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(500);
    /** What was dropped comes to its card within that, or something else brought it there. */
    private static final long DROPPED = TimeUnit.SECONDS.toNanos(2);
    /** More at once are no moves that somebody follows with the eye. */
    private static final int MOST = 6;

    private final Pane layer;
    private final Function<PlacementId, Optional<Bounds>> rows;
    private final Function<ModelName, Optional<Bounds>> shelf;
    private final Map<PlacementId, Flight> flying = new LinkedHashMap<>();
    private final Map<ModelName, Dropped> dropped = new HashMap<>();
    private Set<PlacementId> there = Set.of();
    private final AnimationTimer frames = new AnimationTimer() {
        @Override
        public void handle(long now) {
            frame(now);
        }
    };

    private record Dropped(Bounds at, long when) {
    }

    /**
     * @param rows  where a placement's row is in the scene, while it is in sight
     * @param shelf where a model's line of the shelf is, while it is in sight
     */
    Flights(Pane layer, Function<PlacementId, Optional<Bounds>> rows, Function<ModelName, Optional<Bounds>> shelf) {
        this.layer = layer;
        this.rows = rows;
        this.shelf = shelf;
    }

    /** They have been let go there, in the scene; when one of them comes to a card it flies from there. */
    void dropped(List<ModelName> models, Bounds at) {
        long now = System.nanoTime();
        models.forEach(model -> dropped.put(model, new Dropped(at, now)));
    }

    /** To be told before the cards show what they hold now: until then they show where it was. */
    void follow(Collection<ColumnLine> next, Motion motion) {
        Set<PlacementId> before = there;
        there = new HashSet<>();
        next.forEach(column -> column.placements().forEach(p -> there.add(p.id())));
        flying.keySet().stream().filter(id -> !there.contains(id)).toList().forEach(this::end);
        long now = System.nanoTime();
        dropped.values().removeIf(d -> now - d.when() > DROPPED);
        if (before.isEmpty() || motion == Motion.NONE) {
            return;
        }
        List<PlacementId> came = there.stream().filter(id -> !before.contains(id)).toList();
        if (came.size() <= MOST) {
            came.forEach(id -> from(id, before).ifPresent(bounds -> begin(id, bounds)));
        }
    }

    private Optional<Bounds> from(PlacementId id, Set<PlacementId> before) {
        return Optional.ofNullable(dropped.remove(id.model())).map(Dropped::at)
                .or(() -> before.stream().filter(b -> b.model().equals(id.model())).flatMap(b -> rows.apply(b).stream()).findFirst())
                .or(() -> shelf.apply(id.model()));
    }

    private void begin(PlacementId id, Bounds from) {
        end(id);
        flying.put(id, new Flight(id, from));
        frames.start();
    }

    private void frame(long now) {
        List.copyOf(flying.values()).forEach(flight -> flight.frame(now));
    }

    private void end(PlacementId id) {
        Optional.ofNullable(flying.remove(id)).ifPresent(flight -> layer.getChildren().remove(flight.chip));
        if (flying.isEmpty()) {
            frames.stop();
        }
    }

    /** Nothing flies any more, and what comes next is no move: another site shows, or the page goes. */
    void clear() {
        List.copyOf(flying.keySet()).forEach(this::end);
        dropped.clear();
        there = Set.of();
    }

    /** One chip on its way to a row, wherever that is by then. */
    private final class Flight {
        private final PlacementId id;
        private final Bounds from;
        private final VBox chip;
        private long asked = -1;
        private long began = -1;

        Flight(PlacementId id, Bounds from) {
            this.id = id;
            this.from = layer.sceneToLocal(from);
            NameLabel name = new NameLabel("placement-name");
            name.name(id.model().text());
            this.chip = new VBox(name);
            chip.getStyleClass().add("flying");
            chip.setManaged(false);
            chip.setVisible(false);
            layer.getChildren().add(chip);
        }

        void frame(long now) {
            asked = asked < 0 ? now : asked;
            Optional<Bounds> row = rows.apply(id).map(layer::sceneToLocal);
            if (row.isEmpty()) {
                if (began >= 0 || now - asked > PATIENCE) {
                    end(id);
                }
                return;
            }
            began = began < 0 ? now : began;
            double share = Math.min(1, (now - began) / (double) TIME);
            if (share >= 1) {
                end(id);
                return;
            }
            // As all that moves here.
            double way = Interpolator.EASE_OUT.interpolate(0.0, 1.0, share);
            Bounds to = row.get();
            chip.resizeRelocate(between(from.getMinX(), to.getMinX(), way), between(from.getMinY(), to.getMinY(), way),
                    between(from.getWidth(), to.getWidth(), way), between(from.getHeight(), to.getHeight(), way));
            chip.setVisible(true);
        }
    }

    private static double between(double from, double to, double way) {
        return Math.round(from + (to - from) * way);
    }
}
