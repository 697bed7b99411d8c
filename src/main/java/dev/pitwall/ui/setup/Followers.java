package dev.pitwall.ui.setup;

import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.ui.run.Answered;
import dev.pitwall.ui.run.Ask;
import dev.pitwall.ui.run.SiteWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The other cards that are to follow, if the person wants it. They are looked at as soon as it is wanted. */
final class Followers {

    private final Optional<SiteWork> work;
    private final Runnable changed;
    private final List<Ask<CardPlan>> asked = new ArrayList<>();
    private boolean wanted;
    private Others others = Others.NONE;

    /** @param changed called when more is known of one of them */
    Followers(Optional<SiteWork> work, Runnable changed) {
        this.work = work;
        this.changed = changed;
    }

    boolean wanted() {
        return wanted;
    }

    Others others() {
        return others;
    }

    /** Nobody is to follow. */
    void forget() {
        asked.forEach(Ask::forget);
        asked.clear();
        wanted = false;
        others = Others.NONE;
    }

    /** Looks whether the step is ready on these cards. */
    void look(String step, List<CardEntry> cards) {
        wanted = true;
        others = new Others(step, cards.stream().map(c -> new Others.Other(c, true, Optional.empty())).toList());
        work.ifPresent(w -> cards.forEach(card -> asked.add(w.look(card.subject().orElseThrow(), Choices.NONE, answer -> {
            others = others.with(new Others.Other(card, false, switch (answer) {
                case Answered.Got<CardPlan>(CardPlan plan) -> Optional.of(plan);
                case Answered.Troubled<CardPlan> _ -> Optional.empty();
            }));
            changed.run();
        }))));
    }
}
