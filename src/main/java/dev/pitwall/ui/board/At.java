package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import java.util.Optional;

/** Where the keyboard is: at a card, or at a model on it. */
record At(ProviderId provider, Optional<ModelName> model) {

    Optional<PlacementId> placement() {
        return model.map(m -> new PlacementId(provider, m));
    }
}
