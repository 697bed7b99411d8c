package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Aim;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.CardPlan.Planned;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Targets;
import dev.pitwall.journey.run.Looking.Extent;
import dev.pitwall.journey.run.Looking.Glance;

import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One run on one card: makes batches of steps, looks again after each, and goes on as far as it is to go. */
final class Walk {
    private final OpenRun run;
    private final Situation.Subject card;
    private final Aim aim;
    private final Means means;

    /** What a walk works with; the same for all walks of a call. */
    record Means(Looking looking, Execution execution, Ladder ladder, Patience patience, Watcher watcher, Stop stop) {
    }

    Walk(OpenRun run, Situation.Subject card, Aim aim, Means means) {
        this.run = run;
        this.card = card;
        this.aim = aim;
        this.means = means;
    }

    /**
     * Goes up to the last step that is wanted.
     *
     * @param first what a look has just shown
     */
    RunRecord climb(CardPlan first, String last) throws TroubleException, InterruptedException {
        CardPlan plan = first;
        List<Journal.Intended> shown = aim.shown().isEmpty() ? Preview.of(first, last) : aim.shown();
        Set<String> tried = new HashSet<>();
        while (true) {
            Batch batch = Batch.upTo(plan, last, means.ladder());
            if (batch.steps().isEmpty()) {
                return arrived(plan, last);
            }
            if (!tried.addAll(batch.steps())) {
                return run.close(RunRecord.State.FAILED, means.ladder().title(batch.steps().getFirst())
                        + " asks for more changes after it was done. " + undoHint());
            }
            Optional<String> other = new Preview(shown, altered()).otherThanShown(batch.changes());
            if (other.isPresent()) {
                return run.close(RunRecord.State.STOPPED, stoppedBefore(batch, other.get()));
            }
            run.add(batch.changes());
            Optional<RunRecord> ended = make();
            if (ended.isPresent()) {
                return ended.get();
            }
            plan = lookAgain(batch.steps());
            Optional<RunRecord> unproved = prove(plan, batch.steps());
            if (unproved.isPresent()) {
                return unproved.get();
            }
        }
    }

    /** The contents that this run has altered, or may have. */
    private Set<String> altered() throws TroubleException {
        return LaterRuns.made(run.record()).stream().flatMap(c -> Targets.contents(c.change()).stream())
                .collect(Collectors.toSet());
    }

    private String stoppedBefore(Batch batch, String other) throws TroubleException {
        return "stopped before \"" + means.ladder().title(batch.steps().getFirst()) + "\": " + other
                + ". Running it again shows that, and makes it" + (run.begun() ? ". " + undoHint() : "");
    }

    /** Makes the changes that the run has, proves their steps, and goes on from there to where it is to go. */
    RunRecord goOn() throws TroubleException, InterruptedException {
        Optional<RunRecord> ended = make();
        if (ended.isPresent()) {
            return ended.get();
        }
        Set<String> steps = steps();
        if (aim.last().isEmpty() && steps.stream().noneMatch(means.ladder()::has)) {
            return run.close(RunRecord.State.DONE, "its changes are made; no step of the wizard can tell whether they have helped");
        }
        CardPlan plan = lookAgain(steps);
        Optional<RunRecord> unproved = prove(plan, steps);
        if (unproved.isPresent()) {
            return unproved.get();
        }
        return aim.last().isPresent() ? climb(plan, aim.last().get()) : finished();
    }

    /** @return the closed run if not all changes were made */
    private Optional<RunRecord> make() throws TroubleException, InterruptedException {
        return switch (means.execution().run(run, means.stop())) {
            case Execution.End.AllMade made -> Optional.empty();
            case Execution.End.Stopped(String why) ->
                    Optional.of(run.close(RunRecord.State.STOPPED, why + (run.begun() ? ". " + undoHint() : "")));
            case Execution.End.Failed(String why) ->
                    Optional.of(run.close(RunRecord.State.FAILED, why + " " + undoHint()));
        };
    }

    private String undoHint() {
        return "Undo of run " + run.number() + " takes back what was made.";
    }

    private Set<String> steps() throws TroubleException {
        Set<String> steps = new HashSet<>();
        run.record().changes().stream().map(ChangeRecord::step).forEach(steps::add);
        return steps;
    }

