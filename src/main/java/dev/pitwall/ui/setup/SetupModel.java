package dev.pitwall.ui.setup;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.UndoPlan;
import dev.pitwall.journey.Watcher;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.change.ByHand;
import dev.pitwall.ui.change.Effects;
import dev.pitwall.ui.run.Answered;
import dev.pitwall.ui.run.SiteWork;
import dev.pitwall.ui.run.UnderWay;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/**
 * What the Setup page shows of one site, and what its buttons do. It has no control and knows no thread: the wizard calls
 * back where the model is used.
 */
final class SetupModel {

    /** A card that was looked at longer ago is looked at again when it is opened. */
    private static final Duration FRESH = Duration.ofSeconds(30);

    private final Texts texts;
    private final InstantSource clock;
    private final Optional<SiteWork> work;
    private final StepLines steps;
    private final StepViews views;
    private final Banners banners;
    private final ActionBars bars;
    private final Effects effects;
    private final Followers followers;
    private final Map<String, CardWork> kept = new HashMap<>();
    private final ReadOnlyObjectWrapper<SetupPage> page = new ReadOnlyObjectWrapper<>(SetupPage.NOTHING);
    private List<CardEntry> cards = List.of();
    private Optional<String> chosen = Optional.empty();
    private Optional<SiteWork.Ask<CardPlan>> asked = Optional.empty();
    private Optional<Floor> wantedFloor = Optional.empty();
    private boolean opened;

    /** @param work empty where nothing can be changed from this window */
    SetupModel(Texts texts, InstantSource clock, Optional<SiteWork> work) {
        this.texts = texts;
        this.clock = clock;
        this.work = work;
        this.steps = new StepLines(texts);
        this.views = new StepViews(texts);
        this.banners = new Banners(texts);
        this.bars = new ActionBars(texts);
        this.effects = new Effects(texts);
        this.followers = new Followers(work, this::build);
        work.ifPresent(w -> {
            w.runningProperty().addListener((_, _, _) -> build());
            w.runsProperty().addListener((_, _, _) -> build());
        });
    }

    ReadOnlyObjectProperty<SetupPage> pageProperty() {
        return page.getReadOnlyProperty();
    }

    Optional<SiteWork> work() {
        return work;
    }

    /** Takes over the site's cards. */
    void show(SiteView view) {
        List<CardEntry> next = view.cards().stream().map(c -> CardEntry.of(c, texts)).toList();
        if (next.equals(cards)) {
            return;
        }
        cards = next;
        chooseFirst();
        build();
    }

    /** The page is about to be seen, for this floor of this card. */
    void opened(String cardId, Floor floor) {
        opened = true;
        work.ifPresent(SiteWork::refresh);
        choose(cardId, floor);
    }

    /** The page is about to be seen, for no one card: the last one shows, or the first. */
    void opened() {
        opened = true;
        work.ifPresent(SiteWork::refresh);
        if (chosen.isPresent()) {
            lookIfOld();
        } else {
            chooseFirst();
        }
        build();
    }

    /** Only once the page was asked for no card: until then nothing is read. */
    private void chooseFirst() {
        if (opened && chosen.isEmpty() && !cards.isEmpty()) {
            choose(cards.getFirst().id());
        }
    }

    /** Chooses a card; what was chosen on it before still is. */
    void choose(String cardId) {
        if (cards.stream().noneMatch(c -> c.id().equals(cardId))) {
            return;
        }
        chosen = Optional.of(cardId);
        wantedFloor = Optional.empty();
        followers.forget();
        lookIfOld();
        build();
    }

    private void choose(String cardId, Floor floor) {
        choose(cardId);
        wantedFloor = Optional.of(floor);
        takeWantedFloor();
        build();
    }

    void chooseStep(String stepId) {
        change(w -> w.at(stepId));
        wantedFloor = Optional.empty();
        followers.forget();
        build();
    }

    /** Looks at the chosen card now. */
    void lookAgain() {
        change(w -> w.ended(Optional.empty()));
        followers.forget();
        look();
        build();
    }

    /** Answers a question: everything that rests on it is looked at again. */
    void answer(String key, String value) {
        change(w -> w.choosing(w.choices().with(key, value)));
        followers.forget();
        look();
        build();
    }

    /** The message of the last run was read. */
    void closeMessage() {
        change(w -> w.ended(Optional.empty()));
        build();
    }

    /** Goes to the next step that can be acted on. */
    void next() {
        shown().ifPresent(s -> plan().flatMap(p -> ActionBars.next(p, s.id())).ifPresent(n -> chooseStep(n.id())));
    }

    /** Whether the other cards follow. They are looked at first, so that it can be said what stops on their hosts. */
    void others(boolean wanted) {
        followers.forget();
        if (wanted) {
            shown().ifPresent(step -> followers.look(step.id(), otherCards()));
        }
        build();
    }

    /** What the person is to be asked before {@link #apply}; empty where nothing stops. */
    Optional<Effects.Question> question() {
        return facts().map(ActionBars::all).filter(Effects::needsYes)
                .map(changes -> effects.question(texts.get("setup.apply"), changes));
    }

