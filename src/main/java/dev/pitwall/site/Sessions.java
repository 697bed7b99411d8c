package dev.pitwall.site;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Connects sites over the given links. */
public final class Sessions implements LiveSites {
    private final Links links;
    private final Supplier<ReadIntervals> intervals;
    private final InstantSource clock;
    private final Function<Site, Optional<LastGood>> memory;
    private final Function<Site, Proofs> proofs;

    /** Sessions that keep nothing for the next run. */
    public Sessions(Links links, Supplier<ReadIntervals> intervals, InstantSource clock) {
        this(links, intervals, clock, site -> Optional.empty(), site -> Proofs.NONE);
    }

    /**
     * @param intervals asked at each opening, so that a changed setting holds from the next connection on
     * @param memory    where a site's last answers are kept, empty for a site of which none are; asked in the background
     * @param proofs    where the last proofs of a site's cards are; read in the background
     */
    public Sessions(Links links, Supplier<ReadIntervals> intervals, InstantSource clock,
                    Function<Site, Optional<LastGood>> memory, Function<Site, Proofs> proofs) {
        this.links = links;
        this.memory = memory;
        this.proofs = proofs;
        this.intervals = intervals;
        this.clock = clock;
    }

    @Override
    public LiveSite open(Site site, Consumer<SiteView> listener) {
        SiteSession session = new SiteSession(site, links, intervals.get(), clock, () -> memory.apply(site),
                proofs.apply(site), listener);
        session.start();
        return session;
    }
}
