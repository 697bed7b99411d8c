package dev.pitwall.journey.run;

import dev.pitwall.journey.Aim;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RunRecord;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A journal in memory. */
public final class FakeJournal implements Journal {
    private final TreeMap<Long, RunRecord> runs = new TreeMap<>();
    private final Map<Long, Aim> aims = new HashMap<>();

    @Override
    public List<RunRecord> runs(String siteId, int limit) {
        return runs.values().stream().filter(r -> r.siteId().equals(siteId))
                .sorted(Comparator.comparingLong(RunRecord::number).reversed()).limit(limit).toList();
    }

    @Override
    public Optional<RunRecord> run(long number) {
        return Optional.ofNullable(runs.get(number));
    }

    @Override
    public Aim aim(long run) {
        return aims.getOrDefault(run, Aim.NONE);
    }

    @Override
    public List<RunRecord> unfinished(String siteId) {
        return runs.values().stream().filter(r -> r.siteId().equals(siteId) && r.ended().isEmpty()).toList();
    }

    @Override
    public List<RunRecord> unfinished() {
        return runs.values().stream().filter(r -> r.ended().isEmpty()).toList();
    }

    @Override
    public RunRecord begin(Opening o) {
        long number = runs.size() + 1;
        runs.put(number, new RunRecord(number, o.siteId(), o.title(), o.host(), o.card(), o.byWhom(), o.undoes(), o.at(),
                Optional.empty(), RunRecord.State.RUNNING, Optional.empty(), List.of()));
        aims.put(number, o.aim());
        return runs.get(number);
    }

    @Override
    public void add(long run, List<Intended> changes) {
        List<ChangeRecord> all = new ArrayList<>(runs.get(run).changes());
        for (Intended c : changes) {
            all.add(new ChangeRecord(all.size() + 1, c.step(), c.change(), ChangeRecord.State.TO_DO, Optional.empty(),
                    Optional.empty(), Optional.empty(), Optional.empty()));
        }
        put(run, all);
    }

    private void put(long number, List<ChangeRecord> changes) {
        RunRecord r = runs.get(number);
        runs.put(number, new RunRecord(r.number(), r.siteId(), r.title(), r.host(), r.card(), r.byWhom(), r.undoes(),
                r.started(), r.ended(), r.state(), r.note(), changes));
    }

    @Override
    public void starting(long run, int position, Optional<String> mark, Instant at) {
        List<ChangeRecord> all = new ArrayList<>(runs.get(run).changes());
        ChangeRecord c = all.get(position - 1);
        all.set(position - 1, new ChangeRecord(position, c.step(), c.change(), ChangeRecord.State.RUNNING, mark,
                Optional.empty(), Optional.of(at), Optional.empty()));
        put(run, all);
    }

    @Override
    public void ended(long run, int position, ChangeRecord.State state, Optional<String> message, Instant at) {
        List<ChangeRecord> all = new ArrayList<>(runs.get(run).changes());
        ChangeRecord c = all.get(position - 1);
        all.set(position - 1, new ChangeRecord(position, c.step(), c.change(), state, c.mark(), message, c.started(),
                Optional.of(at)));
        put(run, all);
    }

    @Override
    public void close(long run, RunRecord.State state, Optional<String> note, Instant at) {
        RunRecord r = runs.get(run);
        runs.put(run, new RunRecord(r.number(), r.siteId(), r.title(), r.host(), r.card(), r.byWhom(), r.undoes(),
                r.started(), r.ended().or(() -> Optional.of(at)), state, note.or(r::note), r.changes()));
    }
}
