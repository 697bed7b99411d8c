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
import dev.pitwall.ui.run.Ask;
import dev.pitwall.ui.run.SiteWork;
import dev.pitwall.ui.run.UnderWay;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/**
 * What the Setup page shows of one site, and what its buttons do. It has no control and knows no thread: the wizard calls
 * back where the model is used.
 */
final class SetupModel {

    /** A card that was looked at longer ago is looked at again when it is opened. */
    private static final Duration FRESH = Duration.ofSeconds(30);

    /** A step that waits for what comes by itself is looked at again that often while it shows. */
    private static final Duration LIVE = Duration.ofSeconds(8);

    private final Texts texts;
    private final InstantSource clock;
    private final Optional<SiteWork> work;
    private final SetupPages pages;
    private final ActionBars bars;
    private final AscentBars ascentWords;
    private final Effects effects;
    private final Followers followers;
    private final CardWorks kept = new CardWorks();
    private final ReadOnlyObjectWrapper<SetupPage> page = new ReadOnlyObjectWrapper<>(SetupPage.NOTHING);
    private List<CardEntry> cards = List.of();
    private Optional<Ask<CardPlan>> asked = Optional.empty();
    private Optional<Floor> wantedFloor = Optional.empty();
    private boolean opened;
    /** The step that is being made shows, until the person goes to another. */
    private boolean following;

