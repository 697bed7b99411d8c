package dev.pitwall.ui.garage;

import dev.pitwall.card.FloorState;
import dev.pitwall.ui.icon.Mark;
import java.util.Locale;
import java.util.Optional;

/** Which cards the Garage shows. */
enum Filter {
    ALL(null, null), UP(FloorState.OK, Mark.OK), WAITING(FloorState.WAITING, Mark.CLOCK),
    FAILING(FloorState.FAILING, Mark.FAILING), BLOCKED(FloorState.BLOCKED, Mark.LOCK),
    UNKNOWN(FloorState.UNKNOWN, Mark.QUESTION);

    private final FloorState state;
    private final Mark mark;

    Filter(FloorState state, Mark mark) {
        this.state = state;
        this.mark = mark;
    }

    boolean shows(TowerLine tower) {
        return state == null || tower.state() == state;
    }

    Optional<FloorState> state() {
        return Optional.ofNullable(state);
    }

    Optional<Mark> mark() {
        return Optional.ofNullable(mark);
    }

    String key() {
        return "filter." + name().toLowerCase(Locale.ROOT);
    }
}
