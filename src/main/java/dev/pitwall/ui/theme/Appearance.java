package dev.pitwall.ui.theme;

import java.util.ArrayList;
import java.util.List;
import javafx.application.Application;
import javafx.application.ColorScheme;
import javafx.application.Platform;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.value.ChangeListener;
import javafx.css.PseudoClass;
import javafx.scene.Scene;

/**
 * Puts the theme on every scene that is given to it and keeps it there when the choice or the operating system's
 * setting changes. To be used on the JavaFX thread.
 */
public final class Appearance implements AutoCloseable {

    private static final PseudoClass REDUCED_MOTION = PseudoClass.getPseudoClass("reduced-motion");

    private final ObjectProperty<ThemeChoice> choice = new SimpleObjectProperty<>(ThemeChoice.SYSTEM);
    private final ReadOnlyObjectWrapper<Theme> theme = new ReadOnlyObjectWrapper<>();
    private final ObjectProperty<Density> density = new SimpleObjectProperty<>(Density.COMFORTABLE);
    private final List<Scene> scenes = new ArrayList<>();
    private final String sheet = Appearance.class.getResource("/css/pitwall.css").toExternalForm();
    private final ChangeListener<Object> follow = (_, _, _) -> apply();

    /**
     * Sets the look at once. It must be made before the first control: without a stylesheet that one loads JavaFX's own,
     * for nothing and in 40 ms.
     */
    public Appearance(ThemeChoice chosen) {
        choice.set(chosen);
        choice.addListener(follow);
        Platform.getPreferences().colorSchemeProperty().addListener(follow);
        apply();
    }

    public ObjectProperty<ThemeChoice> choiceProperty() {
        return choice;
    }

    /** The theme that shows. */
    public ReadOnlyObjectProperty<Theme> themeProperty() {
        return theme.getReadOnlyProperty();
    }

    public ObjectProperty<Density> densityProperty() {
        return density;
    }

    /** None if the person asked the operating system for less movement. */
    public Motion motion() {
        return Platform.getPreferences().isReducedMotion() ? Motion.NONE : Motion.FULL;
    }

    /** Dresses the scene, now and after every change. */
    public void dress(Scene scene) {
        scenes.add(scene);
        dressNow(scene);
    }

    /** No longer keeps the scene dressed. */
    public void forget(Scene scene) {
        scenes.remove(scene);
    }

    @Override
    public void close() {
        Platform.getPreferences().colorSchemeProperty().removeListener(follow);
        scenes.clear();
    }

    private void apply() {
        Theme wanted = wanted();
        if (theme.get() == wanted) {
            return;
        }
        theme.set(wanted);
        Application.setUserAgentStylesheet(wanted.base());
        scenes.forEach(this::dressNow);
    }

    private void dressNow(Scene scene) {
        scene.getStylesheets().setAll(theme.get().tokens(), sheet);
        scene.getRoot().pseudoClassStateChanged(REDUCED_MOTION, motion() == Motion.NONE);
    }

    private Theme wanted() {
        return switch (choice.get()) {
            case DARK -> Theme.DARK;
            case LIGHT -> Theme.LIGHT;
            case SYSTEM -> Platform.getPreferences().getColorScheme() == ColorScheme.LIGHT ? Theme.LIGHT : Theme.DARK;
        };
    }
}
