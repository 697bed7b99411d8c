package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.UndoPlan;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.Content;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A process that dies anywhere, and one after it that goes on. */
class KillTest {
    private static final int MOST_POINTS = 500;

    @Test
    void aWalkThatDiesAnywhereEndsAsIfItHadNeverDied() throws Exception {
        Rig calm = new Rig();
        String before = calm.host.state();
        calm.walk("guest");

        int deaths = 0;
        for (int point = 1; point < MOST_POINTS; point++) {
            Rig rig = new Rig();
            if (!diesIn(rig, point)) {
                break;
            }
            deaths++;
            RunRecord run = rig.walk("guest");

            assertThat(run.state()).as("killed at %s: %s", point, run.note())
                    .isIn(RunRecord.State.DONE, RunRecord.State.ALREADY_SO);
            assertThat(rig.host.state()).as("killed at %s", point).isEqualTo(calm.host.state());
            assertThat(rig.host.boots).as("killed at %s", point).isEqualTo(calm.host.boots);
            assertThat(rig.host.vmStarts).as("killed at %s", point).isEqualTo(calm.host.vmStarts);
            assertThat(rig.journal.unfinished(Rig.SITE)).as("killed at %s", point).isEmpty();
            undoAll(rig);
            assertThat(rig.host.state()).as("killed at %s, undone", point).isEqualTo(before);
        }
        assertThat(deaths).isGreaterThan(60);
    }

    private static boolean diesIn(Rig rig, int point) throws Exception {
        Death death = Death.at(point);
        try {
            rig.dyingAt(death).walk(Rig.CARD, Choices.NONE, "guest", Watcher.NONE, new Stop());
        } catch (Death.Killed e) {
            return death.happened();
        }
        return false;
    }

    private static void undoAll(Rig rig) throws Exception {
        for (RunRecord run : rig.journal.runs(Rig.SITE, 100)) {
            if (run.undoes().isEmpty() && run.changes().stream().anyMatch(c -> c.started().isPresent())) {
                RunRecord undo = rig.undo(run.number());
                assertThat(undo.state()).as("%s", undo.note()).isEqualTo(RunRecord.State.DONE);
            }
        }
    }

    @Test
    void anUndoThatDiesAnywhereEndsAsIfItHadNeverDied() throws Exception {
        String before = new Rig().host.state();
        int deaths = 0;
        for (int point = 1; point < MOST_POINTS; point++) {
            Rig rig = new Rig();
            rig.walk("guest");
            int boots = rig.host.boots;
            Death death = Death.at(point);
            try {
                rig.dyingAt(death).undo(1, Watcher.NONE, new Stop());
                break;
            } catch (Death.Killed e) {
                deaths++;
            }
            if (rig.journal.run(1).orElseThrow().state() != RunRecord.State.UNDONE) {
                rig.undo(1);
            } else {
                rig.engine().resume(2, Watcher.NONE, new Stop());
            }

            assertThat(rig.host.state()).as("killed at %s", point).isEqualTo(before);
            assertThat(rig.host.boots).as("killed at %s", point).isEqualTo(boots + 1);
            assertThat(rig.journal.run(1).orElseThrow().state()).as("killed at %s", point).isEqualTo(RunRecord.State.UNDONE);
            assertThat(rig.journal.unfinished(Rig.SITE)).as("killed at %s", point).isEmpty();
        }
        assertThat(deaths).isGreaterThan(30);
    }

    /** In the middle of a reboot or a power cycle nobody can tell, so there it has to be gone on with. */
    @Test
    void aRunThatDiedIsTakenBackWithoutGoingOnWithIt() throws Exception {
        String before = new Rig().host.state();
        int taken = 0;
        int refused = 0;
        for (int point = 1; point < MOST_POINTS; point++) {
            Rig rig = new Rig();
            if (!diesIn(rig, point)) {
                break;
            }
            if (rig.journal.unfinished(Rig.SITE).isEmpty()) {
                continue;
            }
            // While the host is on its way up, nothing can be judged.
            rig.host.silent = 0;
            UndoPlan plan = rig.engine().undoPlan(1, Watcher.NONE);
            if (plan.refusal().isPresent()) {
                assertThat(plan.refusal().get()).as("killed at %s", point).containsAnyOf("go on with it first", "nothing to undo");
                refused++;
            } else {
                RunRecord undo = rig.undo(1);
                assertThat(undo.state()).as("killed at %s: %s", point, undo.note())
                        .isIn(RunRecord.State.DONE, RunRecord.State.ALREADY_SO);
                assertThat(rig.host.state()).as("killed at %s", point).isEqualTo(before);
                assertThat(rig.journal.unfinished(Rig.SITE)).as("killed at %s", point).isEmpty();
                taken++;
            }
        }
        assertThat(taken).isGreaterThan(20);
        assertThat(refused).isGreaterThan(2);
    }

    @Test
    void aRunThatDiedStopsWhereSomebodyElseHasBeenMeanwhile() throws Exception {
        Rig rig = new Rig();
        int writeOfTheFirstFile = 7;
        assertThat(diesIn(rig, writeOfTheFirstFile)).isTrue();
        ChangeRecord first = rig.journal.run(1).orElseThrow().changes().getFirst();
        assertThat(first.state()).isEqualTo(ChangeRecord.State.RUNNING);
        rig.host.files.put(FakeSteps.BOOT_FILE, Content.of("by hand\n"));

        RunRecord run = rig.engine().resume(1, Watcher.NONE, new Stop());

        assertThat(run.state()).isEqualTo(RunRecord.State.STOPPED);
        assertThat(run.note()).hasValueSatisfying(n -> assertThat(n).contains(FakeSteps.BOOT_FILE));
        assertThat(rig.host.files.get(FakeSteps.BOOT_FILE).text()).isEqualTo("by hand\n");
        assertThat(rig.host.boots).isEqualTo(1);
    }

    /** What the dead run still had to do was agreed to there, and is not in the plan of another walk. */
    @Test
    void anotherWalkOnTheHostIsRefusedWhileOneThatDiedHasNotEnded() throws Exception {
        Rig rig = new Rig();
        assertThat(diesIn(rig, 20)).isTrue();

        assertThatThrownBy(() -> rig.walk("bind")).isInstanceOf(TroubleException.class)
                .hasMessageContaining("run 1").hasMessageContaining("has not ended");

        assertThat(rig.journal.runs(Rig.SITE, 10)).singleElement().satisfies(r -> assertThat(r.ended()).isEmpty());
        assertThat(rig.engine().resume(1, Watcher.NONE, new Stop()).state()).isEqualTo(RunRecord.State.DONE);
        assertThat(rig.walk("bind").state()).isEqualTo(RunRecord.State.ALREADY_SO);
    }
}
