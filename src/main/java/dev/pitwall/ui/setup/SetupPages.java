package dev.pitwall.ui.setup;

import dev.pitwall.journey.CardPlan;
import dev.pitwall.ui.run.UnderWay;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Optional;

/** Makes the page. Pure: the same moment gives the same page. */
final class SetupPages {

    private final StepLines steps;
    private final StepViews views;
    private final Banners banners;
    private final ActionBars bars;
    private final AscentBars ascents;

    SetupPages(Texts texts) {
        this.steps = new StepLines(texts);
        this.views = new StepViews(texts);
        this.banners = new Banners(texts);
        this.bars = new ActionBars(texts);
        this.ascents = new AscentBars(texts, bars);
    }

    SetupPage of(Moment m) {
        Optional<Banner> banner = !m.wizard() || m.card().isEmpty() ? Optional.empty() : banners.of(m.here(), m.unfinished());
        Optional<ActionBars.Facts> facts = m.facts();
        return new SetupPage(m.cards(), m.card(), m.here().reads(), groups(m), banner, body(m), facts.map(bars::of),
                facts.flatMap(f -> m.ascents().map(a -> ascents.of(f, a))));
    }

    private List<StepGroup> groups(Moment m) {
        if (m.card().isEmpty() || m.here().plan().isEmpty()) {
            return List.of();
        }
        Optional<UnderWay> underWay = m.runningHere();
        String running = underWay.isPresent() && underWay.get().record().isEmpty() ? m.here().step()
                : m.stepBeingMade().orElse("");
        return steps.of(m.here().plan().get(), m.card().get(), m.here().shown().map(CardPlan.Planned::id).orElse(""),
                running);
    }

    private SetupPage.Body body(Moment m) {
        if (m.card().isEmpty()) {
            return new SetupPage.Body.NoCard();
        }
        if (!m.wizard()) {
            return new SetupPage.Body.NoWizard();
        }
        CardEntry card = m.card().get();
        if (card.subject().isEmpty()) {
            return new SetupPage.Body.NoHost(card.name());
        }
        CardWork here = m.here();
        if (here.plan().isEmpty()) {
            return here.trouble().filter(_ -> !here.reads())
                    .<SetupPage.Body>map(SetupPage.Body.Troubled::new)
                    .orElseGet(() -> new SetupPage.Body.Reading(card.host()));
        }
        return here.shown().<SetupPage.Body>map(step -> new SetupPage.Body.Shown(
                        views.of(here.plan().get(), step, m.recordHere())))
                .orElseGet(() -> new SetupPage.Body.Reading(card.host()));
    }
}
