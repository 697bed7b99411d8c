package dev.pitwall.ui.shell;

import dev.pitwall.site.Site;
import java.util.function.Consumer;

/** Asks for a site's connections, tests them and saves the site. Shown in the window's {@link Overlay}. */
public interface ConnectDialog {

    /** @param done gets the saved site, on the JavaFX thread; never called if the person cancels */
    void add(Overlay overlay, Consumer<Site> done);

    /** The same for a site that is already there. */
    void edit(Overlay overlay, Site site, Consumer<Site> done);

    /** @param listener gets each site that the person removed, on the JavaFX thread */
    void onRemoved(Consumer<Site> listener);
}
