package dev.pitwall.journey.run;

import dev.pitwall.journey.StepTexts;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WalkTest {
    private final Rig rig = new Rig();

    @Test
    void aWalkBringsTheCardFromNothingIntoTheGuestInOneRun() throws Exception {
        RunRecord run = rig.walk("guest");

        assertThat(run.state()).as("%s", run.note()).isEqualTo(RunRecord.State.DONE);
        assertThat(rig.host.files.get(FakeSteps.BIND_FILE).text()).isEqualTo("bind\nawake\n");
        assertThat(rig.host.live).containsEntry("hostpci0", "mapping=gpu,pcie=1").containsEntry("memory", "8192");
        assertThat(rig.host.mappings).containsKey("gpu");
        assertThat(run.changes()).extracting(ChangeRecord::state).containsOnly(ChangeRecord.State.DONE);
        assertThat(run.changes()).extracting(ChangeRecord::step)
                .containsExactly("iommu", "bind", "idle-power", "idle-power", "idle-power", "attach", "attach", "power-cycle");
    }

    @Test
    void stepsThatEndInTheSameRebootShareOne() throws Exception {
        RunRecord run = rig.walk("idle-power");

        assertThat(rig.host.boots).isEqualTo(2);
        assertThat(run.changes()).filteredOn(c -> c.change() instanceof HostReboot).hasSize(1);
        assertThat(run.changes()).filteredOn(c -> c.change() instanceof CommandChange).hasSize(1);
    }

    @Test
    void aSecondWalkChangesNothing() throws Exception {
        rig.walk("guest");
        String state = rig.host.state();
        int commands = rig.host.commands.size();

        RunRecord again = rig.walk("guest");

        assertThat(again.state()).isEqualTo(RunRecord.State.ALREADY_SO);
        assertThat(again.changes()).isEmpty();
        assertThat(rig.host.state()).isEqualTo(state);
        assertThat(rig.host.commands).hasSize(commands);
    }

    @Test
    void aWalkEndsAtTheStepThatIsAskedFor() throws Exception {
        rig.walk("iommu");

        assertThat(rig.host.files).containsKey(FakeSteps.BOOT_FILE).doesNotContainKey(FakeSteps.BIND_FILE);
    }

    private RunRecord walk(Map<String, String> choices, Watcher watcher) throws Exception {
        return rig.engine().walk(Rig.CARD, Choices.of(choices), "guest", watcher, new Stop());
    }

    /** Somebody does something when the run begins its first reboot of the host. */
    private static Watcher meanwhile(Runnable something) {
        return new Watcher() {
            private boolean done;

            @Override
            public void line(Line line) {
            }

            @Override
            public void moved(RunRecord run) {
                if (!done && run.changes().stream().anyMatch(c -> c.change() instanceof HostReboot && c.started().isPresent())) {
                    done = true;
                    something.run();
                }
            }
        };
    }

    @Test
    void aStepThatIsBlockedRefusesTheWalkBeforeAnythingIsWritten() throws Exception {
        assertThatThrownBy(() -> walk(Map.of("refuse", "bind"), Watcher.NONE)).isInstanceOfSatisfying(TroubleException.class, e -> {
            assertThat(e.trouble().sentence()).contains("Bind the card").contains("blocked").contains("the board has no such thing");
            assertThat(e.trouble().next()).contains("--step iommu");
        });

        assertThat(rig.journal.runs(Rig.SITE, 10)).as("a refusal is no run").isEmpty();
        assertThat(rig.host.state()).isEqualTo(new Rig().host.state());
        assertThat(rig.engine().walk(Rig.CARD, Choices.of(Map.of("refuse", "bind")), "iommu", Watcher.NONE, new Stop()).state())
                .as("the way that it named").isEqualTo(RunRecord.State.DONE);
    }

    @Test
    void aStepThatTurnsOutToBeBlockedLaterEndsTheWalkWithItsSentence() throws Exception {
        RunRecord run = walk(Map.of("shared", "yes"), Watcher.NONE);

        assertThat(run.state()).isEqualTo(RunRecord.State.STOPPED);
        assertThat(run.note()).hasValueSatisfying(n -> assertThat(n).contains("blocked").contains("shared with a network card"));
        assertThat(rig.host.boots).as("what could be done before it was done").isEqualTo(2);
        assertThat(rig.host.config).doesNotContainKey("hostpci0");
    }

    @Test
    void aChoiceThatIsNoneOfTheOptionsRefusesTheWalk() throws Exception {
        assertThatThrownBy(() -> walk(Map.of("colour", "gren"), Watcher.NONE)).isInstanceOfSatisfying(TroubleException.class,
                e -> assertThat(e.trouble().sentence()).contains("colour=gren is no choice").contains("red, green"));

        assertThat(rig.journal.runs(Rig.SITE, 10)).isEmpty();
    }

    @Test
    void aQuestionThatOnlyThePersonCanAnswerRefusesTheWalk() {
        assertThatThrownBy(() -> walk(Map.of("ask", "yes"), Watcher.NONE)).isInstanceOfSatisfying(TroubleException.class,
                e -> assertThat(e.trouble().sentence()).contains("choose a VM").contains("vm=122|new"));
    }

    @Test
    void whatIsNoLongerAsItWasShownStopsALaterBatchBeforeItIsWritten() throws Exception {
        RunRecord run = walk(Map.of(), meanwhile(() -> rig.host.config.put("memory", "2048")));

        assertThat(run.state()).isEqualTo(RunRecord.State.STOPPED);
        assertThat(run.note()).hasValueSatisfying(n -> assertThat(n)
                .contains("memory of VM 122 was \"4096\" when it was shown, and is \"2048\" now").contains("Running it again")
                .contains("Undo of run 1"));
        assertThat(rig.host.config).containsEntry("memory", "2048").doesNotContainKey("hostpci0");
        assertThat(rig.host.mappings).isEmpty();
        assertThat(walk(Map.of(), Watcher.NONE).state()).as("the next preview shows it").isEqualTo(RunRecord.State.DONE);
    }

    @Test
    void whatWasNotShownIsNotMade() throws Exception {
        RunRecord run = walk(Map.of("nothing-foreseen", "yes"), Watcher.NONE);

        assertThat(run.state()).isEqualTo(RunRecord.State.STOPPED);
        assertThat(run.note()).hasValueSatisfying(n -> assertThat(n).contains("/cluster/mapping/pci/gpu was not shown"));
        assertThat(rig.host.boots).isEqualTo(2);
        assertThat(rig.host.mappings).isEmpty();
    }

    @Test
    void aWalkShowsWhatItIsHeldToBeforeItBegins() throws Exception {
        List<String> seen = new ArrayList<>();
        Watcher watcher = new Watcher() {
            @Override
            public void line(Line line) {
            }

            @Override
            public void previewed(CardPlan plan) {
                plan.intended().forEach(c -> seen.add(c.target()));
            }

            @Override
            public void moved(RunRecord run) {
                seen.add("run");
            }
        };

        RunRecord run = walk(Map.of(), watcher);

        assertThat(run.changes()).extracting(c -> c.change().target()).isSubsetOf(seen.subList(0, seen.indexOf("run")));
    }

    @Test
    void aFileThatChangedSinceThePreviewStopsTheRunBeforeAnythingIsWritten() throws Exception {
        CardPlan plan = rig.engine().look(Rig.CARD, Choices.NONE, Watcher.NONE);
        rig.host.files.put(FakeSteps.BIND_FILE, Content.of("by hand\n"));
        String state = rig.host.state();

        assertThat(rig.engine().together(plan, "bind")).containsExactly("iommu", "bind");
        assertThat(rig.engine().together(plan, "iommu")).containsExactly("iommu");
        RunRecord run = rig.engine().apply(plan, List.of("iommu", "bind"), Watcher.NONE, new Stop());

        assertThat(run.state()).isEqualTo(RunRecord.State.STOPPED);
        assertThat(run.note()).hasValueSatisfying(n -> assertThat(n).startsWith("stopped before change 2")
                .contains(FakeSteps.BIND_FILE).doesNotContain("Undo"));
        assertThat(run.changes()).extracting(ChangeRecord::state)
                .containsExactly(ChangeRecord.State.SKIPPED, ChangeRecord.State.STOPPED, ChangeRecord.State.SKIPPED,
                        ChangeRecord.State.SKIPPED);
        assertThat(rig.host.state()).isEqualTo(state);
        assertThat(rig.host.commands).isEmpty();
    }

    @Test
    void aGuestThatWasStartedSinceThePreviewKeepsTheHostFromBeingRebooted() throws Exception {
        rig.host.vmOn = false;
        CardPlan plan = rig.engine().look(Rig.CARD, Choices.NONE, Watcher.NONE);
        rig.host.vmOn = true;

        RunRecord run = rig.engine().apply(plan, List.of("iommu"), Watcher.NONE, new Stop());

        assertThat(run.state()).isEqualTo(RunRecord.State.STOPPED);
        assertThat(run.note()).hasValueSatisfying(n -> assertThat(n).contains("guest 122 (worker)"));
        assertThat(rig.host.files).isEmpty();
    }

    @Test
    void whatIsAlreadyAsItWouldBeMadeIsNotMadeAgain() throws Exception {
        CardPlan plan = rig.engine().look(Rig.CARD, Choices.NONE, Watcher.NONE);
        rig.host.files.put(FakeSteps.BOOT_FILE, Content.of("iommu=on\n"));

        RunRecord run = rig.engine().apply(plan, List.of("iommu"), Watcher.NONE, new Stop());

        assertThat(run.state()).isEqualTo(RunRecord.State.DONE);
        assertThat(run.changes().getFirst().state()).isEqualTo(ChangeRecord.State.ALREADY_SO);
    }

    @Test
    void aWriteThatIsAskedToStopEndsBetweenTwoChanges() throws Exception {
        Stop stop = new Stop();
        Watcher stopsAfterTheFirst = new Watcher() {
            @Override
            public void line(Line line) {
            }

            @Override
            public void moved(RunRecord run) {
                if (run.changes().stream().anyMatch(c -> c.state() == ChangeRecord.State.RUNNING)) {
                    stop.ask();
                }
            }
        };

        RunRecord run = rig.engine().walk(Rig.CARD, Choices.NONE, "guest", stopsAfterTheFirst, stop);

        assertThat(run.state()).isEqualTo(RunRecord.State.STOPPED);
        assertThat(run.note()).hasValueSatisfying(n -> assertThat(n).startsWith("stopped by you before change 2")
                .contains("Undo of run 1"));
        assertThat(run.changes()).extracting(ChangeRecord::state).startsWith(ChangeRecord.State.DONE,
                ChangeRecord.State.SKIPPED).doesNotContain(ChangeRecord.State.TO_DO, ChangeRecord.State.RUNNING);
        assertThat(rig.host.files).containsKey(FakeSteps.BOOT_FILE);
    }

    @Test
    void aCommandThatFailsEndsTheRunAndKeepsWhatWasDone() throws Exception {
        rig.host.failures = 1;

        RunRecord run = rig.walk("iommu");

        assertThat(run.state()).isEqualTo(RunRecord.State.FAILED);
        assertThat(run.note()).hasValueSatisfying(n -> assertThat(n).contains("update-initramfs -u -k all on pve1")
                .contains("exit code 1: no space left on device").contains("Undo of run 1"));
        assertThat(rig.host.files).containsKey(FakeSteps.BOOT_FILE);
        assertThat(rig.host.boots).isEqualTo(1);
    }

    @Test
    void aStepThatIsNotDoneAfterItsChangesFailsTheRunWithItsOwnSentence() throws Exception {
        CardPlan plan = rig.engine().look(Rig.CARD, Choices.NONE, Watcher.NONE);
        CardPlan.Planned iommu = plan.step("iommu").orElseThrow();
        Answer onlyTheFile = Answer.ready("off", List.of(), iommu.answer().changes().subList(0, 1));
        CardPlan less = new CardPlan(plan.card(), plan.choices(), plan.at(), List.of(new CardPlan.Planned(iommu.id(),
                iommu.floor(), iommu.text(), onlyTheFile)));

        RunRecord run = rig.engine().apply(less, List.of("iommu"), Watcher.NONE, new Stop());

        assertThat(run.state()).isEqualTo(RunRecord.State.FAILED);
        assertThat(run.note()).hasValueSatisfying(n -> assertThat(n).startsWith("Turn on the IOMMU").contains("off")
                .contains("Undo of run 1"));
    }

    @Test
    void aPreviewShowsWhatASecondStepWritesAfterTheFirst() throws Exception {
        CardPlan plan = rig.engine().look(Rig.CARD, Choices.NONE, Watcher.NONE);

        FileChange idle = (FileChange)
                plan.step("idle-power").orElseThrow().answer().changes().getFirst();
        assertThat(idle.before().text()).isEqualTo("bind\n");
        assertThat(idle.after().text()).isEqualTo("bind\nawake\n");
        assertThatThrownBy(() -> rig.engine().apply(plan, List.of("idle-power"), Watcher.NONE, new Stop()))
                .isInstanceOfSatisfying(TroubleException.class,
                        e -> assertThat(e.trouble().what()).contains("Bind the card to vfio-pci"));
    }

    @Test
    void twoRunsNeverWorkOnOneHost() throws Exception {
        List<Trouble> troubles = new ArrayList<>();
        Watcher second = new Watcher() {
            @Override
            public void line(Line line) {
            }

            @Override
            public void moved(RunRecord run) {
                if (run.state() == RunRecord.State.RUNNING && troubles.isEmpty()) {
                    assertThatThrownBy(() -> rig.walk("bind")).isInstanceOfSatisfying(TroubleException.class,
                            e -> troubles.add(e.trouble()));
                }
            }
        };

        rig.engine().walk(Rig.CARD, Choices.NONE, "iommu", second, new Stop());

        assertThat(troubles).singleElement().satisfies(t -> {
            assertThat(t.kind()).isEqualTo(Trouble.Kind.BUSY);
            assertThat(t.sentence()).contains("pve1").contains("run 1").contains("Turn on the IOMMU");
        });
        assertThat(rig.journal.runs(Rig.SITE, 10)).hasSize(1);
    }

    @Test
    void aStepThatIsLeftOutIsPassedUntilThatIsTakenBack() throws Exception {
        RunRecord skip = rig.engine().skip(Rig.CARD, "idle-power", "it never sleeps");

        RunRecord run = rig.walk("guest");

        assertThat(run.state()).isEqualTo(RunRecord.State.DONE);
        assertThat(rig.host.files.get(FakeSteps.BIND_FILE).text()).isEqualTo("bind\n");
        CardPlan plan = rig.engine().look(Rig.CARD, Choices.NONE, Watcher.NONE);
        assertThat(plan.step("idle-power").orElseThrow().answer().state()).isEqualTo(Answer.State.SKIPPED);
        assertThat(plan.step("idle-power").orElseThrow().answer().why()).isEqualTo("skipped: it never sleeps");

        rig.undo(skip.number());

        assertThat(rig.engine().look(Rig.CARD, Choices.NONE, Watcher.NONE).step("idle-power").orElseThrow().answer()
                .state()).isEqualTo(Answer.State.READY);
    }

    @Test
    void aRunIsNotCalledAfterAStepThatIsLeftOut() throws Exception {
        rig.engine().skip(Rig.CARD, "idle-power", "it never sleeps");

        RunRecord run = rig.engine().walk(Rig.CARD, Choices.NONE, "idle-power", Watcher.NONE, new Stop());

        assertThat(run.title()).isEqualTo("Set up to: " + StepTexts.load().of("bind").title());
    }

    @Test
    void everythingThatIsReadAndWrittenIsTold() throws Exception {
        List<String> lines = new ArrayList<>();

        rig.engine().walk(Rig.CARD, Choices.NONE, "iommu",
                line -> lines.add(line.system() + ": " + line.text() + line.outcome().map(o -> " = " + o).orElse("")), new Stop());

        assertThat(lines).contains("pitwall: run 1: Set up to: Turn on the IOMMU",
                "pve1 ssh: read " + FakeSteps.BOOT_FILE + " = no such file", "pve1 ssh: write " + FakeSteps.BOOT_FILE
                        + " = 9 bytes", "pve1 ssh: doing update-initramfs -u -k all",
                "pve1 ssh: update-initramfs -u -k all = exit 0", "pve1 ssh: systemctl reboot = exit 0");
    }

    @Test
    void theBytesOfBeforeAreKeptOnTheHost() throws Exception {
        rig.host.files.put(FakeSteps.BIND_FILE, Content.of("old\n"));

        rig.engine().apply(rig.engine().look(Rig.CARD, Choices.NONE, Watcher.NONE), List.of("bind"), Watcher.NONE, new Stop());

        assertThat(Optional.ofNullable(rig.host.files.get("/var/backups/pitwall/run-1-change-1" + FakeSteps.BIND_FILE)))
                .contains(Content.of("old\n"));
    }
}
