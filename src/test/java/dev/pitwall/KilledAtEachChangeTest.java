package dev.pitwall;

import dev.pitwall.Workshop.Engine;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.journey.run.Death;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static dev.pitwall.lab.fault.LabPicture.difference;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Over the lab's sockets a process dies after each write and after each entry of the journal; each time another one, with
 * connections of its own, goes on from what the database and the systems show.
 */
class KilledAtEachChangeTest {
    private static final Subject CARD = Workshop.card("pve1", "0000:01:00");
    private static final Choices CHOICES = Choices.of(Map.of("vm", "110"));
    private static final int MOST_DEATHS = 100;

    @TempDir
    private static Path dir;
    private static Workshop workshop;

    @BeforeAll
    static void start() throws Exception {
        workshop = new Workshop(dir);
    }

    @AfterAll
    static void stop() {
        workshop.close();
    }

    private interface Work {
        RunRecord on(Engine engine) throws Exception;
    }

    /** What a host keeps and what runs on it, and how often it was started and its VM. */
    private record State(List<String> disks, List<String> running, int boots, long starts) {
        static State now() throws Exception {
            try (Engine engine = workshop.engine(workshop.lab.site())) {
                return new State(workshop.disks(engine, "pve1"), workshop.running("pve1"), workshop.boots("pve1"),
                        workshop.tasks("qmstart", 110));
            }
        }

        void assertSame(State other) {
            assertThat(difference(disks, other.disks)).isEmpty();
            assertThat(difference(running, other.running)).isEmpty();
        }
    }

    @Test
    void theEndIsAsIfNothingHadDied() throws Exception {
        State before = State.now();
        long calm;
        try (Engine engine = workshop.engine(workshop.lab.site())) {
            calm = engine.walk(CARD, CHOICES).number();
        }
        State reached = State.now();
        try (Engine engine = workshop.engine(workshop.lab.site())) {
            engine.undo(calm);
        }
        before.assertSame(State.now());

        Set<String> deaths = new LinkedHashSet<>();
        int boots = workshop.boots("pve1");
        RunRecord last = dyingEverywhere(deaths, engine -> engine.walk(CARD, CHOICES));
        assertThat(last.state()).as("%s", last.note()).isIn(RunRecord.State.DONE, RunRecord.State.ALREADY_SO);
        RunRecord run = walked(calm);
        assertThat(run.state()).as("%s", run.note()).isEqualTo(RunRecord.State.DONE);
        assertDeathsAround(deaths, run);
        State killed = State.now();
        reached.assertSame(killed);
        assertThat(killed.boots).isEqualTo(boots + 1);
        assertThat(killed.starts).isEqualTo(reached.starts + 1);

        Set<String> undoDeaths = new LinkedHashSet<>();
        dyingEverywhere(undoDeaths, engine -> undone(run) ? workshop.journal.run(run.number()).orElseThrow()
                : engine.undo(run.number()));
        RunRecord undo = workshop.journal.runs(run.siteId(), 1).getFirst();
        assertThat(undo.undoes()).contains(run.number());
        assertDeathsAround(undoDeaths, undo);
        before.assertSame(State.now());
        assertThat(workshop.boots("pve1")).isEqualTo(boots + 2);
    }

    /** True once it is taken back and nothing is left of that to be ended. */
    private static boolean undone(RunRecord run) throws Exception {
        return workshop.journal.run(run.number()).orElseThrow().state() == RunRecord.State.UNDONE
                && workshop.journal.unfinished(run.siteId()).isEmpty();
    }

    private static RunRecord dyingEverywhere(Set<String> deaths, Work work) throws Exception {
        for (int processes = 0; processes < MOST_DEATHS; processes++) {
            Death death = Death.afterAnyBut(deaths);
            try (Engine engine = workshop.engine(workshop.lab.site(), death.of(workshop.journal), death::of)) {
                return work.on(engine);
            } catch (Death.Killed e) {
                assertThat(deaths).hasSize(processes + 1);
            }
        }
        throw new AssertionError("it never ends: " + deaths);
    }

    /** The walk that was killed: the first run after the calm one and its undo. */
    private static RunRecord walked(long calm) throws Exception {
        return workshop.journal.run(calm + 2).orElseThrow();
    }

    /** For each change: before it, between it and the journal's mark of its end, and after that. */
    private static void assertDeathsAround(Set<String> deaths, RunRecord run) {
        List<ChangeRecord> made = run.changes();
        assertThat(made).hasSizeGreaterThan(7).extracting(ChangeRecord::state).containsOnly(ChangeRecord.State.DONE);
        assertThat(deaths).containsAll(IntStream.rangeClosed(1, made.size()).boxed().flatMap(i -> Stream.of(
                "after starting change " + i, "after ended change " + i + " DONE")).toList());
        long writes = deaths.stream().filter(d -> d.matches("after (write|run|send|await) .*")).count();
        assertThat(writes).as("%s", deaths).isGreaterThanOrEqualTo(made.size());
    }
}
