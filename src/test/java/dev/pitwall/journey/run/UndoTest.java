package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.UndoPlan;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmPowerCycle;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class UndoTest {
    private final Rig rig = new Rig();

    private UndoPlan plan(long run) throws Exception {
        return rig.engine().undoPlan(run, Watcher.NONE);
    }

    private RunRecord step(String id) throws Exception {
        CardPlan plan = rig.engine().look(Rig.CARD, Choices.NONE, Watcher.NONE);
        return rig.engine().apply(plan, List.of(id), Watcher.NONE, new Stop());
    }

    @Test
    void undoBringsBackTheBytesThatWereThereAndEverythingElse() throws Exception {
        byte[] odd = {0, -1, 10, 'x'};
        rig.host.files.put(FakeSteps.BIND_FILE, new Content.Bytes(odd));
        rig.host.initramfs.putAll(rig.host.files);
        rig.host.kernel.putAll(rig.host.files);
        String before = rig.host.state();
        rig.walk("guest");

        RunRecord undo = rig.undo(1);

        assertThat(undo.state()).as("%s", undo.note()).isEqualTo(RunRecord.State.DONE);
        assertThat(undo.undoes()).contains(1L);
        assertThat(rig.host.files.get(FakeSteps.BIND_FILE)).isEqualTo(new Content.Bytes(odd));
        assertThat(rig.host.state()).isEqualTo(before);
        assertThat(rig.journal.run(1).orElseThrow().state()).isEqualTo(RunRecord.State.UNDONE);
        assertThat(rig.journal.run(1).orElseThrow().note()).hasValueSatisfying(n -> assertThat(n).contains("run 2"));
    }

    @Test
    void aSystemThatIsNotUpAgainWhenAllIsTakenBackIsWaitedFor() throws Exception {
        rig.walk("guest");
        AtomicBoolean told = new AtomicBoolean();
        Watcher silences = new Watcher() {
            @Override
            public void line(Line line) {
                // Only how far the run is matters.
            }

            @Override
            public void moved(RunRecord run) {
                if (run.ended().isEmpty() && !run.changes().isEmpty() && run.changes().stream().allMatch(c -> c.ended().isPresent())
                        && told.compareAndSet(false, true)) {
                    rig.host.silent = 3;
                }
            }
        };

        RunRecord undo = rig.engine().undo(1, silences, new Stop());

        assertThat(told).isTrue();
        assertThat(undo.state()).as("%s", undo.note()).isEqualTo(RunRecord.State.DONE);
    }

    @Test
    void contentsGoBackLastFirstThenCommandsOnceThenPower() throws Exception {
        rig.walk("guest");

        List<Change> changes = plan(1).changes();

        assertThat(changes).extracting(c -> (Object) c.getClass()).containsExactly(VmConfigChange.class,
                MappingChange.class, FileChange.class, FileChange.class, CommandChange.class, HostReboot.class,
                VmPowerCycle.class);
        assertThat(((FileChange) changes.get(2)).path()).isEqualTo(FakeSteps.BIND_FILE);
        assertThat(((FileChange) changes.get(2)).after()).as("two writes of one file go back in one").isEqualTo(Content.ABSENT);
        assertThat(((HostReboot) changes.get(5)).stops()).as("the guests of now").hasSize(1);
    }

    @Test
    void aLaterRunThatRestsOnThisOneGoesFirst() throws Exception {
        step("iommu");
        step("bind");
        rig.walk("guest");

        assertThat(plan(1).refusal()).contains("run 3 first");
        assertThat(plan(2).refusal()).contains("run 3 first");
        assertThat(plan(1).changes()).isEmpty();
        assertThatThrownBy(() -> rig.undo(1)).isInstanceOfSatisfying(TroubleException.class,
                e -> assertThat(e.trouble().sentence()).contains("run 3 first"));
        assertThat(rig.journal.runs(Rig.SITE, 10)).as("a refused undo is no run").hasSize(3);

        rig.undo(3);
        rig.undo(2);
        rig.undo(1);

        assertThat(rig.host.state()).isEqualTo(new Rig().host.state());
    }

    @Test
    void aLaterRunOfAnotherCardGoesFirstWhereItRestsOnTheSameHostOrFile() throws Exception {
        step("iommu");
        Situation.Subject other = new Situation.Subject("pve1/0000:02:00", "RTX A1000", FakeHost.NAME, Rig.CARD.slot());
        CardPlan plan = rig.engine().look(other, Choices.NONE, Watcher.NONE);
        rig.engine().apply(plan, List.of("bind"), Watcher.NONE, new Stop());
        rig.walk("idle-power");

        assertThat(plan(1).refusal()).as("the IOMMU is for all cards").contains("run 3 first");
        assertThat(plan(2).refusal()).as("the same file").contains("run 3 first");
        assertThat(plan(3).refusal()).isEmpty();
    }

    @Test
    void aRunThatOnlyMovedPowerHasNothingToUndoAndNothingRestsOnIt() throws Exception {
        step("iommu");
        step("bind");
        step("attach");
        step("power-cycle");

        assertThat(plan(4).refusal()).contains("nothing to undo");
        assertThat(plan(3).refusal()).isEmpty();
        assertThat(plan(3).changes()).as("what is live has to go").hasAtLeastOneElementOfType(VmPowerCycle.class);

        rig.undo(3);

        assertThat(rig.host.live).doesNotContainKey("hostpci0");
        assertThat(rig.host.mappings).isEmpty();
    }

    @Test
    void aVmThatIsOffStaysOff() throws Exception {
        rig.walk("bind");
        step("attach");
        rig.host.vmOn = false;

        rig.undo(2);

        assertThat(rig.host.vmOn).isFalse();
        assertThat(rig.host.config).isEqualTo(new Rig().host.config);
    }

    @Test
    void whatWasChangedSinceIsNotOverwritten() throws Exception {
        rig.walk("bind");
        rig.host.files.put(FakeSteps.BIND_FILE, Content.of("bind\nby hand\n"));

        assertThat(plan(1).refusal()).hasValueSatisfying(r -> assertThat(r).contains(FakeSteps.BIND_FILE)
                .contains("has changed").contains("run 1"));
        assertThat(plan(1).changes()).isEmpty();
    }

    @Test
    void aKeyThatWasChangedSinceIsNotOverwritten() throws Exception {
        rig.walk("guest");
        rig.host.config.put("memory", "16384");

        assertThat(plan(1).refusal()).hasValueSatisfying(r -> assertThat(r).contains("memory of VM 122 is now 16384"));
    }

    @Test
    void whatIsBackAlreadyIsLeftOut() throws Exception {
        rig.walk("bind");
        rig.host.files.remove(FakeSteps.BIND_FILE);

        assertThat(plan(1).changes()).filteredOn(FileChange.class::isInstance)
                .extracting(Change::target).containsExactly(FakeSteps.BOOT_FILE);
        assertThat(rig.undo(1).state()).isEqualTo(RunRecord.State.DONE);
    }

    @Test
    void aRunThatFailedHalfwayGoesBackAsFarAsItCame() throws Exception {
        rig.host.failures = 1;
        RunRecord run = rig.walk("guest");
        assertThat(run.state()).isEqualTo(RunRecord.State.FAILED);

        RunRecord undo = rig.undo(1);

        assertThat(undo.state()).isEqualTo(RunRecord.State.DONE);
        assertThat(undo.changes()).as("it had not come to the reboot").noneMatch(c -> c.change() instanceof HostReboot);
        assertThat(rig.host.state()).isEqualTo(new Rig().host.state());
    }

    @Test
    void anUndoThatFailedIsDoneAgain() throws Exception {
        rig.walk("bind");
        rig.host.failures = 1;
        RunRecord failed = rig.undo(1);
        assertThat(failed.state()).isEqualTo(RunRecord.State.FAILED);
        assertThat(rig.journal.run(1).orElseThrow().state()).isEqualTo(RunRecord.State.DONE);

        RunRecord again = rig.undo(1);

        assertThat(again.state()).isEqualTo(RunRecord.State.DONE);
        assertThat(again.changes()).extracting(ChangeRecord::change).as("the files are back; the rest is not")
                .hasExactlyElementsOfTypes(CommandChange.class, HostReboot.class);
        assertThat(rig.host.state()).isEqualTo(new Rig().host.state());
    }

    @Test
    void anUndoneRunAndAnUndoAreNotUndone() throws Exception {
        rig.walk("bind");
        rig.undo(1);

        assertThat(plan(1).refusal()).contains("it is undone already");
        assertThat(plan(2).refusal()).hasValueSatisfying(r -> assertThat(r).contains("run 1"));
        assertThat(rig.walk("bind").state()).as("it can be applied again").isEqualTo(RunRecord.State.DONE);
    }

    @Test
    void aRunThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> plan(99)).isInstanceOfSatisfying(TroubleException.class,
                e -> assertThat(e.trouble().sentence()).contains("run 99"));
    }
}
