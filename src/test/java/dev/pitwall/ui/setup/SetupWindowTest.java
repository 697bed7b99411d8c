package dev.pitwall.ui.setup;

import static dev.pitwall.ui.TestWindow.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.PciAddress;
import dev.pitwall.journey.Aim;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.export.Exports;
import dev.pitwall.ui.OneWindow;
import dev.pitwall.ui.PatientRobot;
import dev.pitwall.ui.SampleRest;
import dev.pitwall.ui.SampleSite;
import dev.pitwall.ui.TestWindow;
import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.run.Journeys;
import dev.pitwall.ui.run.SampleJourney;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.shell.ShellModel;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.theme.ThemeChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javafx.scene.Node;
import javafx.scene.control.ButtonBase;
import javafx.scene.control.CheckBox;
import javafx.scene.control.MenuButton;
import javafx.scene.input.Clipboard;
import javafx.scene.input.KeyCode;
import javafx.stage.Window;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drives the Setup and the Journal page of the real window, with a wizard in memory. */
@OneWindow
class SetupWindowTest {

    private static final String CARD = "pve2/0000:01:00";

    private final SampleRest rest = new SampleRest(SampleSite.view(List.of(card("pve1"), card("pve2"), card("pve3"))));
    private final SampleJourney journey = new SampleJourney();
    private Optional<Path> saved = Optional.empty();
    private TestWindow window;
    private PatientRobot robot;

    @BeforeEach
    void open() throws Exception {
        rest.inBackground();
        rest.saved.add(SampleSite.SITE);
        rest.journeys(_ -> Optional.of(new Journeys.Opened(journey, journey.journal, Exports.all())));
        journey.journal.startAfter(40);
        window = TestWindow.open(ThemeChoice.DARK, new Picker());
        robot = window.robot();
    }

    @AfterEach
    void close() {
        journey.let(100);
        journey.letLooks(100);
        window.close();
    }

    @Test
    void aFloorOfTheGarageOpensItsStepAndOnlyItsHostIsRead() {
        openStep();
        await().until(() -> !window.text("4 changes on pve2, in this order").isEmpty());
        await().until(() -> !window.text("/etc/modprobe.d/zz-pitwall.conf").isEmpty());
        await().until(() -> window.enabled("Apply and reboot pve2"));
        assertThat(journey.asked).containsExactly("look pve2 {}");
    }

    @Test
    void theRailOpensTheFirstCardAndLaterTheLastOne() {
        attach();
        robot.push(KeyCode.CONTROL, KeyCode.DIGIT2);
        await().until(() -> journey.asked.contains("look pve1 {}"));
        go(CARD);
        await().until(() -> journey.asked.contains("look pve2 {}"));
        robot.push(KeyCode.CONTROL, KeyCode.DIGIT1).push(KeyCode.CONTROL, KeyCode.DIGIT2);
        await().until(() -> !window.text("4 changes on pve2, in this order").isEmpty());
    }

    @Test
    void theArrowKeysGoThroughTheStepsAndSpaceOpensAReading() {
        openStep();
        robot.interact(() -> robot.lookup(".step-list").query().requestFocus());
        robot.push(KeyCode.UP);
        await().until(() -> !window.text("Step 2 of 8").isEmpty());
        robot.push(KeyCode.DOWN);
        await().until(() -> !window.text("Step 3 of 8").isEmpty());
        robot.interact(() -> foundRow("Driver in use").requestFocus());
        robot.push(KeyCode.SPACE);
        await().until(() -> window.text("    Kernel driver in use: nouveau").stream()
                .anyMatch(l -> l.getParent().getPseudoClassStates().stream().anyMatch(s -> s.getPseudoClassName().equals("symptom"))));
        robot.push(KeyCode.C);
        robot.interact(() -> assertThat(Clipboard.getSystemClipboard().getString()).contains("Kernel driver in use: nouveau"));
    }

    @Test
    void choosingLooksAgainWithTheAnswer() {
        openStep();
        robot.interact(() -> ((ButtonBase) window.text("By its slot").iterator().next()).fire());
        await().until(() -> journey.asked.contains("look pve2 {bind=address}"));
        await().until(() -> !window.text("options vfio-pci ids=").isEmpty());
    }

    @Test
    void aSlowAnswerOfAnOlderLookIsDropped() {
        openStep();
        journey.holdLooks();
        robot.interact(() -> ((ButtonBase) window.text("By its slot").iterator().next()).fire());
        await().until(() -> journey.asked.contains("look pve2 {bind=address}"));
        go("pve3/0000:01:00");
        await().until(() -> journey.asked.contains("look pve3 {}"));
        journey.letLooks(10);
        await().until(() -> !window.text("4 changes on pve3, in this order").isEmpty());
        assertThat(window.text("4 changes on pve2, in this order")).isEmpty();
    }

