package dev.pitwall.cli.journey;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan.Planned;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What became of one step in a run.
 *
 * @param why     in a few words; empty text where the changes tell all
 * @param changes those of the run that belong to it
 */
record StepResult(String step, Result result, String why, List<ChangeRecord> changes) {

    /** As the contract of the command line has it. */
    enum Result {
        DONE, ALREADY_SO, SKIPPED, FAILED, STOPPED, UNDONE;

        String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    StepResult {
        changes = List.copyOf(changes);
    }

    /**
     * @param before the steps that were to be walked, as the first look showed them
     * @param after  the same, as the last look showed them
     */
    static List<StepResult> ofWalk(RunRecord run, List<Planned> before, List<Planned> after) {
        Set<String> ids = new LinkedHashSet<>();
        after.forEach(s -> ids.add(s.id()));
        run.changes().forEach(c -> ids.add(c.step()));
        boolean ended = false;
        List<StepResult> results = new ArrayList<>();
        for (String id : ids) {
            Result result = ofStep(changes(run, id), find(before, id), find(after, id), run, ended);
            ended = ended || result == Result.FAILED || result == Result.STOPPED;
            results.add(new StepResult(id, result, find(after, id).map(s -> s.answer().why()).orElse(""),
                    changes(run, id)));
        }
        return results;
    }

    /** Of a run that is shown without its systems. */
    static List<StepResult> ofRecord(RunRecord run) {
        Set<String> ids = new LinkedHashSet<>();
        run.changes().forEach(c -> ids.add(c.step()));
        return ids.stream().map(id -> new StepResult(id, ofChanges(changes(run, id), run), "", changes(run, id)))
                .toList();
    }

    private static List<ChangeRecord> changes(RunRecord run, String step) {
        return run.changes().stream().filter(c -> c.step().equals(step)).toList();
    }

    private static Optional<Planned> find(List<Planned> steps, String id) {
        return steps.stream().filter(s -> s.id().equals(id)).findFirst();
    }

    private static Result ofStep(List<ChangeRecord> changes, Optional<Planned> before, Optional<Planned> after,
                                 RunRecord run, boolean ended) {
        if (!changes.isEmpty()) {
            Result result = ofChanges(changes, run);
            return result == Result.DONE && run.state() == RunRecord.State.FAILED
                    && after.filter(StepResult::open).isPresent()
                    ? Result.FAILED : result;
        }
        return switch (after.map(s -> s.answer().state()).orElse(Answer.State.UNKNOWN)) {
            // What was made for another step of the run was made for it too.
            case DONE -> before.filter(StepResult::open).isPresent() ? Result.DONE : Result.ALREADY_SO;
            case NOT_APPLICABLE, SKIPPED -> Result.SKIPPED;
            case READY, WAITING, BLOCKED, UNKNOWN -> ended ? Result.SKIPPED : Result.STOPPED;
        };
    }

    private static boolean open(Planned step) {
        return step.answer().state() != Answer.State.DONE && step.answer().state() != Answer.State.NOT_APPLICABLE;
    }

    private static Result ofChanges(List<ChangeRecord> changes, RunRecord run) {
        Set<ChangeRecord.State> states = new LinkedHashSet<>(changes.stream().map(ChangeRecord::state).toList());
        if (states.contains(ChangeRecord.State.FAILED)) {
            return Result.FAILED;
        }
        if (states.contains(ChangeRecord.State.STOPPED)) {
            return Result.STOPPED;
        }
        if (states.equals(Set.of(ChangeRecord.State.SKIPPED))) {
            return Result.SKIPPED;
        }
        if (states.stream().anyMatch(s -> s != ChangeRecord.State.DONE && s != ChangeRecord.State.ALREADY_SO)) {
            return Result.STOPPED;
        }
        if (states.equals(Set.of(ChangeRecord.State.ALREADY_SO))) {
            return Result.ALREADY_SO;
        }
        return run.undoes().isPresent() ? Result.UNDONE : Result.DONE;
    }

    /** As the contract has it: what an undo has made is undone. */
    static String wireName(ChangeRecord.State state, RunRecord run) {
        return run.undoes().isPresent() && state == ChangeRecord.State.DONE ? Result.UNDONE.wireName()
                : state.wireName();
    }
}
