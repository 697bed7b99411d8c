package dev.pitwall.ui.journal;

import dev.pitwall.card.Trouble;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.UndoPlan;
import dev.pitwall.journey.change.Change;
import dev.pitwall.ui.change.ByHand;
import dev.pitwall.ui.change.ChangeLine;
import dev.pitwall.ui.change.ChangeLines;
import dev.pitwall.ui.change.Effects;
import dev.pitwall.ui.change.Severity;
import dev.pitwall.ui.run.Answered;
import dev.pitwall.ui.run.Ask;
import dev.pitwall.ui.run.RunPlace;
import dev.pitwall.ui.run.SiteWork;
import dev.pitwall.ui.run.UnderWay;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.words.Texts;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** What the Journal shows of one site, and what its buttons do. It has no control. */
final class JournalModel {

    private final Texts texts;
    private final InstantSource clock;
    private final Optional<SiteWork> work;
    private final RunLines lines;
    private final ChangeLines changeLines;
    private final Effects effects;
    private final ObjectProperty<RunFilter> filter = new SimpleObjectProperty<>(RunFilter.ALL);
    private final StringProperty wanted = new SimpleStringProperty("");
    private final ReadOnlyObjectWrapper<JournalPage> page = new ReadOnlyObjectWrapper<>(JournalPage.NOTHING);
    private Optional<Long> chosen = Optional.empty();
    private Optional<Answered<UndoPlan>> plan = Optional.empty();
    private Optional<Ask<UndoPlan>> asked = Optional.empty();
    /** Why the last undo did not come to its end. */
    private Optional<Trouble> trouble = Optional.empty();

    JournalModel(Texts texts, InstantSource clock, ZoneId zone, Optional<SiteWork> work) {
        this.texts = texts;
        this.clock = clock;
        this.work = work;
        this.lines = new RunLines(texts, zone);
        this.changeLines = new ChangeLines(texts);
        this.effects = new Effects(texts);
        filter.addListener((_, _, _) -> build());
        wanted.addListener((_, _, _) -> build());
        work.ifPresent(w -> {
            w.runsProperty().addListener((_, _, _) -> arrived());
            w.runningProperty().addListener((_, _, _) -> build());
            w.journalTroubleProperty().addListener((_, _, _) -> build());
        });
        arrived();
    }

    ReadOnlyObjectProperty<JournalPage> pageProperty() {
        return page.getReadOnlyProperty();
    }

    ObjectProperty<RunFilter> filterProperty() {
        return filter;
    }

    /** What the runs shown must have in their words. */
    StringProperty wantedProperty() {
        return wanted;
    }

    /** Reads the journal again: another window or the command line may have written to it. */
    void opened() {
        work.ifPresent(SiteWork::refresh);
    }

    /** False while it is read what undo of the chosen run would do. */
    boolean settled() {
        return asked.isEmpty() || plan.isPresent();
    }

    /** Running times go on. */
    void tick() {
        if (running().isPresent()) {
            build();
        }
    }

    void choose(long run) {
        if (chosen.filter(n -> n == run).isEmpty()) {
            chosen = Optional.of(run);
            askForPlan();
            build();
        }
    }

    /** Chooses the newest run that can be taken back; false if there is none. */
    boolean chooseLastUndoable() {
        Optional<RunRecord> last = all().stream().filter(r -> undoing(r) instanceof Undoing.Offered).findFirst();
        last.ifPresent(r -> {
            filter.set(RunFilter.ALL);
            wanted.set("");
            choose(r.number());
        });
        return last.isPresent();
    }

    Optional<Long> chosen() {
        return chosen;
    }

    void stop() {
        work.ifPresent(SiteWork::stop);
    }

    /** What the person is to be asked before {@link #undo}; empty where nothing stops. */
    Optional<Effects.Question> undoQuestion() {
        return planned().filter(Effects::needsYes).map(c -> effects.question(texts.get("change.undo"), c));
    }

