package dev.pitwall.ui.doctor;

import dev.pitwall.card.Trouble;
import dev.pitwall.doctor.Treatment;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.ui.change.ByHand;
import dev.pitwall.ui.change.Effects;
import dev.pitwall.ui.doctor.FindingLines.Item;
import dev.pitwall.ui.doctor.FindingLines.Surety;
import dev.pitwall.ui.run.Answered;
import dev.pitwall.ui.run.Ask;
import dev.pitwall.ui.run.SiteWork;
import dev.pitwall.ui.run.UnderWay;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/** What is to be done against the finding that shows: read, made, and how that ended. In the window's thread. */
final class Curing {

    /** Whoever goes through the list with the arrow keys has no fix read for each entry on the way. */
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final Texts texts;
    private final Cure words;
    private final SiteCare care;
    private final Optional<SiteWork> work;
    private final BiConsumer<Duration, Runnable> later;
    private final Runnable changed;
    private final ReadOnlyObjectWrapper<Optional<RunRecord>> cured = new ReadOnlyObjectWrapper<>(Optional.empty());
    private Optional<Patient> patient = Optional.empty();
    private Optional<Treatment> treatment = Optional.empty();
    private Optional<Trouble> trouble = Optional.empty();
    private Optional<Ask<Treatment>> asked = Optional.empty();
    private Optional<Treatment> making = Optional.empty();
    private Optional<End> end = Optional.empty();

    /** @param card the one that the fix is for; empty for the Doctor's choice */
    private record Patient(Finding finding, Optional<String> card) {
        boolean isLike(Patient other) {
            return finding.trap().name().equals(other.finding.trap().name()) && card.equals(other.card)
                    && finding.nodes().equals(other.finding.nodes()) && finding.cards().equals(other.finding.cards())
                    && finding.summary().equals(other.finding.summary());
        }
    }

    /** How a run against a cause ended. */
    private record End(String trap, FindingView.Ended words) {
    }

    /**
     * @param later   does something once a time is over
     * @param changed is told when there is something else to show
     */
    Curing(Texts texts, SiteCare care, Optional<SiteWork> work, BiConsumer<Duration, Runnable> later, Runnable changed) {
        this.texts = texts;
        this.words = new Cure(texts);
        this.care = care;
        this.work = work;
        this.later = later;
        this.changed = changed;
        work.ifPresent(w -> w.runningProperty().addListener((_, _, _) -> changed.run()));
    }

    /** The last run that did what it was to do. */
    ReadOnlyObjectProperty<Optional<RunRecord>> curedProperty() {
        return cured.getReadOnlyProperty();
    }

    /** Reads what would cure it, unless that is known. */
    void follow(Item item, Optional<String> card) {
        Optional<Patient> next = patient(item, card);
        if (next.isPresent() && patient.filter(next.get()::isLike).isPresent()) {
            return;
        }
        patient = next;
        forget();
        next.ifPresent(p -> later.accept(PAUSE, () -> {
            if (patient.filter(now -> now == p).isPresent()) {
                read(p);
            }
        }));
    }

    private static Optional<Patient> patient(Item item, Optional<String> card) {
        return switch (item) {
            case Item.Found(Finding f, Surety surety) when surety != Surety.HARMLESS -> Optional.of(new Patient(f, card));
            case Item.Found _, Item.Waits _, Item.Next _, Item.Unseen _ -> Optional.empty();
        };
    }

    /** Nothing shows that could be cured from here. */
    void leave() {
        patient = Optional.empty();
        forget();
    }

    private void forget() {
        asked.ifPresent(Ask::forget);
        asked = Optional.empty();
        treatment = Optional.empty();
        trouble = Optional.empty();
    }

    /** Reads anew what would cure it. */
    void again() {
        patient.ifPresent(p -> {
            forget();
            read(p);
        });
    }

    private void read(Patient p) {
        asked.ifPresent(Ask::forget);
        asked = Optional.of(care.treatment(p.finding(), p.card(), answer -> {
            asked = Optional.empty();
            switch (answer) {
                case Answered.Got<Treatment>(Treatment t) -> treatment = Optional.of(t);
                case Answered.Troubled<Treatment>(Trouble t) -> trouble = Optional.of(t);
            }
            changed.run();
        }));
    }

