package dev.pitwall.ui.board;

import dev.pitwall.engine.live.Entry;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The log in lines, newest first. Pure but for the undo, which is asked for. */
final class WhyLines {

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM HH:mm", Locale.ROOT);

    /** What of the log shows. */
    enum Filter { ALL, YOURS, PROBLEMS }

    /** @param undo what would take an entry back */
    List<WhyLine> of(WallView view, Filter filter, Function<Entry, Optional<Wish>> undo, Instant now) {
        return view.log().stream().filter(e -> shows(filter, e)).map(e -> line(view, e, undo.apply(e), now)).toList();
    }

    private static boolean shows(Filter filter, Entry entry) {
        return switch (filter) {
            case ALL -> true;
            case YOURS -> entry.wish().isPresent();
            case PROBLEMS -> switch (entry.kind()) {
                case WAITED, REFUSED, FAILED, LOST, FOREIGN -> true;
                case LOADING, LOADED, LEAVING, EVICTED, MOVED, PINNED, HELD, MEASURED, SUGGESTED, MODE, PULLED -> false;
            };
        };
    }

    private static WhyLine line(WallView view, Entry entry, Optional<Wish> undo, Instant now) {
        String model = entry.placement().map(p -> p.model().text()).filter(entry.title()::contains).orElse("");
        int at = entry.title().indexOf(model);
        String before = model.isEmpty() ? entry.title() : entry.title().substring(0, at);
        String after = model.isEmpty() ? "" : entry.title().substring(at + model.length());
        String place = entry.placement().flatMap(p -> view.provider(p.provider())).map(p -> ColumnLines.place(p) + ". ").orElse("");
        return new WhyLine(entry, mark(entry), tone(entry), before, model, after, place + entry.words(), at(entry.at(), now), undo);
    }

    private static String at(Instant at, Instant now) {
        ZoneId here = ZoneId.systemDefault();
        boolean today = at.atZone(here).toLocalDate().equals(now.atZone(here).toLocalDate());
        return (today ? CLOCK : DAY).format(at.atZone(here));
    }

    /** What a person did has a person's mark. */
    private static Mark mark(Entry entry) {
        return switch (entry.kind()) {
            case LOADING -> Mark.RING;
            case LOADED -> Mark.OK;
            case LEAVING, EVICTED, MOVED -> entry.wish().isPresent() ? Mark.PERSON : Mark.LEAVES;
            case PINNED, HELD, MODE -> Mark.PERSON;
            case WAITED -> Mark.CLOCK;
            case REFUSED -> Mark.REFUSED;
            case FAILED -> Mark.FAILING;
            case LOST, FOREIGN -> Mark.TRIANGLE;
            case MEASURED -> Mark.MEASURED;
            case SUGGESTED -> Mark.SUGGESTED;
            case PULLED -> Mark.PULLED;
        };
    }

    private static Tone tone(Entry entry) {
        return switch (entry.kind()) {
            case LOADING, SUGGESTED -> Tone.ACT;
            case FAILED -> Tone.FAILING;
            case LOST, FOREIGN -> Tone.BLOCKED;
            case LOADED, LEAVING, EVICTED, MOVED, PINNED, HELD, WAITED, REFUSED, MEASURED, MODE, PULLED -> Tone.GREY;
        };
    }
}
