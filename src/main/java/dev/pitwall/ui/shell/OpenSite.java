package dev.pitwall.ui.shell;

import dev.pitwall.engine.live.LiveEngine;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.site.LiveSite;
import dev.pitwall.site.LiveSites;
import dev.pitwall.site.Site;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.UiThread;
import dev.pitwall.ui.run.Engines;
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
    private final Optional<LiveEngine> engine;
    private final ReadOnlyObjectWrapper<Optional<WallView>> wall = new ReadOnlyObjectWrapper<>(Optional.empty());

    /** @param work makes the wizard of the site; empty where nothing can be changed from this window */
    OpenSite(Site site, LiveSites sites, Function<LiveSite, Optional<SiteWork>> work, Engines engines, UiThread ui, Instant now) {
        this.site = site;
        this.openedAt = now;
        this.view.set(new SiteView(site, now, List.of(), List.of()));
        this.live = sites.open(site, ui.latest(PACE, view::set));
        this.work = work.apply(live);
        this.engine = engines.open(live);
        engine.ifPresent(e -> {
            wall.set(Optional.of(e.view()));
            e.listen(ui.latest(PACE, next -> wall.set(Optional.of(next))));
        });
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

    /** Who keeps the models on the cards; empty where this window places none. */
    public Optional<LiveEngine> engine() {
        return engine;
    }

    /** The engine's last view, drawn at most four times a second; changes on the JavaFX thread only. */
    public ReadOnlyObjectProperty<Optional<WallView>> wallProperty() {
        return wall.getReadOnlyProperty();
    }

    /** Shows what the engine says now: for what the person has just asked of it. */
    public void showWallNow() {
        engine.ifPresent(e -> wall.set(Optional.of(e.view())));
    }

    @Override
    public void close() {
        engine.ifPresent(LiveEngine::close);
        work.ifPresent(SiteWork::close);
        live.close();
    }
}
