package dev.pitwall.ui.board;

import java.util.List;
import java.util.function.Function;
import javafx.beans.value.ObservableValue;
import javafx.css.CssMetaData;
import javafx.css.Styleable;
import javafx.css.StyleableProperty;
import javafx.css.StyleablePropertyFactory;
import javafx.scene.canvas.Canvas;
import javafx.scene.layout.Region;
import javafx.scene.paint.Color;

/** One canvas whose colours come from CSS; drawn again when they change. */
abstract class Drawing extends Region {

    private static final StyleablePropertyFactory<Drawing> FACTORY =
            new StyleablePropertyFactory<>(Region.getClassCssMetaData());

    private final Canvas canvas = new Canvas();
    private final StyleableProperty<Color> busy = ink("busyInk", "-ink-busy", d -> d.busy);
    private final StyleableProperty<Color> idle = ink("idleInk", "-ink-idle", d -> d.idle);
    private final StyleableProperty<Color> hatch = ink("hatchInk", "-ink-hatch", d -> d.hatch);
    private final StyleableProperty<Color> foreign = ink("foreignInk", "-ink-foreign", d -> d.foreign);
    private final StyleableProperty<Color> victim = ink("victimInk", "-ink-victim", d -> d.victim);
    private final StyleableProperty<Color> lit = ink("litInk", "-ink-lit", d -> d.lit);

    Drawing(String styleClass) {
        getStyleClass().addAll("drawing", styleClass);
        canvas.setManaged(false);
        getChildren().add(canvas);
    }

    /** @param lit what stands out */
    record Inks(Color busy, Color idle, Color hatch, Color foreign, Color victim, Color lit) {
    }

    /** Draws if something differs from what is drawn. */
    abstract void draw();

    final Canvas canvas() {
        return canvas;
    }

    final Inks inks() {
        return new Inks(busy.getValue(), idle.getValue(), hatch.getValue(), foreign.getValue(), victim.getValue(),
                lit.getValue());
    }

    private StyleableProperty<Color> ink(String name, String css, Function<Drawing, StyleableProperty<Color>> of) {
        StyleableProperty<Color> property = FACTORY.createStyleableColorProperty(this, name, css, of, Color.TRANSPARENT);
        switch (property) {
            case ObservableValue<?> value -> value.addListener((_, _, _) -> requestLayout());
            default -> throw new IllegalStateException("a styleable property that nobody can listen to");
        }
        return property;
    }

    @Override
    public List<CssMetaData<? extends Styleable, ?>> getCssMetaData() {
        return FACTORY.getCssMetaData();
    }
}
