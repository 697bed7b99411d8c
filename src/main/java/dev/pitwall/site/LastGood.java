package dev.pitwall.site;

import dev.pitwall.card.TroubleException;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The last good answer of every source, kept over restarts, so that a silent source can still be shown with "was". */
public interface LastGood {

    /**
     * Replaces what was kept of this source, unless that is newer. May take some milliseconds: keep an answer now and
     * then and at the end, not at every read.
     *
     * @param report one of {@code card}'s reports, or a list of them
     * @param at     when it was read
     */
    void keep(String siteId, Connection.Kind kind, String source, Object report, Instant at) throws TroubleException;

    /** @return empty if nothing was kept, or only what another version of Pitwall understands */
    <T> Optional<Answer<T>> of(String siteId, Connection.Kind kind, String source, Class<T> report) throws TroubleException;

    /** As {@link #of}, for a source whose answer is a list. */
    <T> Optional<Answer<List<T>>> listOf(String siteId, Connection.Kind kind, String source, Class<T> report)
            throws TroubleException;

    /** Forgets a site's answers. */
    void forget(String siteId) throws TroubleException;

    /** Forgets what is older, so that sites which are gone leave nothing behind. */
    void forgetBefore(Instant time) throws TroubleException;

    /** @param at when it was read */
    record Answer<T>(T report, Instant at) {
    }
}
