package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.ProviderView.PlacementView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps the rows of a card in their places while the pointer is over them. */
final class Steady {

    private final Map<ProviderId, List<ModelName>> orders = new HashMap<>();
    private boolean held;

    /** Whether nothing may move now. */
    void hold(boolean still) {
        held = still;
    }

    /** The order in which a card's models are drawn: the engine's, or the one before with what is new at its end. */
    List<ModelName> order(ProviderView provider) {
        List<ModelName> wanted = provider.placements().stream().map(PlacementView::model).toList();
        List<ModelName> before = orders.getOrDefault(provider.id(), List.of());
        if (held && !before.isEmpty()) {
            List<ModelName> kept = new ArrayList<>(before);
            kept.retainAll(wanted);
            wanted.stream().filter(m -> !kept.contains(m)).forEach(kept::add);
            wanted = List.copyOf(kept);
        }
        orders.put(provider.id(), wanted);
        return wanted;
    }
}
