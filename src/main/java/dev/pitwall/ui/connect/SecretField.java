package dev.pitwall.ui.connect;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.SecretRef;
import java.util.Optional;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** A secret in a form: kept from before, typed now, or neither. */
final class SecretField {
    private final StringProperty typed = new SimpleStringProperty("");
    private final TypedSecrets secrets;
    private final SecretRef fresh;
    private final Optional<SecretRef> kept;

    /**
     * @param fresh the name it gets if it is typed; never the name of a kept one, so that a save that fails loses nothing
     * @param kept  the name of what was saved before
     */
    SecretField(TypedSecrets secrets, SecretRef fresh, Optional<SecretRef> kept) {
        this.secrets = secrets;
        this.fresh = fresh;
        this.kept = kept;
        typed.addListener((_, _, text) -> secrets.type(fresh, text));
    }

    StringProperty typedProperty() {
        return typed;
    }

    boolean typed() {
        return !typed.get().isEmpty();
    }

    boolean kept() {
        return kept.isPresent();
    }

    /** The name it has in the site; empty if there is no secret. */
    Optional<SecretRef> ref() {
        return typed() ? Optional.of(fresh) : kept;
    }

    /** What is to be stored on saving. */
    Optional<String> toStore() {
        return typed() ? Optional.of(typed.get()) : Optional.empty();
    }

    /** The secret itself, read where it is kept; off the window's thread. */
    static Optional<String> read(TypedSecrets secrets, Optional<SecretRef> ref) throws TroubleException {
        return ref.isPresent() ? secrets.get(ref.get()) : Optional.empty();
    }

    TypedSecrets secrets() {
        return secrets;
    }
}
