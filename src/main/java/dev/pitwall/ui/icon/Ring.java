package dev.pitwall.ui.icon;

import javafx.animation.Animation;
import javafx.animation.Interpolator;
import javafx.animation.RotateTransition;
import javafx.application.Platform;
import javafx.beans.value.ObservableValue;
import javafx.scene.Scene;
import javafx.scene.layout.Region;
import javafx.scene.shape.Arc;
import javafx.scene.shape.ArcType;
import javafx.scene.shape.Circle;
import javafx.stage.Window;
import javafx.util.Duration;

/**
 * A ring that fills with progress. Without a known progress it turns once a second, the only thing in the window that
 * loops; it stops while it is not shown and where less motion is asked for.
 */
public final class Ring extends Region {

    private static final double SIZE = 16;
    private static final double RADIUS = 6;

    private final Arc arc = new Arc(SIZE / 2, SIZE / 2, RADIUS, RADIUS, 90, -90);
    private final ObservableValue<Boolean> inSight = sceneProperty().flatMap(Scene::windowProperty)
            .flatMap(Window::showingProperty).orElse(false);
    private RotateTransition turning;

    public Ring() {
        getStyleClass().add("ring");
        Circle track = new Circle(SIZE / 2, SIZE / 2, RADIUS);
        track.getStyleClass().add("ring-track");
        track.setManaged(false);
        arc.setType(ArcType.OPEN);
        arc.getStyleClass().add("ring-arc");
        arc.setManaged(false);
        getChildren().addAll(track, arc);
        setMinSize(SIZE, SIZE);
        setPrefSize(SIZE, SIZE);
        setMaxSize(SIZE, SIZE);
        inSight.addListener((_, _, _) -> turn());
    }

    /** @param part 0 to 1 */
    public void progress(double part) {
        if (turning != null) {
            turning.stop();
            turning = null;
            arc.setRotate(0);
            setRotate(0);
        }
        double length = -360 * Math.clamp(part, 0.04, 1);
        if (arc.getLength() != length) {
            arc.setLength(length);
        }
    }

    /** Something moves, nobody knows how long it takes. */
    public void indeterminate() {
        if (turning != null) {
            return;
        }
        arc.setLength(-270);
        if (Platform.getPreferences().isReducedMotion()) {
            return;
        }
        turning = new RotateTransition(Duration.seconds(1), this);
        turning.setByAngle(360);
        turning.setInterpolator(Interpolator.LINEAR);
        turning.setCycleCount(Animation.INDEFINITE);
        turn();
    }

    /** Turns in a window that is shown; in one that was closed it would for ever, and keep all that was in it. */
    private void turn() {
        if (turning == null) {
            return;
        }
        if (inSight.getValue()) {
            turning.play();
        } else {
            turning.stop();
        }
    }
}
