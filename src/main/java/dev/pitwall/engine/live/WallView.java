package dev.pitwall.engine.live;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The whole board at one moment.
 *
 * @param providers in the order of nodes, then of cards
 * @param shelf     models that some server could load, by name
 * @param queue     loads that are wanted and wait, the next one first
 * @param pulls     under way
 * @param log       newest first, at most {@value #LOG} entries
 * @param others    who else moves models, in a sentence each: the engine that decides where it is not this one, Kubemoot's own scheduler
 */
public record WallView(Instant at, Mode mode, List<ProviderView> providers, List<ShelfModel> shelf, List<Queued> queue,
                       List<Pulling> pulls, List<Entry> log, List<String> others) {
    /** Entries of the log that a view carries. */
    public static final int LOG = 200;

    public WallView {
        providers = List.copyOf(providers);
        shelf = List.copyOf(shelf);
        queue = List.copyOf(queue);
        pulls = List.copyOf(pulls);
        log = List.copyOf(log);
        others = List.copyOf(others);
    }

    public Optional<ProviderView> provider(ProviderId id) {
        return providers.stream().filter(p -> p.id().equals(id)).findFirst();
    }

    /**
     * A model that could be loaded.
     *
     * @param need    what it would take of a card, measured somewhere or estimated
     * @param at      providers that have its files
     */
    public record ShelfModel(ModelName name, Memory need, List<ProviderId> at) {
        public ShelfModel {
            at = List.copyOf(at);
        }
    }

    /** @param why it waits, in words */
    public record Queued(ModelName model, Optional<ProviderId> to, Instant since, String why) {
    }

    /**
     * @param stage as the server says it
     * @param done  bytes of {@code total}; total is 0 until it is told
     */
    public record Pulling(ModelName model, ProviderId to, String stage, long done, long total) {
    }
}