    @Test
    void applyingAsksOnceMoreShowsEachChangeLiveAndEndsDone() {
        openStep();
        journey.hold();
        window.press("Apply and reboot pve2");
        await().until(() -> !window.text("Reboot pve2?").isEmpty());
        assertThat(journey.asked).doesNotContain("apply pve2 [bind]");
        window.pressDanger();
        await().until(() -> !window.text("is being made").isEmpty());
        await().until(() -> window.enabled("Stop"));
        await().until(() -> rings() == 1);
        journey.let(1);
        await().until(() -> done() == 1 && rings() == 1);
        journey.let(3);
        await().until(() -> !window.text("Run 41 is done: Bind the card to vfio-pci on pve2, 1.3 s.").isEmpty());
        await().until(() -> !window.text("vfio-pci holds both functions").isEmpty());
        await().until(() -> window.enabled("Next: Attach the card"));
        assertThat(journey.file("pve2", SampleJourney.MODPROBE).text()).contains("softdep nouveau");
        window.press("Next: Attach the card");
        await().until(() -> !window.text("machine: q35").isEmpty());
    }

    @Test
    void stoppingEndsTheRunBeforeItsNextChange() {
        openStep();
        journey.hold();
        window.press("Apply and reboot pve2");
        window.pressDanger();
        await().until(() -> rings() == 1);
        window.press("Stop");
        await().until(() -> window.disabled("Stopping …"));
        journey.let(1);
        await().until(() -> !window.text("Run 41 on pve2 stopped before change 2 of 4.").isEmpty());
        assertThat(journey.file("pve2", SampleJourney.MODPROBE).absent()).isFalse();
        await().until(() -> !window.text("3 changes on pve2, in this order").isEmpty());
        assertThat(window.text("is being made")).isEmpty();
    }

    @Test
    void aChangeThatFailsSaysWhyAndUndoIsThere() {
        openStep();
        journey.failAt(3);
        window.press("Apply and reboot pve2");
        window.pressDanger();
        await().until(() -> !window.text("Run 41 on pve2 failed in change 3 of 4.").isEmpty());
        await().until(() -> !window.text("update-initramfs ended with exit 1: no space left on device").isEmpty());
        await().until(() -> window.enabled("Undo run 41…"));
        window.press("Undo run 41…");
        await().until(() -> !window.text("2 changes put back what was there, in this order.").isEmpty());
        window.pressDanger();
        await().until(() -> journey.file("pve2", SampleJourney.MODPROBE).absent());
        await().until(() -> !window.text("run 41 is undone").isEmpty());
    }

    @Test
    void skippingNeedsAReason() {
        openStep();
        window.press("Skip…");
        await().until(() -> window.disabled("Skip this step"));
        robot.write("our own role does it").push(KeyCode.ENTER);
        await().until(() -> journey.asked.contains("skip bind: our own role does it"));
        await().until(() -> !window.text("skipped: our own role does it").isEmpty());
    }

    @Test
    void theOtherCardsFollowOneAfterTheOther() {
        journey.bound("pve1");
        openStep();
        robot.interact(() -> robot.lookup("#others").queryAs(CheckBox.class).fire());
        await().until(() -> !window.text("Then do the same on pve3, asking nothing").isEmpty());
        window.press("Apply and reboot pve2 and pve3");
        await().until(() -> !window.text("Reboot pve2 and pve3?").isEmpty());
        window.pressDanger();
        await().until(() -> !window.text("Bind the card to vfio-pci: done on pve2, pve3.").isEmpty());
        assertThat(journey.asked).contains("apply pve2 [bind]", "apply pve3 [bind]").doesNotContain("apply pve1 [bind]");
    }

    @Test
    void severalStepsAreMadeTogetherAfterOneQuestion() {
        journey.iommuOff("pve2");
        openStep();
        window.press("Apply 2 steps and reboot pve2");
        await().until(() -> !window.text("Apply 2 steps and reboot pve2?").isEmpty());
        await().until(() -> !window.text("/etc/default/grub").isEmpty());
        assertThat(robot.lookup(".ask-dialog .change").queryAll().stream()
                .filter(n -> n.getAccessibleText().startsWith("Reboot pve2"))).hasSize(1);
        assertThat(journey.asked).noneMatch(a -> a.startsWith("apply"));
        window.pressDanger();
        await().until(() -> journey.asked.contains("apply pve2 [iommu, bind]"));
        await().until(() -> !window.text("vfio-pci holds both functions").isEmpty() && !window.text("already on, 21 groups").isEmpty());
    }

