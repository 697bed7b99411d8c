package dev.pitwall.ui.doctor;

import dev.pitwall.card.Trouble;
import dev.pitwall.doctor.Treatment;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.ui.change.ChangeLine;
import dev.pitwall.ui.change.ChangeLines;
import dev.pitwall.ui.change.Effects;
import dev.pitwall.ui.run.UnderWay;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Optional;

/** Puts a treatment into words. Pure. */
final class Cure {

    private final Texts texts;
    private final ChangeLines lines;
    private final Effects effects;

    Cure(Texts texts) {
        this.texts = texts;
        this.lines = new ChangeLines(texts);
        this.effects = new Effects(texts);
    }

    /** @param whyNot why nothing can be made now; empty text if it can */
    Fix of(Treatment treatment, String whyNot) {
        return switch (treatment.means()) {
            case Treatment.WizardStep(CardPlan plan, String step) -> plan(treatment, plan, whyNot);
            case Treatment.OwnCure(CardPlan plan, String cure) -> plan(treatment, plan, whyNot);
            case Treatment.ByHand(String why) -> new Fix.ByHand(sentence(why), treatment.byHand(), Optional.empty());
        };
    }

    private Fix plan(Treatment treatment, CardPlan plan, String whyNot) {
        if (!treatment.canBeMade()) {
            return new Fix.ByHand(sentence(plan.steps().getLast().answer().why()), steps(treatment), Optional.of(
                    new Subject(plan.card().id(), treatment.finding().trap().floor().floor())));
        }
        return new Fix.Changes(title(treatment), lines.of(treatment.changes()), Effects.severity(treatment.changes()),
                effects.chip(treatment.changes()), effects.button(title(treatment), treatment.changes()), whyNot,
                plan.steps().stream().flatMap(s -> s.answer().notes().stream()).distinct().toList(), treatment.byHand());
    }

    private static List<String> steps(Treatment treatment) {
        return treatment.byHand().isEmpty() ? treatment.finding().trap().fix().steps() : treatment.byHand();
    }

    /** What the changes do together: the title of the last step. */
    String title(Treatment treatment) {
        return treatment.plan().map(p -> p.steps().getLast().text().title())
                .orElse(treatment.finding().trap().title());
    }

    /** What the person is asked once more; empty if nothing stops. */
    Optional<Effects.Question> question(Treatment treatment) {
        return Effects.needsYes(treatment.changes())
                ? Optional.of(effects.question(title(treatment), treatment.changes())) : Optional.empty();
    }

    /** The changes as they are made; before the first one, as they will be. */
    Fix running(UnderWay run, Treatment treatment) {
        List<ChangeLine> now = run.record().map(RunRecord::changes).map(c -> c.stream().map(lines::of).toList())
                .filter(c -> !c.isEmpty()).orElseGet(() -> lines.of(treatment.changes()));
        return new Fix.Running(run.title(), now, run.stopping());
    }

    /** How a run ended that cured nothing; empty for one that is done. */
    Optional<FindingView.Ended> ended(RunRecord run) {
        return switch (run.state()) {
            case DONE, ALREADY_SO, SKIPPED, UNDONE, RUNNING -> Optional.empty();
            case STOPPED -> Optional.of(new FindingView.Ended(texts.get("doctor.run.stopped", run.number(), run.title()),
                    said(run)));
            case FAILED -> Optional.of(new FindingView.Ended(texts.get("doctor.run.failed", run.number(), run.title()),
                    said(run)));
        };
    }

    static FindingView.Ended ended(Trouble trouble) {
        return new FindingView.Ended(trouble.sentence(), trouble.next());
    }

    /** What the change said at which it ended, else what the run says. */
    private static String said(RunRecord run) {
        return run.changes().stream().filter(c -> c.state() == ChangeRecord.State.FAILED
                || c.state() == ChangeRecord.State.STOPPED).flatMap(c -> c.message().stream()).findFirst()
                .or(run::note).orElse("");
    }

    /** As a sentence of its own. */
    private static String sentence(String text) {
        String trimmed = text.strip();
        if (trimmed.isEmpty()) {
            return trimmed;
        }
        String begun = Character.toUpperCase(trimmed.charAt(0)) + trimmed.substring(1);
        return begun.endsWith(".") ? begun : begun + ".";
    }
}
