package dev.pitwall.ui.settings;

import java.util.Optional;
import java.util.function.Consumer;

/** What the person has chosen, kept over restarts. Values are short texts; {@link UserSettings} gives them their types. */
public interface Preferences {

    /** @return empty if it was never chosen, or cannot be read */
    Optional<String> get(String key);

    /** Keeps the value. May write to disk in the background. */
    void set(String key, String value);

    /**
     * Tells the listener the key of each change, on the thread that made it.
     *
     * @return stops it
     */
    Runnable observe(Consumer<String> listener);
}