    @Test
    void aWalkGoesUpToTheGuest() {
        openStep();
        MenuButton walk = robot.lookup("#walk").queryAs(MenuButton.class);
        robot.interact(() -> walk.getItems().getLast().fire());
        await().until(() -> !window.text("Walk up to VM and reboot pve2?").isEmpty());
        await().until(() -> !window.text("Later, once these are done").isEmpty());
        window.pressDanger();
        await().until(() -> journey.asked.contains("walk pve2 to guest"));
        await().until(() -> !window.text("both functions are there").isEmpty());
    }

    @Test
    void doingItByHandCopiesCommands() {
        openStep();
        window.press("Do it by hand");
        robot.interact(() -> assertThat(Clipboard.getSystemClipboard().getString())
                .startsWith("# On pve2, as root:\n").contains("update-initramfs -u -k all").contains("systemctl reboot"));
    }

    @Test
    void thePlanIsWrittenAsARunbook(@TempDir Path folder) throws Exception {
        saved = Optional.of(folder.resolve("pitwall.sh"));
        openStep();
        MenuButton export = robot.lookup("#export").queryAs(MenuButton.class);
        robot.interact(() -> export.getItems().getFirst().fire());
        await().until(() -> Files.exists(saved.get()) && Files.size(saved.get()) > 0);
        assertThat(Files.readString(saved.get())).startsWith("#!/usr/bin/env bash").contains("zz-pitwall.conf");
    }

    @Test
    void aHostThatIsSilentIsToldInPlaceAndTriedAgain() {
        journey.silence("pve2");
        attach();
        go(CARD);
        await().until(() -> !window.text("pve2:22: no answer within 10 s").isEmpty());
        journey.answerAgain("pve2");
        window.press("Retry now");
        await().until(() -> !window.text("4 changes on pve2, in this order").isEmpty());
        journey.silence("pve2");
        window.press("Re-check");
        await().until(() -> window.disabled("Apply and reboot pve2") && !window.text("pve2:22: no answer within 10 s").isEmpty());
        await().until(() -> !window.text("4 changes on pve2, in this order").isEmpty());
    }

    @Test
    void aRunThatStoppedInTheMiddleIsContinued() throws Exception {
        died();
        attach();
        go(CARD);
        await().until(() -> !window.text("Run 41 stopped in the middle: Bind the card to vfio-pci, change 2 of 4.").isEmpty());
        await().until(() -> window.disabled("Apply and reboot pve2"));
        window.press("Continue and reboot pve2");
        window.pressDanger();
        await().until(() -> !window.text("Run 41 is done: Bind the card to vfio-pci on pve2, 1.0 s.").isEmpty()
                || journey.journal.run(41).orElseThrow().state() == RunRecord.State.DONE);
        await().untilAsserted(() -> assertThat(journey.asked).contains("resume 41"));
    }

    @Test
    void theJournalListsFiltersAndTakesBack() {
        openStep();
        window.press("Apply and reboot pve2");
        window.pressDanger();
        await().until(() -> !window.text("vfio-pci holds both functions").isEmpty());
        robot.push(KeyCode.CONTROL, KeyCode.DIGIT6);
        await().until(() -> !window.text("Run 41, done").isEmpty() && !window.text("Undo and reboot pve2").isEmpty());
        await().until(() -> !window.text("Today").isEmpty());
        robot.clickOn(".filter-field").write("pve9");
        await().until(() -> !window.text("No run matches").isEmpty());
        window.press("Show all runs");
        await().until(() -> window.text("No run matches").isEmpty());
        window.press("Undo and reboot pve2");
        window.pressDanger();
        await().until(() -> journey.asked.contains("undo 41"));
        await().until(() -> !window.text("undo of run 41").isEmpty() && !window.text("undone").isEmpty());
    }

    @Test
    void theKeyForUndoOffersTheLastRun() {
        openStep();
        robot.push(KeyCode.CONTROL, KeyCode.Z);
        await().until(() -> !robot.lookup(".notification").queryAll().isEmpty());
        go(CARD);
        window.press("Apply and reboot pve2");
        window.pressDanger();
        await().until(() -> !window.text("vfio-pci holds both functions").isEmpty());
        robot.push(KeyCode.CONTROL, KeyCode.Z);
        await().until(() -> !window.text("Undo and reboot pve2").isEmpty());
    }

    @Test
    void theJournalIsWrittenToAFile(@TempDir Path folder) throws Exception {
        saved = Optional.of(folder.resolve("runs.csv"));
        died();
        attach();
        robot.push(KeyCode.CONTROL, KeyCode.DIGIT6);
        await().until(() -> !window.text("Run 41, stopped in the middle").isEmpty());
        robot.clickOn("#export").clickOn("CSV, one line a change");
        await().until(() -> Files.exists(saved.get()) && Files.size(saved.get()) > 0);
        assertThat(Files.readString(saved.get())).startsWith("run,started,ended,state").contains("zz-pitwall.conf");
    }

