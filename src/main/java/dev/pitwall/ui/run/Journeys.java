package dev.pitwall.ui.run;

import dev.pitwall.journey.Export;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Journey;
import dev.pitwall.site.LiveSite;
import java.util.List;
import java.util.Optional;

/** Opens the wizard of a site. */
@FunctionalInterface
public interface Journeys {

    /** For a window that only reads. */
    Journeys NONE = _ -> Optional.empty();

    /**
     * Called on the JavaFX thread when a site is opened, so it must not block; a connection is made at the first look.
     *
     * @return empty where nothing can be changed from this window
     */
    Optional<Opened> open(LiveSite site);

    /**
     * @param journey closed with the site
     * @param exports the forms that a plan can be given for other tools
     */
    record Opened(Journey journey, Journal journal, List<Export> exports) {
        public Opened {
            exports = List.copyOf(exports);
        }
    }
}
