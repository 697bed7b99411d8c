package dev.pitwall.ui.shell;

import dev.pitwall.site.LiveSite;
import dev.pitwall.site.LiveSites;
import dev.pitwall.site.Site;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.UiThread;
import dev.pitwall.ui.run.SiteWork;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.List;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/** A site that is connected, and its last view, drawn at most four times a second. */
public final class OpenSite implements AutoCloseable {

    /** Live figures move at most four times a second. */
    static final Duration PACE = Duration.ofMillis(250);

    private final Site site;
    private final Instant openedAt;
    private final ReadOnlyObjectWrapper<SiteView> view = new ReadOnlyObjectWrapper<>();
    private final LiveSite live;
    private final Optional<SiteWork> work;

    /** @param work makes the wizard of the site; empty where nothing can be changed from this window */
    OpenSite(Site site, LiveSites sites, Function<LiveSite, Optional<SiteWork>> work, UiThread ui, Instant now) {
        this.site = site;
        this.openedAt = now;
        this.view.set(new SiteView(site, now, List.of(), List.of()));
        this.live = sites.open(site, ui.latest(PACE, view::set));
        this.work = work.apply(live);
    }

    public Site site() {
        return site;
    }

    public Instant openedAt() {
        return openedAt;
    }

    /** Changes on the JavaFX thread only. */
    public ReadOnlyObjectProperty<SiteView> viewProperty() {
        return view.getReadOnlyProperty();
    }

    public SiteView view() {
        return view.get();
    }

    public LiveSite live() {
        return live;
    }

    /** The wizard; empty where nothing can be changed from this window. */
    public Optional<SiteWork> work() {
        return work;
    }

    @Override
    public void close() {
        work.ifPresent(SiteWork::close);
        live.close();
    }
}
