package dev.pitwall.settings;

import java.util.Optional;
import java.util.function.Consumer;

/** What the person has chosen, and how the window was left, kept over restarts. Values are short texts. */
public interface Preferences {

    /** Never blocks. */
    Optional<String> get(String key);

    /** Keeps the value; never blocks, the disk is written in the background. */
    void set(String key, String value);

    /**
     * Tells the listener the key of each change, on the thread that made it.
     *
     * @return stops it
     */
    Runnable observe(Consumer<String> listener);
}
