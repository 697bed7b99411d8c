package dev.pitwall.cli.journey;

import dev.pitwall.cli.Output;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.Watcher;

import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Shows on standard error what is read and done, and remembers what was seen first and last. */
final class Progress implements Watcher {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss")
            .withZone(ZoneId.systemDefault());

    private final Output output;
    private final String wanted;
    private final AtomicReference<Optional<CardPlan>> first = new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<CardPlan>> last = new AtomicReference<>(Optional.empty());

    /** @param wanted id of the last step that a walk is to reach */
    Progress(Output output, String wanted) {
        this.output = output;
        this.wanted = wanted;
    }

    /** Of what is no walk. */
    Progress(Output output) {
        this(output, "");
    }

    @Override
    public void line(Line line) {
        String outcome = line.outcome().map(o -> "  " + o).orElse("");
        output.note(TIME.format(line.at()) + "  " + line.system() + "  " + line.text() + outcome
                + line.took().map(t -> "  " + time(t)).orElse(""));
    }

    private static String time(Duration took) {
        return took.toMillis() < 1000 ? took.toMillis() + " ms" : Spans.words(took);
    }

    /** Of a walk: what it is held to is shown before it begins. */
    @Override
    public void previewed(CardPlan plan) {
        output.note(new PlanReport(PlanReport.upTo(plan, wanted), List.of()).text());
    }

    @Override
    public void looked(CardPlan plan) {
        first.compareAndSet(Optional.empty(), Optional.of(plan));
        last.set(Optional.of(plan));
    }

    /** What the first look showed; empty while nobody has looked. */
    Optional<CardPlan> first() {
        return first.get();
    }

    /** What the newest look showed. */
    Optional<CardPlan> last() {
        return last.get();
    }
}
