package dev.pitwall.ui.doctor;

import dev.pitwall.card.Card;
import dev.pitwall.card.FloorState;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.site.SiteView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Says when a site is to be looked at again without being asked: every so often, less often where a look takes long, and soon
 * after a tower has changed. Pure
 * but for what it remembers of one site.
 */
final class Watch {

    /** Several floors change one after the other; they are looked at together. */
    static final Duration SETTLE = Duration.ofSeconds(4);
    /** A look at a large site takes long and costs all of its machines something: it has this many times as long to rest. */
    static final int REST = 5;

    /** May anybody look now? */
    enum Mood { AWAKE, RESTS }

    private record Tower(String card, List<FloorState> floors, List<Optional<String>> traps) {
        static Tower of(Card card) {
            return new Tower(card.id(), card.floors().stream().map(FloorStatus::state).toList(),
                    card.floors().stream().map(FloorStatus::trap).toList());
        }
    }

    private List<Tower> towers = List.of();
    private Optional<Instant> changed = Optional.empty();
    private Instant last;
    private Duration took = Duration.ZERO;

    /** @param from when the site was opened */
    Watch(Instant from) {
        this.last = from;
    }

    /**
     * Called about once a second.
     *
     * @param every how often to look; empty for never
     * @param mood  of the moment: a change that is seen while it rests is looked at afterwards
     * @return true if a look is to begin now
     */
    boolean due(SiteView view, Look look, Optional<Duration> every, Mood mood, Instant now) {
        List<Tower> next = view.cards().stream().map(Tower::of).toList();
        if (!next.equals(towers)) {
            towers = next;
            changed = Optional.of(now);
        }
        look.seen().filter(seen -> seen.at().isAfter(last)).ifPresent(seen -> {
            last = seen.at();
            took = seen.took();
        });
        if (every.isEmpty() || mood == Mood.RESTS || look.isGoing()) {
            return false;
        }
        boolean settled = changed.filter(at -> !at.plus(SETTLE).isAfter(now)).isPresent();
        Duration rest = took.multipliedBy(REST);
        boolean again = !last.plus(rest.compareTo(every.get()) > 0 ? rest : every.get()).isAfter(now);
        if (settled || again) {
            changed = Optional.empty();
            last = now;
        }
        return settled || again;
    }
}
