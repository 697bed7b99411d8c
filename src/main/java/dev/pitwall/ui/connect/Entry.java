package dev.pitwall.ui.connect;

import dev.pitwall.site.Identity;
import java.util.Optional;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** One connection that is being put together: what is typed, how its test goes, and whether it is trusted. */
abstract class Entry {
    private final Runnable changed;
    private final Trial trial;
    private final StringProperty pasted = new SimpleStringProperty("");
    private Optional<String> pinned = Optional.empty();
    private boolean untouched;
    private boolean edited;

    Entry(Tools tools, Runnable changed) {
        this.changed = changed;
        this.trial = tools.trial(changed);
        pasted.addListener((_, _, _) -> changed.run());
    }

    /** What it is called in the dialog. */
    abstract String title();

    /** True if something is typed. */
    abstract boolean filled();

    /** Why it cannot be tested yet. */
    abstract Optional<String> missing();

    /** Starts the test. */
    abstract void test();

    Standing standing() {
        if (!filled()) {
            return Standing.EMPTY;
        }
        return untouched && trial.standing() == Standing.UNTESTED ? Standing.KEPT : trial.standing();
    }

    Trial trial() {
        return trial;
    }

    /** What the person pasted from the console. */
    StringProperty pastedProperty() {
        return pasted;
    }

    Optional<String> pinned() {
        return pinned;
    }

    /** What is saved: the identity the person trusts, or the one that proved itself, as from {@code known_hosts}. */
    Optional<String> pin() {
        return pinned.or(() -> standing() == Standing.THROUGH ? trial.identity().map(Identity::fingerprint)
                : Optional.empty());
    }

    /** True if the system showed another identity than the trusted one. */
    boolean identityChanged() {
        return pinned.isPresent() && trial.standing() == Standing.REFUSED
                && trial.identity().filter(i -> !i.fingerprint().equalsIgnoreCase(pinned.get())).isPresent();
    }

    /** True while the person has to decide whether it is the right system. */
    boolean asks() {
        return standing() == Standing.ASKS || identityChanged();
    }

    Comparison comparison() {
        return trial.identity().map(Identity::fingerprint).flatMap(Fingerprint::in)
                .map(shown -> shown.compare(pasted.get())).orElseGet(Comparison.Nothing::new);
    }

    /** The person says that it is the right system: its identity is pinned, and the test goes on. */
    void trust() {
        trial.identity().map(Identity::fingerprint).ifPresent(f -> pinned = Optional.of(f));
        test();
    }

    /** Takes over what was saved. */
    void savedAs(Optional<String> pin) {
        pinned = pin;
        untouched = true;
    }

    /** A field has changed; what was tested counts no more. */
    void touched() {
        untouched = false;
        edited = true;
        trial.stale();
        changed.run();
    }

    /** True if the person has typed something into it. */
    boolean edited() {
        return edited;
    }

    /** It is another system now, which nobody has trusted. */
    void moved() {
        pinned = Optional.empty();
        trial.forget();
        pasted.set("");
        touched();
    }

    void changed() {
        changed.run();
    }
}