    /** Takes the chosen run back. */
    void undo() {
        work.ifPresent(w -> run().ifPresent(r -> w.start(texts.get("change.undo-run", r.number()),
                r.card().map(RunRecord.CardRef::id), (journey, watcher, stop) -> journey.undo(r.number(), watcher, stop),
                answer -> {
                    trouble = switch (answer) {
                        case Answered.Got<RunRecord> _ -> Optional.empty();
                        case Answered.Troubled<RunRecord>(Trouble t) -> Optional.of(t);
                    };
                    askForPlan();
                    build();
                })));
    }

    /** Where Setup shows the card of the chosen run; empty for a run of no card. */
    Optional<Subject> subject() {
        return run().flatMap(RunPlace::of);
    }

    /** The changes of the chosen run as commands. */
    String script() {
        return run().map(r -> ByHand.commands(r.changes().stream().map(ChangeRecord::change).toList())).orElse("");
    }

    /** The runs that show, for a file. */
    List<RunRecord> shown() {
        return all().stream().filter(this::passes).toList();
    }

    private void arrived() {
        if (chosen.isEmpty() || run().isEmpty()) {
            chosen = all().stream().findFirst().map(RunRecord::number);
        }
        askForPlan();
        build();
    }

    /** What undo would do is read from the systems, so only the plan of the chosen run is asked for. */
    private void askForPlan() {
        asked.ifPresent(Ask::forget);
        asked = Optional.empty();
        plan = Optional.empty();
        if (running().isPresent()) {
            return;
        }
        run().filter(r -> asks(undoing(r))).ifPresent(r -> asked = work.map(w -> w.undoPlan(r.number(), answer -> {
            plan = Optional.of(answer);
            build();
        })));
    }

    private static boolean asks(Undoing undoing) {
        return switch (undoing) {
            case Undoing.Offered _, Undoing.After _, Undoing.Unfinished _ -> true;
            case Undoing.Running _, Undoing.ChangedNothing _, Undoing.NothingToUndo _, Undoing.Undone _,
                    Undoing.IsUndo _ -> false;
        };
    }

    private void build() {
        List<RunRecord> shown = shown();
        page.set(new JournalPage(counts(), lines.grouped(shown, all(), running(), clock.instant()), emptiness(shown),
                run().map(this::detail), trouble.or(() -> work.flatMap(w -> w.journalTroubleProperty().get()))));
    }

    private JournalPage.Emptiness emptiness(List<RunRecord> shown) {
        if (work.isEmpty()) {
            return JournalPage.Emptiness.NO_WIZARD;
        }
        if (all().isEmpty()) {
            return JournalPage.Emptiness.NO_RUNS;
        }
        return shown.isEmpty() ? JournalPage.Emptiness.NOTHING_MATCHES : JournalPage.Emptiness.NONE;
    }

    private Map<RunFilter, Integer> counts() {
        Map<RunFilter, Integer> counts = new EnumMap<>(RunFilter.class);
        for (RunFilter f : RunFilter.values()) {
            counts.put(f, (int) all().stream().filter(r -> passes(r, f)).count());
        }
        return counts;
    }

    private boolean passes(RunRecord run) {
        return passes(run, filter.get()) && matches(run);
    }

    private boolean passes(RunRecord run, RunFilter by) {
        return switch (by) {
            case ALL -> true;
            case UNDOABLE -> undoing(run) instanceof Undoing.Offered;
            case STOPPED -> run.state() == RunRecord.State.STOPPED || run.state() == RunRecord.State.FAILED
                    || undoing(run) instanceof Undoing.Unfinished;
        };
    }

    private boolean matches(RunRecord run) {
        String text = wanted.get().strip().toLowerCase(Locale.ROOT);
        return text.isEmpty() || Stream.of(Stream.of(run.title(), run.host(), Long.toString(run.number())),
                        run.card().stream().flatMap(c -> Stream.of(c.id(), c.name())), run.note().stream(),
                        run.changes().stream().map(c -> c.change().target()))
                .flatMap(s -> s).anyMatch(s -> s.toLowerCase(Locale.ROOT).contains(text));
    }

