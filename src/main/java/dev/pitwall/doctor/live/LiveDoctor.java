package dev.pitwall.doctor.live;

import dev.pitwall.card.Card;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.SiteDoctor;
import dev.pitwall.doctor.Treatment;
import dev.pitwall.doctor.Treatment.ByHand;
import dev.pitwall.doctor.Treatment.OwnCure;
import dev.pitwall.doctor.Treatment.WizardStep;
import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.fix.CureBook;
import dev.pitwall.doctor.fix.NodeMachines;
import dev.pitwall.doctor.fix.Treatments;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.journey.StepText;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.WatchedSystems;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.run.Ladder;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** The Doctor of a connected site, on the ways in that the wizard uses too. */
public final class LiveDoctor implements SiteDoctor {
    /** Where a cure has no time of its own. */
    private static final Duration USUAL = Duration.ofMinutes(5);

    private final Practice practice;
    private final SiteLook look;
    private final CureBook book;
    private final Treatments treatments;
    private final AtomicReference<Set<String>> unseen = new AtomicReference<>(Set.of());

    public LiveDoctor(Practice practice) {
        this.practice = practice;
        this.look = new SiteLook(practice, Looks.load());
        this.book = CureBook.load();
        this.treatments = new Treatments(book);
    }

    @Override
    public Diagnosis diagnose(Watcher watcher) throws TroubleException, InterruptedException {
        Diagnosis now = look.diagnose(watched(watcher));
        unseen.set(Set.copyOf(now.unseen()));
        return now;
    }

    private Systems watched(Watcher watcher) {
        return new WatchedSystems(practice.systems(), watcher, practice.patience().clock());
    }

    @Override
    public Treatment treatment(Finding finding, Optional<String> card, Choices choices, Watcher watcher)
            throws TroubleException, InterruptedException {
        Optional<Card> chosen = card(finding, card);
        Optional<Treatment> own = cure(finding, chosen, watcher);
        if (own.filter(Treatment::canBeMade).isPresent()) {
            return own.get();
        }
        Optional<Trap.Remedy> remedy = finding.trap().fix().remedy();
        Optional<Treatment> other = remedy.isEmpty() ? Optional.empty() : switch (remedy.get()) {
            case Trap.Remedy.WizardStep wanted -> chosen.isEmpty() ? Optional.empty()
                    : step(finding, chosen.get(), wanted, choices, watcher);
            case Trap.Remedy.ByHand(String why) -> Optional.of(byHand(finding, why));
            case Trap.Remedy.Cure cure -> Optional.empty();
        };
        return other.filter(t -> t.canBeMade() || own.isEmpty()).or(() -> own)
                .orElseGet(() -> byHand(finding, "Pitwall changes nothing of this itself"));
    }

    private static Treatment byHand(Finding finding, String why) {
        return new Treatment(finding, new ByHand(why), finding.trap().fix().steps());
    }

    /**
     * The one that is meant; else the first that the finding is about, or that is on one of its nodes. Any of a finding that
     * names no place: one that does is never cured at another card.
     */
    private Optional<Card> card(Finding finding, Optional<String> wanted) {
        List<Card> all = practice.live().view().cards();
        Places places = Places.of(practice.live());
        return wanted.isPresent() ? all.stream().filter(c -> c.id().equals(wanted.get())).findFirst()
                : all.stream().filter(c -> finding.cards().contains(c.id())).findFirst()
                .or(() -> all.stream().filter(c -> finding.nodes().contains(c.host())
                        || finding.nodes().contains(places.above(c).node())).findFirst())
                .or(() -> finding.nodes().isEmpty() && finding.cards().isEmpty() ? all.stream().findFirst() : Optional.empty());
    }

