package dev.pitwall.ui.run;

import dev.pitwall.journey.Aim;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RunRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** A journal in memory. */
public final class SampleJournal implements Journal {

    private final Map<Long, RunRecord> runs = new ConcurrentHashMap<>();
    private long last;

    /** Numbers count up from after that. */
    public void startAfter(long number) {
        last = number;
    }

    /** Puts a run there as it is. */
    public void put(RunRecord run) {
        runs.put(run.number(), run);
        last = Math.max(last, run.number());
    }

    @Override
    public List<RunRecord> runs(String siteId, int limit) {
        return runs.values().stream().sorted(Comparator.comparingLong(RunRecord::number).reversed()).limit(limit).toList();
    }

    @Override
    public Optional<RunRecord> run(long number) {
        return Optional.ofNullable(runs.get(number));
    }

    @Override
    public List<RunRecord> unfinished(String siteId) {
        return unfinished();
    }

    @Override
    public List<RunRecord> unfinished() {
        return runs.values().stream().filter(r -> r.ended().isEmpty())
                .sorted(Comparator.comparingLong(RunRecord::number)).toList();
    }

    @Override
    public Aim aim(long run) {
        return Aim.NONE;
    }

    @Override
    public synchronized RunRecord begin(Opening o) {
        RunRecord run = new RunRecord(++last, o.siteId(), o.title(), o.host(), o.card(), o.byWhom(), o.undoes(), o.at(),
                Optional.empty(), RunRecord.State.RUNNING, Optional.empty(), List.of());
        runs.put(last, run);
        return run;
    }

    @Override
    public void add(long run, List<Intended> changes) {
        change(run, r -> {
            List<ChangeRecord> all = new ArrayList<>(r.changes());
            changes.forEach(i -> all.add(new ChangeRecord(all.size() + 1, i.step(), i.change(), ChangeRecord.State.TO_DO,
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty())));
            return with(r, all);
        });
    }

    @Override
    public void starting(long run, int position, Optional<String> mark, Instant at) {
        change(run, r -> with(r, r.changes().stream().map(c -> c.position() != position ? c
                : new ChangeRecord(position, c.step(), c.change(), ChangeRecord.State.RUNNING, mark, Optional.empty(),
                        Optional.of(at), Optional.empty())).toList()));
    }

    @Override
    public void ended(long run, int position, ChangeRecord.State state, Optional<String> message, Instant at) {
        change(run, r -> with(r, r.changes().stream().map(c -> c.position() != position ? c
                : new ChangeRecord(position, c.step(), c.change(), state, c.mark(), message, c.started(),
                        Optional.of(at))).toList()));
    }

    @Override
    public void close(long run, RunRecord.State state, Optional<String> note, Instant at) {
        change(run, r -> new RunRecord(r.number(), r.siteId(), r.title(), r.host(), r.card(), r.byWhom(), r.undoes(),
                r.started(), r.ended().or(() -> Optional.of(at)), state, note.or(r::note), r.changes()));
    }

    private void change(long run, UnaryOperator<RunRecord> how) {
        runs.computeIfPresent(run, (_, r) -> how.apply(r));
    }

    private static RunRecord with(RunRecord r, List<ChangeRecord> changes) {
        return new RunRecord(r.number(), r.siteId(), r.title(), r.host(), r.card(), r.byWhom(), r.undoes(), r.started(),
                r.ended(), r.state(), r.note(), changes);
    }
}
