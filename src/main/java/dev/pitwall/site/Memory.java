package dev.pitwall.site;

import dev.pitwall.card.TroubleException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One site's part of {@link LastGood}. A store that fails costs the memory, not the site, and is told once. Every call
 * may take some milliseconds.
 */
final class Memory {
    private static final Logger LOG = LoggerFactory.getLogger(Memory.class);

    private final Optional<LastGood> store;
    private final String siteId;
    private final Map<String, Instant> keptAt = new HashMap<>();
    private boolean failing;

    /** @param store empty for a site of which nothing is to be kept */
    Memory(Optional<LastGood> store, String siteId) {
        this.store = store;
        this.siteId = siteId;
    }

    static Memory none() {
        return new Memory(Optional.empty(), "");
    }

    <T> Optional<LastGood.Answer<T>> of(Connection.Kind kind, String source, Class<T> report) {
        return read(kept -> kept.of(siteId, kind, source, report));
    }

    <T> List<T> listOf(Connection.Kind kind, String source, Class<T> report) {
        return read(kept -> kept.listOf(siteId, kind, source, report)).map(LastGood.Answer::report).orElse(List.of());
    }

    private interface Recall<T> {
        Optional<T> from(LastGood store) throws TroubleException;
    }

    private <T> Optional<T> read(Recall<T> recall) {
        try {
            return store.isPresent() ? recall.from(store.get()) : Optional.empty();
        } catch (TroubleException e) {
            told(e);
            return Optional.empty();
        }
    }

    /** @param at when it was read; what is not newer than the last one kept is not kept again */
    void keep(Connection.Kind kind, String source, Object report, Instant at) {
        String key = kind + " " + source;
        boolean newer = Optional.ofNullable(keptAt.get(key)).map(at::isAfter).orElse(true);
        if (store.isEmpty() || !newer) {
            return;
        }
        try {
            store.get().keep(siteId, kind, source, report, at);
            keptAt.put(key, at);
        } catch (TroubleException e) {
            told(e);
        }
    }

    private void told(TroubleException e) {
        if (!failing) {
            failing = true;
            LOG.warn("Last answers are not kept: {}", e.trouble().sentence());
        }
    }
}
