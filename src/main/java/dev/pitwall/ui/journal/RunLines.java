package dev.pitwall.ui.journal;

import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The words of runs. Pure: the same run at the same time gives the same line. */
final class RunLines {

    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("EEEE, d MMMM uuuu", Locale.ENGLISH);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    private final Texts texts;
    private final ZoneId zone;

    RunLines(Texts texts, ZoneId zone) {
        this.texts = texts;
        this.zone = zone;
    }

    /** The runs under the heads of their days, in the order in which they are given. */
    List<Entry> grouped(List<RunRecord> runs, List<RunRecord> all, Optional<Long> running, Instant now) {
        List<Entry> entries = new ArrayList<>();
        LocalDate day = LocalDate.MIN;
        for (RunRecord run : runs) {
            LocalDate its = run.started().atZone(zone).toLocalDate();
            if (!its.equals(day)) {
                day = its;
                entries.add(new Entry.Day(day(its, now.atZone(zone).toLocalDate())));
            }
            entries.add(new Entry.Run(line(run, Undoing.of(run, all, running), now)));
        }
        return List.copyOf(entries);
    }

    private String day(LocalDate day, LocalDate today) {
        if (day.equals(today)) {
            return texts.get("journal.today");
        }
        return day.equals(today.minusDays(1)) ? texts.get("journal.yesterday") : DAY.format(day);
    }

    private RunLine line(RunRecord run, Undoing undoing, Instant now) {
        Mark mark = mark(run, undoing);
        String detail = detail(run);
        return new RunLine(run.number(), mark, tone(mark), run.title(), detail, time(run.started()), took(run, undoing, now),
                undoing, word(undoing), texts.get("journal.spoken", run.number(), run.title(), state(run), detail));
    }

    String time(Instant at) {
        return TIME.format(at.atZone(zone));
    }

    static Mark mark(RunRecord run, Undoing undoing) {
        return switch (undoing) {
            case Undoing.Running _ -> Mark.RING;
            case Undoing.Unfinished _ -> Mark.TRIANGLE;
            default -> switch (run.state()) {
                case RUNNING -> Mark.RING;
                case DONE, ALREADY_SO -> Mark.OK;
                case SKIPPED -> Mark.SKIP;
                case STOPPED, FAILED -> Mark.FAILING;
                case UNDONE -> Mark.UNDONE;
            };
        };
    }

    static String tone(Mark mark) {
        return switch (mark) {
            case OK -> "ok";
            case FAILING -> "failing";
            case RING -> "waiting";
            case TRIANGLE -> "blocked";
            default -> "grey";
        };
    }

    private String took(RunRecord run, Undoing undoing, Instant now) {
        return switch (undoing) {
            case Undoing.Running _ -> texts.get("journal.running", Ages.span(Duration.between(run.started(), now)));
            case Undoing.Unfinished _ -> "";
            default -> run.state() == RunRecord.State.SKIPPED ? "" : run.took().map(Ages::took).orElse("");
        };
    }

    private String detail(RunRecord run) {
        return Stream.of(Stream.of(run.host()), run.card().map(RunRecord.CardRef::name).stream(), Stream.of(count(run)),
                run.note().stream()).flatMap(s -> s).filter(s -> !s.isEmpty()).collect(Collectors.joining(" · "));
    }

    /** A run that changed nothing has no number to tell. */
    private String count(RunRecord run) {
        return switch (run.state()) {
            case SKIPPED -> texts.get("journal.state.skipped");
            case ALREADY_SO -> texts.get("journal.state.already-so");
            case STOPPED, FAILED -> stopped(run);
            case RUNNING, DONE, UNDONE -> texts.count("journal.changes", run.changes().size());
        };
    }

    private String stopped(RunRecord run) {
        Optional<ChangeRecord> where = run.changes().stream().filter(c -> c.state() == ChangeRecord.State.STOPPED
                || c.state() == ChangeRecord.State.FAILED || c.state() == ChangeRecord.State.TO_DO).findFirst();
        String head = where.map(c -> texts.get("journal.stopped-at", c.position(), run.changes().size()))
                .orElseGet(() -> state(run));
        return where.flatMap(ChangeRecord::message).filter(m -> run.note().isEmpty()).map(m -> head + ": " + m).orElse(head);
    }

    String state(RunRecord run) {
        return texts.get("journal.state." + run.state().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    String word(Undoing undoing) {
        return switch (undoing) {
            case Undoing.Offered _, Undoing.Running _ -> "";
            case Undoing.Unfinished _ -> texts.get("journal.word.unfinished");
            case Undoing.ChangedNothing _ -> texts.get("journal.word.changed-nothing");
            case Undoing.NothingToUndo _ -> texts.get("journal.word.nothing");
            case Undoing.Undone _ -> texts.get("journal.word.undone");
            case Undoing.IsUndo(long of) -> texts.get("journal.word.is-undo", of);
            case Undoing.After(long run) -> texts.get("journal.word.after", run);
        };
    }
}
