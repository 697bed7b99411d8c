package dev.pitwall.ui.run;

import dev.pitwall.engine.live.LiveEngine;
import dev.pitwall.site.LiveSite;
import java.util.Optional;

/** Starts the engine of a site. */
@FunctionalInterface
public interface Engines {

    /** For a window that only reads. */
    Engines NONE = _ -> Optional.empty();

    /**
     * Called on the JavaFX thread when a site is opened, so it must not block. The engine is closed with the site.
     *
     * @return empty where this window places no models
     */
    Optional<LiveEngine> open(LiveSite site);
}
