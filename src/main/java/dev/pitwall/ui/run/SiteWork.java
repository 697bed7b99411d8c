package dev.pitwall.ui.run;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Export;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.UndoPlan;
import dev.pitwall.journey.Watcher;
import dev.pitwall.site.Site;
import dev.pitwall.ui.words.Texts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/**
 * The wizard of one open site. Whatever may block runs in the background; answers and properties change in the window's
 * thread, where all methods are to be called. At most one run is made at a time.
 */
public final class SiteWork implements AutoCloseable {

    /** How far back the window looks. */
    private static final int RUNS = 1000;

    private final Site site;
    private final Journey journey;
    private final Journal journal;
    private final List<Export> exports;
    private final Asks asks;
    private final Executor window;
    private final LogLines log;
    private final WindowWords words = new WindowWords(new Texts());
    private final ReadOnlyObjectWrapper<Optional<UnderWay>> running = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<RunRecord>> runs = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Optional<Trouble>> journalTrouble =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<CardPlan>> looked = new ReadOnlyObjectWrapper<>(Optional.empty());
    private volatile Stop stop = new Stop();
    private Optional<Ask<?>> reading = Optional.empty();

    /** Something that changes systems. */
    public interface Making<T> {
        T make(Journey journey, Watcher watcher, Stop stop) throws TroubleException, InterruptedException;
    }

    /**
     * @param background for calls that may block; virtual threads
     * @param window     where properties may change
     * @param paced      makes of a drawing an action that any thread may run as often as it likes
     */
    public SiteWork(Site site, Journeys.Opened opened, Executor background, Executor window,
                    UnaryOperator<Runnable> paced) {
        this.site = site;
        this.journey = opened.journey();
        this.journal = opened.journal();
        this.exports = opened.exports();
        this.asks = new Asks(background, window);
        this.window = window;
        this.log = new LogLines(paced);
        refresh();
    }

    public Site site() {
        return site;
    }

    /** The forms that a plan can be given for other tools. */
    public List<Export> exports() {
        return exports;
    }

    public LogLines log() {
        return log;
    }

    /** What this window makes now. */
    public ReadOnlyObjectProperty<Optional<UnderWay>> runningProperty() {
        return running.getReadOnlyProperty();
    }

    /** What the run that is under way found when it looked last. */
    public ReadOnlyObjectProperty<Optional<CardPlan>> lookedProperty() {
        return looked.getReadOnlyProperty();
    }

    /** The journal of the site, newest first. */
    public ReadOnlyObjectProperty<List<RunRecord>> runsProperty() {
        return runs.getReadOnlyProperty();
    }

    /** Why the journal could not be read. */
    public ReadOnlyObjectProperty<Optional<Trouble>> journalTroubleProperty() {
        return journalTrouble.getReadOnlyProperty();
    }

    /** Reads the journal again. */
    public void refresh() {
        reading.ifPresent(Ask::forget);
        reading = Optional.of(ask(() -> journal.runs(site.id(), RUNS), answer -> {
            switch (answer) {
                case Answered.Got<List<RunRecord>>(List<RunRecord> all) -> {
                    journalTrouble.set(Optional.empty());
                    runs.set(all);
                }
                case Answered.Troubled<List<RunRecord>>(Trouble trouble) -> journalTrouble.set(Optional.of(trouble));
            }
        }));
    }

    /** Looks at a card. */
    public Ask<CardPlan> look(Situation.Subject card, Choices choices, Consumer<Answered<CardPlan>> answer) {
        return ask(() -> words.of(journey.look(card, choices, watcher())), answer);
    }

    /** The steps of a plan that one run can make without looking again; reads nothing. */
    public List<String> together(CardPlan plan, String last) {
        return journey.together(plan, last);
    }

    /** Asks what the undo of a run would do now. */
    public Ask<UndoPlan> undoPlan(long run, Consumer<Answered<UndoPlan>> answer) {
        return ask(() -> journey.undoPlan(run, watcher()), answer);
    }

    /** Leaves a step out. */
    public void skip(Situation.Subject card, String step, String reason, Consumer<Answered<RunRecord>> answer) {
        ask(() -> journey.skip(card, step, reason), a -> {
            refresh();
            answer.accept(a);
        });
    }

    /**
     * Starts a run, unless one is under way.
     *
     * @param ended gets what came of it
     */
    public <T> void start(String title, Optional<String> cardId, Making<T> making, Consumer<Answered<T>> ended) {
        if (running.get().isPresent()) {
            return;
        }
        Stop mine = new Stop();
        stop = mine;
        running.set(Optional.of(new UnderWay(title, cardId)));
        ask(() -> making.make(journey, runWatcher(), mine), answer -> {
            running.set(Optional.empty());
            refresh();
            ended.accept(answer);
        });
    }

    /** Asks the run that is under way to end before its next change. */
    public void stop() {
        stop.ask();
        running.get().ifPresent(r -> running.set(Optional.of(r.asked())));
    }

    /** Ends the connections and whatever is asked. A run that is under way is left where it is and can be continued. */
    @Override
    public void close() {
        stop.ask();
        asks.close();
        journey.close();
    }

    private <T> Ask<T> ask(Ask.Question<T> question, Consumer<Answered<T>> answer) {
        return asks.ask(question, answer);
    }

    private Watcher watcher() {
        return log::add;
    }

    private Watcher runWatcher() {
        Map<Long, RunRecord> waiting = new LinkedHashMap<>();
        return new Watcher() {
            @Override
            public void line(Line line) {
                log.add(line);
            }

            @Override
            public void looked(CardPlan plan) {
                CardPlan shown = words.of(plan);
                window.execute(() -> looked.set(Optional.of(shown)));
            }

            @Override
            public void moved(RunRecord run) {
                // Runs that move fast cost one drawing, not one for each move.
                boolean first;
                synchronized (waiting) {
                    first = waiting.isEmpty();
                    waiting.put(run.number(), run);
                }
                if (first) {
                    window.execute(this::draw);
                }
            }

            private void draw() {
                List<RunRecord> moved;
                synchronized (waiting) {
                    moved = List.copyOf(waiting.values());
                    waiting.clear();
                }
                moved.forEach(SiteWork.this::moved);
            }
        };
    }

    private void moved(RunRecord run) {
        running.get().ifPresent(r -> running.set(Optional.of(r.at(run))));
    }
}