    /** What is to be done against what shows. */
    Fix fix(Item item) {
        return switch (item) {
            case Item.Found(Finding f, Surety surety) -> surety == Surety.HARMLESS
                    ? new Fix.Nothing(texts.get("doctor.fix.harmless")) : fix(f);
            case Item.Waits w -> new Fix.Nothing(w.waiting().finding().trap().fix().summary());
            case Item.Next(String sentence) -> new Fix.ByHand(texts.get("doctor.fix.next"), List.of(sentence), Optional.empty());
            case Item.Unseen _ -> new Fix.Nothing(texts.get("doctor.fix.unseen"));
        };
    }

    private Fix fix(Finding finding) {
        Optional<UnderWay> run = work.flatMap(w -> w.runningProperty().get());
        if (run.isPresent() && making.filter(m -> isOf(m, finding)).isPresent()) {
            return words.running(run.get(), making.get());
        }
        if (trouble.isPresent()) {
            return new Fix.Troubled(trouble.get());
        }
        return treatment.<Fix>map(t -> words.of(t, whyNot(run))).orElseGet(Fix.Reading::new);
    }

    /** The same for evidence of nobody's site: a person does it. */
    static Fix byHand(Texts texts, Item item) {
        return switch (item) {
            case Item.Found(Finding f, Surety surety) -> surety == Surety.HARMLESS
                    ? new Fix.Nothing(texts.get("doctor.fix.harmless"))
                    : new Fix.ByHand(f.trap().fix().summary(), f.trap().fix().steps(), Optional.empty());
            case Item.Waits w -> new Fix.Nothing(w.waiting().finding().trap().fix().summary());
            case Item.Next(String sentence) -> new Fix.ByHand(texts.get("doctor.fix.next"), List.of(sentence), Optional.empty());
            case Item.Unseen _ -> new Fix.Nothing(texts.get("doctor.fix.unreadable"));
        };
    }

    private String whyNot(Optional<UnderWay> run) {
        if (work.isEmpty()) {
            return texts.get("doctor.why.reads");
        }
        return run.map(r -> texts.get("doctor.why.running", r.title())).orElse("");
    }

    private static boolean isOf(Treatment treatment, Finding finding) {
        return treatment.finding().trap().name().equals(finding.trap().name());
    }

    Optional<FindingView.Ended> ended(Item item) {
        return end.filter(e -> e.trap().equals(FindingLines.id(item))).map(End::words);
    }

    /** What the person is asked before it is made; empty if nothing stops by it. */
    Optional<Effects.Question> question() {
        return treatment.flatMap(words::question);
    }

    /** The changes as commands for a person; empty text where there are none. */
    String commands() {
        return treatment.filter(Treatment::canBeMade).map(t -> ByHand.commands(t.changes())).orElse("");
    }

    /** Makes what is shown, as a run of the journal. */
    void apply() {
        if (work.isEmpty() || work.get().runningProperty().get().isPresent() || treatment.filter(Treatment::canBeMade).isEmpty()) {
            return;
        }
        Treatment shown = treatment.get();
        making = Optional.of(shown);
        end = Optional.empty();
        work.get().<RunRecord>start(words.title(shown), shown.plan().map(p -> p.card().id()),
                (_, watcher, stop) -> care.apply(shown, watcher, stop), answer -> ended(shown, answer));
    }

    private void ended(Treatment made, Answered<RunRecord> answer) {
        making = Optional.empty();
        String trap = made.finding().trap().name();
        switch (answer) {
            case Answered.Got<RunRecord>(RunRecord run) -> {
                end = words.ended(run).map(e -> new End(trap, e));
                if (end.isEmpty()) {
                    cured.set(Optional.of(run));
                }
            }
            case Answered.Troubled<RunRecord>(Trouble t) -> end = Optional.of(new End(trap, Cure.ended(t)));
        }
        again();
        changed.run();
        care.lookAgain();
    }

    /** Asks the run to end before its next change. */
    void stop() {
        work.ifPresent(SiteWork::stop);
    }

    boolean settled() {
        return patient.isEmpty() || treatment.isPresent() || trouble.isPresent();
    }
}
