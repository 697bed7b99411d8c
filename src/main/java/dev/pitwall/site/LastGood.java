package dev.pitwall.site;

import dev.pitwall.card.TroubleException;

import java.time.Instant;
import java.util.Optional;

/** The last good answer of every source, kept over restarts, so that a silent source can still be shown with "was". */
public interface LastGood {

    /** Replaces what was kept of this source, unless that is newer. */
    void keep(String siteId, Connection.Kind kind, String source, Answer answer) throws TroubleException;

    Optional<Answer> of(String siteId, Connection.Kind kind, String source) throws TroubleException;

    /** Forgets a site's answers. */
    void forget(String siteId) throws TroubleException;

    /** Forgets what is older, so that sites which are gone leave nothing behind. */
    void forgetBefore(Instant time) throws TroubleException;

    /**
     * @param json the answer as JSON; whoever keeps it knows its shape, and must bear shapes of other versions
     * @param at   when it was read
     */
    record Answer(String json, Instant at) {
    }
}
