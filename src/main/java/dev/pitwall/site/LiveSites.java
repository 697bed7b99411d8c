package dev.pitwall.site;

import java.util.function.Consumer;

/** Connects sites. Several may be connected at once. */
public interface LiveSites {

    /**
     * Connects; returns at once and reads in the background.
     *
     * @param listener gets a new view when something has changed, at most 5 times a second, from a background thread
     */
    LiveSite open(Site site, Consumer<SiteView> listener);
}