    /**
     * A guest that was just started needs a while until it shows what is in it, and what a step says is coming is waited
     * for as long as the step calls normal.
     */
    private CardPlan lookAgain(Collection<String> made) throws TroubleException, InterruptedException {
        run.say("looking again");
        boolean started = run.record().changes().stream().filter(c -> made.contains(c.step())).anyMatch(c ->
                c.change().turn() == Change.Turn.POWER && c.started().isPresent());
        Instant end = started ? means.patience().in(means.patience().settle()) : means.patience().now();
        Arrivals arrivals = new Arrivals(means.patience());
        Patience.Looks looks = means.patience().looks();
        Glance seen = look(made);
        while (true) {
            List<Planned> awaited = awaited(seen.plan(), made);
            boolean over = means.stop().asked() || !arrivals.await(awaited)
                    && (settled(seen.plan(), made) || means.patience().past(end));
            if (over && (seen.extent() == Extent.WHOLE || means.stop().asked())) {
                return seen.plan();
            }
            seen = over ? look(made) : later(seen, awaited, looks);
        }
    }

    private Glance look(Collection<String> made) throws TroubleException, InterruptedException {
        String last = aim.last().orElseGet(() -> means.ladder().highest(made));
        return means.looking().inRun(() -> means.looking().look(card, aim.choices(), last, means.watcher()));
    }

    /** While steps wait, only what they rest on is read again. */
    private Glance later(Glance before, List<Planned> waiting, Patience.Looks looks)
            throws TroubleException, InterruptedException {
        looks.untilNext();
        Set<String> ids = waiting.stream().map(Planned::id).collect(Collectors.toSet());
        return means.looking().inRun(() -> means.looking().again(before, ids, means.watcher()));
    }

    /** The steps that were made and the one that comes next, as far as they wait. */
    private List<Planned> awaited(CardPlan plan, Collection<String> made) {
        Optional<Planned> next = aim.last().flatMap(last -> barrier(plan, last));
        return plan.steps().stream().filter(s -> waits(s) && (made.contains(s.id()) || next.equals(Optional.of(s))))
                .toList();
    }

    /** False while a step that was made, or the check that comes next, waits; what nobody can tell is not waited for. */
    private boolean settled(CardPlan plan, Collection<String> made) {
        boolean open = plan.steps().stream().anyMatch(s -> made.contains(s.id()) && waits(s));
        return !open && aim.last().flatMap(last -> barrier(plan, last))
                .filter(s -> waits(s) && means.ladder().onlyChecks(s.id())).isEmpty();
    }

    private static boolean waits(Planned step) {
        return step.answer().state() == Answer.State.WAITING;
    }

    /** The first step of which something is left to do. */
    private static Optional<Planned> barrier(CardPlan plan, String last) {
        return Batch.throughTo(plan, last).stream().filter(s -> !Batch.passed(s)).findFirst();
    }

    private Optional<RunRecord> prove(CardPlan plan, Collection<String> made) throws TroubleException {
        Optional<Planned> open = plan.steps().stream().filter(s -> made.contains(s.id()) && !Batch.passed(s))
                .findFirst();
        return open.isEmpty() ? Optional.empty() : Optional.of(run.close(RunRecord.State.FAILED,
                means.ladder().title(open.get().id()) + unproved(open.get().answer()) + ". " + undoHint()));
    }

    private static String unproved(Answer answer) {
        return answer.state() == Answer.State.READY
                ? ": it was done, and asks for changes again (" + answer.why()
                        + "): it took no effect, or somebody else has changed it meanwhile"
                : ": it was done, and is not as it should be: " + answer.why();
    }

    private RunRecord arrived(CardPlan plan, String last) throws TroubleException {
        Optional<Planned> barrier = barrier(plan, last);
        return barrier.isEmpty() ? finished() : run.close(RunRecord.State.STOPPED,
                means.ladder().title(barrier.get().id()) + " (" + barrier.get().answer().state().wireName() + "): "
                        + barrier.get().answer().why());
    }

    private RunRecord finished() throws TroubleException {
        List<ChangeRecord> changes = run.record().changes();
        boolean changed = changes.stream().anyMatch(c -> c.state() == ChangeRecord.State.DONE);
        return run.close(changed ? RunRecord.State.DONE : RunRecord.State.ALREADY_SO, "");
    }
}
