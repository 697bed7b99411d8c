package dev.pitwall.cli;

import dev.pitwall.site.Connection;
import dev.pitwall.site.LiveSite;
import dev.pitwall.site.SiteView;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A site that a command has open, with whatever it had to start for it. */
public final class OpenSite implements AutoCloseable {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
    /** Servers and metrics that are found in the cluster appear a moment after its first answer. */
    private static final Duration SETTLE = Duration.ofMillis(600);

    private final LiveSite live;
    private final AutoCloseable started;

    /** @param started closed after the site; for example a practice lab */
    public OpenSite(LiveSite live, AutoCloseable started) {
        this.live = live;
        this.started = started;
    }

    public LiveSite live() {
        return live;
    }

    /**
     * The first view in which every source has answered or failed, and nothing new has appeared for a moment.
     *
     * @param atMost the view as it is then is returned when time runs out
     */
    public SiteView firstCompleteView(Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        long completeSince = 0;
        int sources = -1;
        while (System.nanoTime() < end) {
            SiteView view = live.view();
            boolean complete = view.connections().stream().noneMatch(c -> c.state() == Connection.State.READING);
            if (!complete || sources != view.connections().size()) {
                sources = view.connections().size();
                completeSince = System.nanoTime();
            } else if (System.nanoTime() - completeSince > SETTLE.toNanos()) {
                return view;
            }
            TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
        }
        return live.view();
    }

    @Override
    public void close() {
        live.close();
        try {
            started.close();
        } catch (Exception e) {
            throw new IllegalStateException("what was started for this site could not be ended", e);
        }
    }
}
