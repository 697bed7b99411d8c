package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ProviderId;

/** Where what is carried would be put down. */
sealed interface Drop {

    record OnCard(ProviderId provider) implements Drop {
    }

    /** Evicts. */
    record OnShelf() implements Drop {
    }

    /** Puts it back. */
    record Nowhere() implements Drop {
    }

    default boolean isOn(ProviderId provider) {
        return equals(new OnCard(provider));
    }
}