    /** Makes the changes of the step that shows, exactly as they are shown. */
    void apply() {
        work.ifPresent(w -> card().ifPresent(c -> plan().ifPresent(plan -> shown().ifPresent(step -> {
            List<Situation.Subject> then =
                    followers.others().ready().stream().flatMap(o -> o.subject().stream()).toList();
            Sequence sequence = new Sequence(plan, step.id(), then, current().choices());
            change(k -> k.ended(Optional.empty()).at(step.id()));
            w.start(step.text().title(), Optional.of(c.id()), sequence, answer -> ended(c.id(), answer));
        }))));
    }

    void stop() {
        work.ifPresent(SiteWork::stop);
    }

    /** The run that stands unfinished on the chosen card's host. */
    Optional<RunRecord> unfinished() {
        return card().flatMap(c -> PastRuns.unfinished(runs(), c.host())).filter(r -> !isMine(r.number()));
    }

    /** What the person is to be asked before {@link #resume}. */
    Optional<Effects.Question> resumeQuestion() {
        return unfinished().map(PastRuns::left).filter(Effects::needsYes)
                .map(changes -> effects.question(texts.get("setup.continue"), changes));
    }

    void resume() {
        unfinished().ifPresent(run -> one(run.title(), (journey, watcher, stop) ->
                journey.resume(run.number(), watcher, stop)));
    }

    /** The run that Undo takes back: the last one that changed something for the step that shows. */
    Optional<RunRecord> undoable() {
        return card().flatMap(c -> shown().flatMap(s -> PastRuns.last(runs(), c.id(), s.id())))
                .filter(r -> r.state() != RunRecord.State.UNDONE);
    }

    void undoPlan(long run, Consumer<Answered<UndoPlan>> answer) {
        work.ifPresent(w -> w.undoPlan(run, answer));
    }

    void undo(long run) {
        one(texts.get("change.undo-run", run), (journey, watcher, stop) -> journey.undo(run, watcher, stop));
    }

    /** @param reason not blank */
    void skip(String reason) {
        work.ifPresent(w -> card().flatMap(CardEntry::subject).ifPresent(subject -> shown().ifPresent(step ->
                w.skip(subject, step.id(), reason.strip(), answer -> {
                    if (answer instanceof Answered.Troubled<RunRecord>(Trouble trouble)) {
                        change(subject.id(), k -> k.ended(Optional.of(new Sequence.Made(List.of(), Optional.of(trouble)))));
                    }
                    look(subject.id());
                    build();
                }))));
    }

    /** The step's changes as commands. */
    String byHand() {
        return shown().map(s -> ByHand.commands(s.answer().changes())).orElse("");
    }

    private void one(String title, SiteWork.Making<RunRecord> making) {
        work.ifPresent(w -> card().ifPresent(c -> {
            change(k -> k.ended(Optional.empty()));
            w.start(title, Optional.of(c.id()), (journey, watcher, stop) ->
                            new Sequence.Made(List.of(making.make(journey, watcher, stop)), Optional.empty()),
                    answer -> ended(c.id(), answer));
        }));
    }

    private void ended(String cardId, Answered<Sequence.Made> answer) {
        Sequence.Made made = switch (answer) {
            case Answered.Got<Sequence.Made>(Sequence.Made m) -> m;
            case Answered.Troubled<Sequence.Made>(Trouble trouble) -> new Sequence.Made(List.of(), Optional.of(trouble));
        };
        change(cardId, k -> k.ended(Optional.of(made)));
        followers.forget();
        kept.replaceAll((id, k) -> id.equals(cardId) ? k
                : new CardWork(k.choices(), Optional.empty(), Optional.empty(), k.step(), false, k.ended()));
        chosen.ifPresent(this::look);
        build();
    }

    private void lookIfOld() {
        Instant old = clock.instant().minus(FRESH);
        CardWork here = current();
        boolean fresh = here.plan().filter(p -> p.at().isAfter(old)).isPresent() && here.trouble().isEmpty();
        if (!fresh) {
            look();
        }
    }

    private void look() {
        chosen.ifPresent(this::look);
    }

    /** Whatever was asked before is forgotten, so that an older answer never replaces a newer one. */
    private void look(String cardId) {
        Optional<Situation.Subject> subject = entry(cardId).flatMap(CardEntry::subject);
        if (work.isEmpty() || subject.isEmpty()) {
            return;
        }
        asked.ifPresent(SiteWork.Ask::forget);
        kept.replaceAll((_, k) -> k.notReading());
        change(cardId, CardWork::reading);
        asked = Optional.of(work.get().look(subject.get(), kept.get(cardId).choices(), answer -> {
            switch (answer) {
                case Answered.Got<CardPlan>(CardPlan plan) -> {
                    change(cardId, k -> k.seen(plan));
                    tellPlan(plan);
                    takeWantedFloor();
                }
                case Answered.Troubled<CardPlan>(Trouble trouble) -> change(cardId, k -> k.failed(trouble));
            }
            build();
        }));
    }

