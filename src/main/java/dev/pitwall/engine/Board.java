package dev.pitwall.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What is where: every provider, model, placement and line. The {@link Engine} changes it, policies read it. */
public final class Board {
    private final List<Provider> providers = new ArrayList<>();
    private final List<Model> models = new ArrayList<>();
    private final Set<Model> lines = new LinkedHashSet<>();

    Board(Fleet fleet) {
        for (ProviderSpec spec : fleet.providers()) {
            providers.add(new Provider(providers.size(), spec));
        }
        for (ModelSpec spec : fleet.models()) {
            models.add(new Model(models.size(), spec));
        }
    }

    /**
     * A board of what was found, for whoever values placements without driving an {@link Engine}.
     *
     * @param foreignMiB what others have of each provider's card, in the order of the fleet
     */
    public static Board of(Fleet fleet, List<Double> foreignMiB, List<Found> found, double now) {
        Board board = new Board(fleet);
        board.providers.forEach(provider -> provider.foreign(foreignMiB.get(provider.index())));
        for (Found one : found) {
            Provider provider = board.providers.get(one.provider());
            Placement placement = new Placement(board.models.get(one.model()), provider, one.keeping());
            provider.take(placement);
            board.models.get(one.model()).add(placement);
            placement.ready(one.idleSince());
            if (one.work() == Found.Work.SERVING) {
                placement.started(now);
            }
        }
        return board;
    }

    public List<Provider> providers() {
        return Collections.unmodifiableList(providers);
    }

    public List<Model> models() {
        return Collections.unmodifiableList(models);
    }

    /** The models for which a load is wanted, in the order of their first request. */
    public Collection<Model> lines() {
        return Collections.unmodifiableSet(lines);
    }

    void want(Model model) {
        lines.add(model);
    }

    void wanted(Model model) {
        lines.remove(model);
    }
}