    /** @param work empty where nothing can be changed from this window */
    SetupModel(Texts texts, InstantSource clock, Optional<SiteWork> work) {
        this.texts = texts;
        this.clock = clock;
        this.work = work;
        this.pages = new SetupPages(texts);
        this.bars = new ActionBars(texts);
        this.ascentWords = new AscentBars(texts, bars);
        this.effects = new Effects(texts);
        this.followers = new Followers(work, this::build);
        work.ifPresent(w -> {
            w.runningProperty().addListener((_, _, _) -> {
                follow();
                build();
            });
            w.lookedProperty().addListener((_, _, plan) -> plan.ifPresent(this::looked));
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
        if (kept.chosen().isPresent()) {
            lookIfOld();
        } else {
            chooseFirst();
        }
        build();
    }

    /** Only once the page was asked for no card: until then nothing is read. */
    private void chooseFirst() {
        if (opened && kept.chosen().isEmpty() && !cards.isEmpty()) {
            choose(cards.getFirst().id());
        }
    }

    /** Chooses a card; what was chosen on it before still is. */
    void choose(String cardId) {
        if (cards.stream().noneMatch(c -> c.id().equals(cardId))) {
            return;
        }
        kept.choose(cardId);
        following = false;
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
        following = false;
        kept.change(w -> w.at(stepId));
        wantedFloor = Optional.empty();
        followers.forget();
        build();
    }

    /** Looks at the chosen card now. */
    void lookAgain() {
        kept.change(w -> w.ended(Optional.empty()));
        followers.forget();
        look();
        build();
    }

    /** Somebody else has worked on cards of the site: what was read of them is old. */
    void worked() {
        kept.chosen().ifPresent(kept::forgetReadingsBut);
        followers.forget();
        look();
        build();
    }

    /** Looks again now and then as long as the step that shows waits for what comes by itself. */
    void keepUp() {
        boolean waits = shown().filter(s -> s.answer().state() == Answer.State.WAITING).isPresent();
        boolean old = plan().filter(p -> p.at().isBefore(clock.instant().minus(LIVE))).isPresent();
        if (waits && old && !kept.current().reads() && kept.current().trouble().isEmpty() && running().isEmpty()) {
            look();
            build();
        }
    }

    /** Why nothing can be made of the plan that shows; empty text if it can. */
    String whyHeld() {
        return moment().facts().map(bars::whyHeld).orElse("");
    }

    /** Answers a question: everything that rests on it is looked at again. */
    void answer(String key, String value) {
        kept.change(w -> w.choosing(w.choices().with(key, value)));
        followers.forget();
        look();
        build();
    }

    /** The message of the last run was read. */
    void closeMessage() {
        kept.change(w -> w.ended(Optional.empty()));
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
            shown().ifPresent(step -> followers.look(step.id(), moment().otherCards()));
        }
        build();
    }

    /** What the person is to be asked before {@link #apply}; empty where nothing stops. */
    Optional<Effects.Question> question() {
        return moment().facts().map(ActionBars::all).filter(Effects::needsYes)
                .map(changes -> effects.question(texts.get("setup.apply"), changes));
    }

    /** Makes the changes of the step that shows, exactly as they are shown. */
    void apply() {
        plan().ifPresent(plan -> shown().ifPresent(step -> {
            List<Situation.Subject> then =
                    followers.others().ready().stream().flatMap(o -> o.subject().stream()).toList();
            Sequence sequence = new Sequence(plan, step.id(), then, kept.current().choices());
            kept.change(k -> k.at(step.id()));
            start(step.text().title(), sequence);
        }));
    }

    /** What one run could make of the plan that shows; empty until there is one. */
    Optional<Ascents> ascents() {
        return work.flatMap(w -> plan().flatMap(p -> Ascents.of(p, w::together)));
    }

    Effects.Question question(Ascent together) {
        return ascentWords.together(together);
    }

    Effects.Question question(Ascents.Walk walk) {
        return ascentWords.walk(walk);
    }

    /** Makes steps of one plan in one run, exactly as they were shown. */
    void applyTogether(Ascent together) {
        List<String> ids = together.now().stream().map(Ascent.Part::step).toList();
        following = true;
        kept.change(k -> k.at(ids.getFirst()));
        one(texts.get("setup.ascent.apply", ids.size()), (journey, watcher, stop) ->
                journey.apply(together.plan(), ids, watcher, stop));
    }

    /** Makes what can be made, looks again, and goes on like that. */
    void walk(Ascents.Walk walk) {
        Ascent ascent = walk.ascent();
        following = true;
        ascent.now().stream().findFirst().ifPresent(first -> kept.change(k -> k.at(first.step())));
        start(walk.reached().text().title(), new ShownWalk(ascent));
    }

    void stop() {
        work.ifPresent(SiteWork::stop);
    }

    /** The run that stands unfinished on the chosen card's host. */
    Optional<RunRecord> unfinished() {
        return moment().unfinished();
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
        return moment().past().filter(r -> r.state() != RunRecord.State.UNDONE);
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
                        kept.change(subject.id(), k -> k.ended(Optional.of(new Sequence.Made(List.of(), Optional.of(trouble)))));
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
        start(title, (journey, watcher, stop) ->
                new Sequence.Made(List.of(making.make(journey, watcher, stop)), Optional.empty()));
    }

    private void start(String title, SiteWork.Making<Sequence.Made> making) {
        work.ifPresent(w -> card().ifPresent(c -> {
            kept.change(k -> k.ended(Optional.empty()));
            w.start(title, Optional.of(c.id()), making, answer -> ended(c.id(), answer));
        }));
    }

    private void ended(String cardId, Answered<Sequence.Made> answer) {
        Sequence.Made made = switch (answer) {
            case Answered.Got<Sequence.Made>(Sequence.Made m) -> m;
            case Answered.Troubled<Sequence.Made>(Trouble trouble) -> new Sequence.Made(List.of(), Optional.of(trouble));
        };
        kept.change(cardId, k -> k.ended(Optional.of(made)));
        followers.forget();
        kept.forgetReadingsBut(cardId);
        kept.chosen().ifPresent(this::look);
        build();
    }

    private void lookIfOld() {
        Instant old = clock.instant().minus(FRESH);
        CardWork here = kept.current();
        boolean fresh = here.plan().filter(p -> p.at().isAfter(old)).isPresent() && here.trouble().isEmpty();
        if (!fresh) {
            look();
        }
    }

    private void look() {
        kept.chosen().ifPresent(this::look);
    }

    /** Whatever was asked before is forgotten, so that an older answer never replaces a newer one. */
    private void look(String cardId) {
        Optional<Situation.Subject> subject = entry(cardId).flatMap(CardEntry::subject);
        if (work.isEmpty() || subject.isEmpty()) {
            return;
        }
        asked.ifPresent(Ask::forget);
        kept.notReading();
        kept.change(cardId, CardWork::reading);
        asked = Optional.of(work.get().look(subject.get(), kept.of(cardId).choices(), answer -> {
            switch (answer) {
                case Answered.Got<CardPlan>(CardPlan plan) -> {
                    kept.change(cardId, k -> k.seen(plan));
                    tellPlan(plan);
                    takeWantedFloor();
                }
                case Answered.Troubled<CardPlan>(Trouble trouble) -> kept.change(cardId, k -> k.failed(trouble));
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
            CardWork.toDoOn(plan, floor).ifPresent(s -> kept.change(k -> k.at(s.id())));
            wantedFloor = Optional.empty();
        }));
    }

    /** A run that goes on by itself has looked again: what it found shows while it goes on. */
    private void looked(CardPlan plan) {
        if (running().isPresent()) {
            kept.change(plan.card().id(), k -> k.choices().equals(plan.choices()) ? k.seen(k.plan().map(plan::over).orElse(plan)) : k);
            build();
        }
    }

    private void follow() {
        if (following) {
            moment().stepBeingMade().ifPresent(step -> kept.change(k -> k.at(step)));
            following = running().isPresent();
        }
    }

    private void build() {
        page.set(pages.of(moment()));
    }

    private Moment moment() {
        return new Moment(cards, card(), kept.current(), work.isPresent(), running(), runs(), followers.wanted(),
                followers.others(), ascents());
    }

    private Optional<UnderWay> running() {
        return work.flatMap(w -> w.runningProperty().get());
    }

    private List<RunRecord> runs() {
        return work.map(w -> w.runsProperty().get()).orElse(List.of());
    }

    private Optional<CardEntry> card() {
        return kept.chosen().flatMap(this::entry);
    }

    private Optional<CardEntry> entry(String cardId) {
        return cards.stream().filter(c -> c.id().equals(cardId)).findFirst();
    }

    /** What the last look at the chosen card showed. */
    Optional<CardPlan> plan() {
        return kept.current().plan();
    }

    private Optional<CardPlan.Planned> shown() {
        return kept.current().shown();
    }
}
