package dev.pitwall.ui.shell;

import dev.pitwall.site.LiveSites;
import dev.pitwall.site.Site;
import dev.pitwall.ui.UiThread;
import dev.pitwall.ui.run.Engines;
import dev.pitwall.ui.run.Journeys;
import dev.pitwall.ui.run.SiteWork;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;

/** The sites that are connected at once, and the one that shows. To be used on the JavaFX thread. */
public final class OpenSites implements AutoCloseable {

    private final LiveSites connector;
    private final Journeys journeys;
    private final Engines engines;
    private final UiThread ui;
    private final InstantSource clock;
    private final Executor background;
    private final ObservableList<OpenSite> open = FXCollections.observableArrayList();
    private final ReadOnlyObjectWrapper<OpenSite> current = new ReadOnlyObjectWrapper<>();

    public OpenSites(LiveSites connector, Journeys journeys, Engines engines, UiThread ui, InstantSource clock,
                     Executor background) {
        this.connector = connector;
        this.journeys = journeys;
        this.engines = engines;
        this.ui = ui;
        this.clock = clock;
        this.background = background;
    }

    public ObservableList<OpenSite> all() {
        return FXCollections.unmodifiableObservableList(open);
    }

    /** The site that shows; null while none is connected. */
    public ReadOnlyObjectProperty<OpenSite> currentProperty() {
        return current.getReadOnlyProperty();
    }

    public Optional<OpenSite> current() {
        return Optional.ofNullable(current.get());
    }

    /** Connects the site, unless it is connected, and shows it. */
    public void open(Site site) {
        Optional<OpenSite> there = open.stream().filter(o -> o.site().id().equals(site.id())).findFirst();
        current.set(there.orElseGet(() -> connect(site)));
    }

    /** Ends the site's connections; another open site shows, if there is one. */
    public void close(OpenSite site) {
        open.remove(site);
        if (current.get() == site) {
            current.set(open.isEmpty() ? null : open.getFirst());
        }
        // Ending watches may wait for the network.
        background.execute(site::close);
    }

    /**
     * Forgets every site.
     *
     * @return ends their connections; may be run on any thread, and blocks until they are ended
     */
    public Runnable detach() {
        List<OpenSite> ending = List.copyOf(open);
        open.clear();
        return () -> ending.forEach(OpenSite::close);
    }

    /** Ends every connection before it returns. */
    @Override
    public void close() {
        detach().run();
    }

    private OpenSite connect(Site site) {
        OpenSite connected = new OpenSite(site, connector, live -> journeys.open(live).map(o -> work(site, o)), engines,
                ui, clock.instant());
        open.add(connected);
        return connected;
    }

    private SiteWork work(Site site, Journeys.Opened opened) {
        return new SiteWork(site, opened, background, ui::run, draw -> {
            Consumer<Boolean> paced = ui.latest(OpenSite.PACE, _ -> draw.run());
            return () -> paced.accept(true);
        });
    }
}
