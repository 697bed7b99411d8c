package dev.pitwall.ui.setup;

import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.ui.run.UnderWay;
import java.util.List;
import java.util.Optional;

/**
 * Everything that the page is made of.
 *
 * @param cards   of the site
 * @param card    the one that is chosen
 * @param here    what is kept of it
 * @param wizard  whether anything can be changed from this window
 * @param running what this window makes now, on any card
 * @param runs    the journal, newest first
 * @param wanted  true once other cards are to follow
 * @param others  what is known of those
 * @param ascents what one run could make of the plan; empty until there is one
 */
record Moment(List<CardEntry> cards, Optional<CardEntry> card, CardWork here, boolean wizard, Optional<UnderWay> running,
              List<RunRecord> runs, boolean wanted, Others others, Optional<Ascents> ascents) {

    /** The cards but the chosen one that have a host. */
    List<CardEntry> otherCards() {
        return cards.stream().filter(c -> c.subject().isPresent() && !card.equals(Optional.of(c))).toList();
    }

    /** The run that stands unfinished on the chosen card's host and is not made by this window. */
    Optional<RunRecord> unfinished() {
        return card.flatMap(c -> PastRuns.unfinished(runs, c.host())).filter(r -> !isMine(r.number()));
    }

    private boolean isMine(long run) {
        return running.filter(r -> r.record().isEmpty() || r.is(run)).isPresent();
    }

    /** What this window makes for the chosen card, if only among others. */
    Optional<UnderWay> runningHere() {
        return running.filter(r -> r.cardId().equals(card.map(CardEntry::id))
                || card.flatMap(c -> r.of(c.id())).isPresent());
    }

    /** Its record while it works on this card; later it may be on the next one. */
    Optional<RunRecord> recordHere() {
        Optional<RunRecord> here = card.flatMap(c -> runningHere().flatMap(r -> r.of(c.id())));
        return here.filter(r -> r.ended().isEmpty() || running.flatMap(UnderWay::record).equals(here));
    }

    /** The step that a run of this window makes on this card now; empty before its first change. */
    Optional<String> stepBeingMade() {
        return recordHere().filter(r -> !r.changes().isEmpty())
                .map(r -> r.changes().get(PastRuns.position(r) - 1).step());
    }

    /** The last run that changed something for the step that shows. */
    Optional<RunRecord> past() {
        return card.flatMap(c -> here.shown().flatMap(s -> PastRuns.last(runs, c.id(), s.id())));
    }

    /** What the bar below a step rests on; empty where no step shows. */
    Optional<ActionBars.Facts> facts() {
        if (!wizard || card.isEmpty()) {
            return Optional.empty();
        }
        return here.plan().flatMap(plan -> here.shown().map((CardPlan.Planned step) -> new ActionBars.Facts(plan, step,
                here.reads(), here.trouble(), running, unfinished(), past(), otherCards().size(), wanted, others)));
    }
}
