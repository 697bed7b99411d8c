package dev.pitwall.ui.journal;

import dev.pitwall.card.Trouble;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that the page shows.
 *
 * @param counts  how many runs each filter has
 * @param trouble why the journal could not be read
 */
record JournalPage(Map<RunFilter, Integer> counts, List<Entry> entries, Emptiness emptiness, Optional<RunDetail> detail,
                   Optional<Trouble> trouble) {

    /** Why the list is empty. */
    enum Emptiness { NONE, NO_WIZARD, NO_RUNS, NOTHING_MATCHES }

    static final JournalPage NOTHING =
            new JournalPage(Map.of(), List.of(), Emptiness.NO_RUNS, Optional.empty(), Optional.empty());

    JournalPage {
        counts = Map.copyOf(counts);
        entries = List.copyOf(entries);
    }
}
