package dev.pitwall.ui.board;

import dev.pitwall.engine.live.Memory;
import dev.pitwall.engine.live.ProviderView.State;
import java.util.Locale;

/** How a part of a card's memory is drawn: in the bar, and as the swatch beside its figure. */
enum Fill {
    BUSY, IDLE,
    /** Not measured, or not there yet. */
    ESTIMATED,
    /** Used by others. */
    FOREIGN,
    RESERVE,
    /** Would have to go. */
    VICTIM;

    /** Name of its CSS pseudo-class. */
    String pseudo() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Fill of(State state, Memory memory) {
        Fill measured = switch (state) {
            case State.Asked _, State.Loading _, State.Failed _, State.Lost _ -> ESTIMATED;
            case State.Busy _ -> BUSY;
            case State.Idle _, State.Unloading _ -> IDLE;
        };
        return solid(memory) ? measured : ESTIMATED;
    }

    /** Of a model that is on no card. */
    static Fill of(Memory need) {
        return solid(need) ? IDLE : ESTIMATED;
    }

    private static boolean solid(Memory memory) {
        return switch (memory.basis()) {
            case MEASURED, SERVER -> true;
            case ESTIMATED, FILES, NAME, UNKNOWN -> false;
        };
    }
}