    /** @return empty for a card whose host the site does not have */
    private Optional<Treatment> step(Finding finding, Card card, Trap.Remedy.WizardStep wanted, Choices choices,
                                     Watcher watcher) throws TroubleException, InterruptedException {
        Optional<Subject> subject = StepPart.subject(card);
        if (subject.isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> chosen = new HashMap<>(wanted.choices());
        chosen.putAll(choices.values());
        CardPlan whole = practice.wizard(practice.systems()).look(subject.get(), Choices.of(chosen), watcher);
        int place = whole.steps().stream().map(CardPlan.Planned::id).toList().indexOf(wanted.step());
        if (place < 0) {
            return Optional.empty();
        }
        CardPlan.Planned last = whole.steps().get(place);
        return Optional.of(switch (last.answer().state()) {
            case READY -> new Treatment(finding, new WizardStep(only(whole, List.of(last)), wanted.step()), List.of());
            case WAITING -> walk(finding, only(whole, whole.steps().subList(0, place + 1)), wanted.step());
            case DONE, BLOCKED, NOT_APPLICABLE, UNKNOWN, SKIPPED -> byHand(finding, says(last));
        });
    }

    /** A walk is refused where a step on its way is blocked; then that step tells what is in the way. */
    private static Treatment walk(Finding finding, CardPlan way, String to) {
        return way.steps().stream().filter(s -> s.answer().state() == Answer.State.BLOCKED).findFirst()
                .map(s -> byHand(finding, says(s)))
                .orElseGet(() -> new Treatment(finding, new WizardStep(way, to), List.of()));
    }

    private static String says(CardPlan.Planned step) {
        return "\"" + step.text().title() + "\" says: " + step.answer().why();
    }

    private static CardPlan only(CardPlan plan, List<CardPlan.Planned> steps) {
        return new CardPlan(plan.card(), plan.choices(), plan.at(), steps);
    }

    private Optional<Treatment> cure(Finding finding, Optional<Card> card, Watcher watcher)
            throws TroubleException, InterruptedException {
        Optional<CureBook.Cure> cure = treatments.cure(finding);
        if (cure.isEmpty()) {
            return Optional.empty();
        }
        Answer answer = treatments.answer(cure.get(), finding, new ReadOnce(watched(watcher)), machines());
        if (answer.state() != Answer.State.READY) {
            return Optional.of(byHand(finding, answer.why()));
        }
        CardPlan.Planned step = new CardPlan.Planned(OwnCure.STEP, finding.trap().floor().floor(), text(finding, cure.get()), answer);
        CardPlan plan = new CardPlan(subject(card), Choices.NONE, practice.patience().clock().instant(), List.of(step));
        return Optional.of(new Treatment(finding, new OwnCure(plan, cure.get().name()), List.of()));
    }

    private static StepText text(Finding finding, CureBook.Cure cure) {
        return new StepText("cluster", cure.title(), finding.summary());
    }

    /** A run is about a card; where the site has none with a place, it is about its cluster, which has no slot. */
    private Subject subject(Optional<Card> card) {
        String site = practice.live().site().name();
        return card.flatMap(StepPart::subject).orElseGet(() -> new Subject(site + "/0000:00:00", site, site,
                PciAddress.parse("0000:00:00").orElseThrow()));
    }

    /** The shell of a node is the one whose machine has the node's UUID; its VM is that of its card. */
    private NodeMachines machines() {
        Places places = Places.of(practice.live());
        return new NodeMachines(
                node -> practice.systems().nodeShells().stream().filter(name -> places.machine(name).node().equals(node)).findFirst(),
                node -> places.cards().stream().filter(card -> places.above(card).node().equals(node)).findFirst()
                        .flatMap(card -> card.vm().map(vm -> new NodeMachines.Vm(card.host(), vm.vmid(), vm.name()))));
    }

    @Override
    public RunRecord apply(Treatment treatment, Watcher watcher, Stop stop) throws TroubleException, InterruptedException {
        return switch (treatment.means()) {
            case WizardStep(CardPlan plan, String step) -> apply(plan, step, watcher, stop);
            case OwnCure(CardPlan plan, String cure) -> course(treatment.finding(), plan, cure).apply(plan,
                    List.of(OwnCure.STEP), watcher, stop);
            case ByHand(String why) -> throw new IllegalArgumentException("nothing can be made of it: " + why);
        };
    }

    /** A step that waits for others is walked to. */
    private RunRecord apply(CardPlan plan, String step, Watcher watcher, Stop stop)
            throws TroubleException, InterruptedException {
        Journey wizard = practice.wizard(practice.systems());
        boolean ready = plan.step(step).filter(s -> s.answer().state() == Answer.State.READY).isPresent();
        return ready ? wizard.apply(plan, List.of(step), watcher, stop)
                : wizard.walk(plan.card(), plan.choices(), step, watcher, stop);
    }

    private Journey course(Finding finding, CardPlan plan, String cure) {
        CureCourse course = new CureCourse(finding, book.named(cure).map(CureBook.Cure::normal).orElse(USUAL),
                unseen.get(), look::diagnose);
        Ladder ladder = new Ladder(List.of(course), practice.ladder().texts().with(OwnCure.STEP,
                plan.steps().getFirst().text()));
        return practice.journey(practice.systems(), course, ladder);
    }

    @Override
    public void close() {
        practice.systems().close();
    }
}
