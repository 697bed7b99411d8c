package dev.pitwall.journey.proof;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.site.Together;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/**
 * Proves all cards of a site anew: those of different hosts at the same time, those of one host one after the other,
 * since one run works on a host at a time. Each is a run of its own in the journal.
 */
public final class RollCall {
    private final Journey journey;

    /** @param journey kept open */
    public RollCall(Journey journey) {
        this.journey = journey;
    }

    /** What becomes of a card that something holds. */
    public enum Held {
        /** It is left alone, and named. */
        LEFT,
        /** What holds it is stopped for the proof, and started again. */
        PAUSED
    }

    /** How a card answered. */
    public enum Result {
        PASSED,
        FAILED,
        /** Nothing was run; the reason says why. */
        NOT_TRIED,
        /** Nothing was run, since a system was not reached. */
        UNREACHED;

        /** The stable name in JSON. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * The answer of one card.
     *
     * @param why what the pod said, or why none was run
     * @param run in the journal; empty where none was begun
     */
    public record Entry(Subject card, Result result, String why, Optional<RunRecord> run) {
    }

    /**
     * Calls the cards and waits for all.
     *
     * @param since proofs from then on count: those of before are made anew
     * @return in the order of the cards
     */
    public List<Entry> call(List<Subject> cards, Held held, Instant since, Watcher watcher, Stop stop)
            throws TroubleException, InterruptedException {
        Choices choices = Choices.of(Map.of(ProofStep.SINCE, since.toString(), ProofStep.HELD,
                held == Held.PAUSED ? ProofStep.PAUSE : ProofStep.WAIT));
        Map<String, List<Subject>> byHost = cards.stream()
                .collect(Collectors.groupingBy(Subject::host, LinkedHashMap::new, Collectors.toList()));
        Map<Subject, Entry> entries = new LinkedHashMap<>();
        Together.all(byHost.values().stream().map(some -> (Callable<List<Entry>>) () ->
                oneAfterTheOther(some, choices, watcher, stop)).toList())
                .forEach(some -> some.forEach(entry -> entries.put(entry.card(), entry)));
        return cards.stream().map(entries::get).toList();
    }

    private List<Entry> oneAfterTheOther(List<Subject> cards, Choices choices, Watcher watcher, Stop stop)
            throws InterruptedException {
        List<Entry> entries = new ArrayList<>();
        for (Subject card : cards) {
            try {
                entries.add(stop.asked() ? new Entry(card, Result.NOT_TRIED, "stopped by you", Optional.empty())
                        : one(card, choices, watcher, stop));
            } catch (TroubleException e) {
                Trouble trouble = e.trouble();
                entries.add(new Entry(card, trouble.kind().unreachable() ? Result.UNREACHED : Result.NOT_TRIED,
                        trouble.sentence() + ". " + trouble.next(), Optional.empty()));
            }
        }
        return entries;
    }

    private Entry one(Subject card, Choices choices, Watcher watcher, Stop stop)
            throws TroubleException, InterruptedException {
        CardPlan plan = journey.look(card, choices, watcher);
        Answer answer = plan.step(ProofStep.ID).orElseThrow().answer();
        if (answer.state() != Answer.State.READY) {
            return new Entry(card, Result.NOT_TRIED, answer.why(), Optional.empty());
        }
        RunRecord run = journey.apply(plan, List.of(ProofStep.ID), watcher, stop);
        return new Entry(card, switch (run.state()) {
            case DONE, ALREADY_SO -> Result.PASSED;
            case FAILED -> Result.FAILED;
            case STOPPED, SKIPPED, RUNNING, UNDONE -> Result.NOT_TRIED;
        }, said(run), Optional.of(run));
    }

    /** The first line of what the last pod said, else why the run ended. */
    private static String said(RunRecord run) {
        return run.state() == RunRecord.State.DONE ? run.changes().stream().filter(c -> c.change() instanceof PodRun)
                .map(ChangeRecord::message).flatMap(Optional::stream).reduce((first, last) -> last)
                .flatMap(m -> m.lines().findFirst()).orElse("") : run.note().orElse("");
    }
}
