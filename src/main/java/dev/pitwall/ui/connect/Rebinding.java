package dev.pitwall.ui.connect;

import java.util.Optional;
import javafx.beans.property.Property;

/** Ties one control to the same field of whichever entry shows. */
final class Rebinding<T> {
    private final Property<T> control;
    private Optional<Property<T>> field = Optional.empty();

    Rebinding(Property<T> control) {
        this.control = control;
    }

    void to(Property<T> wanted) {
        if (field.filter(f -> f == wanted).isPresent()) {
            return;
        }
        field.ifPresent(control::unbindBidirectional);
        control.bindBidirectional(wanted);
        field = Optional.of(wanted);
    }
}