    /** The log says what the look came to, so that it is seen that it changed nothing. */
    private void tellPlan(CardPlan plan) {
        int changes = plan.changes().size();
        String text = changes == 0 ? texts.get("setup.log.nothing") : texts.count("setup.log.plan", changes)
                .replace("{1}", texts.get("setup.risk." + plan.risk().wireName()));
        work.ifPresent(w -> w.log().add(
                new Watcher.Line(clock.instant(), "pitwall", text, Optional.empty(), Optional.empty())));
    }

    private void takeWantedFloor() {
        wantedFloor.ifPresent(floor -> plan().ifPresent(plan -> {
            List<CardPlan.Planned> there = plan.steps().stream().filter(s -> s.floor() == floor).toList();
            there.stream().filter(s -> s.answer().state() == Answer.State.READY).findFirst()
                    .or(() -> there.stream().filter(s -> !StepLines.settled(s.answer().state())).findFirst())
                    .or(() -> there.stream().findFirst()).ifPresent(s -> change(k -> k.at(s.id())));
            wantedFloor = Optional.empty();
        }));
    }

    private void build() {
        Optional<CardEntry> card = card();
        CardWork here = current();
        page.set(new SetupPage(cards, card, here.reads(), groups(card, here),
                work.isEmpty() || card.isEmpty() ? Optional.empty() : banners.of(here, unfinished()), body(card, here),
                facts().map(bars::of)));
    }

    private List<StepGroup> groups(Optional<CardEntry> card, CardWork here) {
        if (card.isEmpty() || here.plan().isEmpty()) {
            return List.of();
        }
        Optional<UnderWay> underWay = runningHere();
        String running = underWay.isPresent() && underWay.get().record().isEmpty() ? here.step()
                : recordHere().flatMap(SetupModel::stepOf).orElse("");
        return steps.of(here.plan().get(), card.get().vm(), here.shown().map(CardPlan.Planned::id).orElse(""), running);
    }

    private static Optional<String> stepOf(RunRecord run) {
        return run.changes().isEmpty() ? Optional.empty()
                : Optional.of(run.changes().get(PastRuns.position(run) - 1).step());
    }

    private SetupPage.Body body(Optional<CardEntry> card, CardWork here) {
        if (card.isEmpty()) {
            return new SetupPage.Body.NoCard();
        }
        if (work.isEmpty()) {
            return new SetupPage.Body.NoWizard();
        }
        if (card.get().subject().isEmpty()) {
            return new SetupPage.Body.NoHost(card.get().name());
        }
        if (here.plan().isEmpty()) {
            return here.trouble().filter(_ -> !here.reads())
                    .<SetupPage.Body>map(SetupPage.Body.Troubled::new)
                    .orElseGet(() -> new SetupPage.Body.Reading(card.get().host()));
        }
        return here.shown().<SetupPage.Body>map(step -> new SetupPage.Body.Shown(
                        views.of(here.plan().get(), step, recordHere())))
                .orElseGet(() -> new SetupPage.Body.Reading(card.get().host()));
    }

    private Optional<ActionBars.Facts> facts() {
        return work.flatMap(_ -> card()).flatMap(card -> plan().flatMap(plan -> shown().map(step ->
                new ActionBars.Facts(plan, step, current().reads(), current().trouble(), running(), unfinished(),
                        PastRuns.last(runs(), card.id(), step.id()),
                        otherCards().size(), followers.wanted(), followers.others()))));
    }

    private List<CardEntry> otherCards() {
        return cards.stream().filter(c -> c.subject().isPresent() && chosen.filter(c.id()::equals).isEmpty()).toList();
    }

    private Optional<UnderWay> running() {
        return work.flatMap(w -> w.runningProperty().get());
    }

    /** The run that this window makes for the chosen card. */
    private Optional<UnderWay> runningHere() {
        return running().filter(r -> r.cardId().equals(chosen));
    }

    /** Its record while it works on this card; later it may be on the next one. */
    private Optional<RunRecord> recordHere() {
        return runningHere().flatMap(UnderWay::record).filter(r -> r.card().map(RunRecord.CardRef::id).equals(chosen));
    }

    private boolean isMine(long run) {
        return running().filter(r -> r.record().isEmpty() || r.is(run)).isPresent();
    }

    private List<RunRecord> runs() {
        return work.map(w -> w.runsProperty().get()).orElse(List.of());
    }

    private Optional<CardEntry> card() {
        return chosen.flatMap(this::entry);
    }

    private Optional<CardEntry> entry(String cardId) {
        return cards.stream().filter(c -> c.id().equals(cardId)).findFirst();
    }

    private CardWork current() {
        return chosen.map(id -> kept.getOrDefault(id, CardWork.NEW)).orElse(CardWork.NEW);
    }

    /** What the last look at the chosen card showed. */
    Optional<CardPlan> plan() {
        return current().plan();
    }

    private Optional<CardPlan.Planned> shown() {
        return current().shown();
    }

    private void change(UnaryOperator<CardWork> how) {
        chosen.ifPresent(id -> change(id, how));
    }

    private void change(String cardId, UnaryOperator<CardWork> how) {
        kept.put(cardId, how.apply(kept.getOrDefault(cardId, CardWork.NEW)));
    }
}