    /** The newest records: of the run under way the one that moves. */
    private List<RunRecord> all() {
        List<RunRecord> kept = work.map(w -> w.runsProperty().get()).orElse(List.of());
        Optional<RunRecord> live = work.flatMap(w -> w.runningProperty().get()).flatMap(UnderWay::record);
        if (live.isEmpty()) {
            return kept;
        }
        RunRecord now = live.get();
        return Stream.concat(kept.stream().anyMatch(r -> r.number() == now.number()) ? Stream.empty() : Stream.of(now),
                kept.stream().map(r -> r.number() == now.number() ? now : r)).toList();
    }

    private Optional<Long> running() {
        return work.flatMap(w -> w.runningProperty().get()).flatMap(UnderWay::record).map(RunRecord::number);
    }

    private Undoing undoing(RunRecord run) {
        return Undoing.of(run, all(), running());
    }

    private Optional<RunRecord> run() {
        return chosen.flatMap(n -> all().stream().filter(r -> r.number() == n).findFirst());
    }

    private Optional<List<Change>> planned() {
        return plan.flatMap(p -> switch (p) {
            case Answered.Got<UndoPlan>(UndoPlan got) -> Optional.of(got.changes());
            case Answered.Troubled<UndoPlan> _ -> Optional.empty();
        });
    }

    private RunDetail detail(RunRecord run) {
        Undoing undoing = undoing(run);
        String place = Stream.concat(Stream.of(run.host()), run.card().stream().flatMap(c ->
                Stream.of(c.name(), c.id().substring(c.id().indexOf('/') + 1)))).reduce((a, b) -> a + ", " + b).orElse("");
        String times = run.ended().map(end -> texts.get("journal.times", lines.time(run.started()), lines.time(end)))
                .orElseGet(() -> lines.time(run.started()));
        return new RunDetail(run.number(), RunLines.mark(run, undoing), RunLines.tone(RunLines.mark(run, undoing)),
                texts.get("journal.head", run.number(), undoing instanceof Undoing.Unfinished
                        ? texts.get("journal.word.unfinished") : lines.state(run)),
                run.byWhom(), times, run.title(), place, counted(run),
                changes(run, undoing), run.note().orElse(""), undo(run, undoing));
    }

    private List<ChangeLine> changes(RunRecord run, Undoing undoing) {
        return run.changes().stream().map(c -> switch (undoing) {
            case Undoing.Unfinished _ -> changeLines.ofStill(c);
            default -> changeLines.of(c);
        }).toList();
    }

    private String counted(RunRecord run) {
        int all = run.changes().size();
        long made = run.changes().stream().filter(c -> c.state() == ChangeRecord.State.DONE).count();
        return all == 0 ? texts.get("journal.counted.none")
                : made == all ? texts.count("journal.changes", all) : texts.get("journal.counted.some", made, all);
    }

    private RunDetail.Undo undo(RunRecord run, Undoing undoing) {
        String verb = texts.get("change.undo");
        if (running().isPresent()) {
            return no(verb, texts.get("journal.why.running", running().get()));
        }
        if (!asks(undoing)) {
            return no(verb, lines.word(undoing));
        }
        if (plan.isEmpty()) {
            return no(verb, texts.get("change.undo.reading"));
        }
        return switch (plan.get()) {
            case Answered.Troubled<UndoPlan>(Trouble t) -> no(verb, t.sentence() + " " + t.next());
            case Answered.Got<UndoPlan>(UndoPlan got) -> new RunDetail.Undo(
                    got.refusal().orElseGet(() -> got.changes().isEmpty() ? texts.get("change.undo.nothing")
                            : texts.get("journal.undo.words")),
                    Effects.severity(got.changes()), effects.chip(got.changes()), changeLines.of(got.changes()),
                    effects.button(verb, got.changes()), got.refusal().orElse(""));
        };
    }

    private static RunDetail.Undo no(String verb, String why) {
        return new RunDetail.Undo(why, Severity.NONE, "", List.of(), verb, why);
    }
}
