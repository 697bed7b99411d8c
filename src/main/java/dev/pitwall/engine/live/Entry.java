package dev.pitwall.engine.live;

import java.time.Instant;
import java.util.Optional;

/**
 * One thing that was decided or happened, for the log.
 *
 * @param number  rises; unique in the site
 * @param because the entry that this one follows from
 * @param title   short: {@code Evicted phi4:14b}
 * @param words   why, with figures
 * @param wish    what was asked, for entries of a person
 */
public record Entry(long number, Instant at, Kind kind, Optional<Long> because, Optional<PlacementId> placement, String title,
                    String words, Optional<Wish> wish) {

    /** What sort of entry. {@code LEAVING} was told to go; {@code EVICTED} has gone, as was seen. */
    public enum Kind { LOADING, LOADED, LEAVING, EVICTED, MOVED, PINNED, HELD, WAITED, REFUSED, FAILED, LOST, FOREIGN, MEASURED, SUGGESTED, MODE, PULLED }
}
