package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;

import java.util.List;
import java.util.Optional;

/** The lasting record of every run. */
public interface Journal {

    /**
     * The runs of a site, newest first.
     *
     * @param limit at most so many
     */
    List<RunRecord> runs(String siteId, int limit) throws TroubleException;

    Optional<RunRecord> run(long number) throws TroubleException;
}