    @Test
    void aFloorWhoseStepsTheCardHasNotOpensWhatIsToDo() {
        attach();
        robot.interact(() -> window.bench().desk().shell().go(Page.SETUP, new Subject(CARD, Floor.DRIVER)));
        await().until(() -> !window.text("4 changes on pve2, in this order").isEmpty());
    }

    @Test
    void allCardsAreCalledAndTheProofSaysWhatItShows(@TempDir Path folder) throws Exception {
        saved = Optional.of(folder.resolve("proof.md"));
        journey.withProof();
        attach();
        robot.interact(() -> window.bench().desk().shell().go(Page.SETUP, new Subject(CARD, Floor.PROOF)));
        await().until(() -> window.text("not tried yet").size() == 3);
        journey.hold();
        window.press("Call all again");
        window.press("Leave it alone");
        await().until(() -> window.text("is tested …").size() + window.text("is called …").size() == 3);
        journey.let(100);
        await().until(() -> window.shows("3 of 3"));
        await().until(() -> window.shows("What this proves"));
        await().until(() -> window.shows("Gave the pod what it asked for: nvidia.com/gpu"));
        await().untilAsserted(() -> assertThat(window.text("Test PASSED")).isNotEmpty());
        window.press("Save report");
        await().until(() -> Files.exists(saved.get()) && Files.size(saved.get()) > 0);
        assertThat(Files.readString(saved.get())).startsWith("# Proof of RTX A1000 in pve2 (0000:01:00)")
                .contains("| pve3 RTX A1000 |", "Test PASSED\nDone");
    }

    @Test
    void closingTheSiteClosesItsWizard() {
        openStep();
        robot.push(KeyCode.CONTROL, KeyCode.K).write("disconnect").push(KeyCode.ENTER);
        await().until(journey::isClosed);
    }

    /** A run that had made its first change and was in its second when everything ended. */
    private void died() throws Exception {
        Situation.Subject subject = new Situation.Subject(CARD, "RTX A1000", "pve2",
                PciAddress.parse("0000:01:00").orElseThrow());
        CardPlan plan = journey.look(subject, Choices.NONE, Watcher.NONE);
        long run = journey.journal.begin(new Journal.Opening(SampleSite.SITE.id(), "Bind the card to vfio-pci", "pve2",
                Optional.of(new RunRecord.CardRef(CARD, "RTX A1000")), "you, from this computer", Optional.empty(),
                Aim.NONE, SampleSite.NOW.minusSeconds(60))).number();
        journey.journal.add(run, plan.changes().stream().map(c -> new Journal.Intended("bind", c)).toList());
        journey.journal.starting(run, 1, Optional.empty(), SampleSite.NOW);
        journey.journal.ended(run, 1, ChangeRecord.State.DONE, Optional.empty(), SampleSite.NOW);
        journey.journal.starting(run, 2, Optional.empty(), SampleSite.NOW);
        journey.asked.clear();
    }

    private static Card card(String host) {
        return SampleSite.moved(SampleSite.up(), host, "0000:01:00");
    }

    private void attach() {
        robot.interact(() -> window.bench().attach(rest.dependencies()));
        await().until(() -> window.bench().desk().shell().phaseProperty().get() == ShellModel.Phase.SITE
                && !robot.lookup(".tower").queryAll().isEmpty());
    }

    private void go(String card) {
        robot.interact(() -> window.bench().desk().shell().go(Page.SETUP, new Subject(card, Floor.VFIO)));
    }

    private void openStep() {
        attach();
        go(CARD);
        await().until(() -> !window.text("4 changes on pve2, in this order").isEmpty());
    }

    private Node foundRow(String name) {
        return robot.lookup(".found-row").queryAll().stream().filter(n -> n.getAccessibleText().startsWith(name + ":"))
                .findFirst().orElseThrow();
    }

    private long rings() {
        return changesThat("waiting");
    }

    private long done() {
        return changesThat("ok");
    }

    private long changesThat(String state) {
        return robot.lookup(".change").queryAll().stream().filter(n -> n.getPseudoClassStates().stream()
                .anyMatch(s -> s.getPseudoClassName().equals(state))).count();
    }

    /** Chooses the file that the test has in mind. */
    private final class Picker implements FilePicker {
        @Override
        public Optional<Path> pick(Window owner, String title) {
            return Optional.empty();
        }

        @Override
        public Optional<Path> save(Window owner, String title, String name) {
            return saved;
        }
    }
}
