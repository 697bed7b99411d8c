package dev.pitwall.site;

import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Connects sites over the given links. */
public final class Sessions implements LiveSites {
    private final Links links;
    private final Supplier<ReadIntervals> intervals;
    private final InstantSource clock;

    /** @param intervals asked at each opening, so that a changed setting holds from the next connection on */
    public Sessions(Links links, Supplier<ReadIntervals> intervals, InstantSource clock) {
        this.links = links;
        this.intervals = intervals;
        this.clock = clock;
    }

    @Override
    public LiveSite open(Site site, Consumer<SiteView> listener) {
        SiteSession session = new SiteSession(site, links, intervals.get(), clock, listener);
        session.start();
        return session;
    }
}
