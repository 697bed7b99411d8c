package dev.pitwall.ui;

import static dev.pitwall.ui.TestWindow.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.Floor;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.site.Site;
import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.run.Journeys;
import dev.pitwall.ui.run.SampleJourney;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.theme.ThemeChoice;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javafx.scene.input.KeyCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a run when its window or its site is left, and where a run that died is met again. */
@OneWindow
class LeavingTest {

    private static final String CARD = "pve2/0000:01:00";

    private final SampleRest rest = new SampleRest(SampleSite.view(List.of(SampleSite.moved(SampleSite.up(), "pve2", "0000:01:00"))));
    private final SampleJourney journey = new SampleJourney();
    private final AtomicInteger closed = new AtomicInteger();
    private TestWindow window;

    @BeforeEach
    void open() throws Exception {
        rest.inBackground();
        rest.saved.add(SampleSite.SITE);
        rest.journeys(_ -> Optional.of(new Journeys.Opened(journey, journey.journal, List.of())));
        journey.journal.startAfter(40);
        window = TestWindow.open(ThemeChoice.DARK, FilePicker.NOBODY);
    }

    @AfterEach
    void close() {
        journey.let(100);
        window.close();
    }

    @Test
    void aWindowInWhichNothingRunsClosesAtOnce() {
        openStep();
        leave();
        assertThat(closed).hasValue(1);
    }

    @Test
    void closingNamesWhatRunsAndCanLetItRun() {
        startRun();
        leave();
        await().until(() -> window.shows("Run 41 on pve2: Bind the card to vfio-pci, change 1 of 4: " + SampleJourney.MODPROBE));
        window.press("Let it run");
        journey.let(4);
        await().until(() -> journey.journal.run(41).orElseThrow().state() == RunRecord.State.DONE);
        assertThat(closed).hasValue(0);
    }

    @Test
    void closingCanWaitForTheChangeThatHasBegun() {
        startRun();
        leave();
        window.press("Stop, then close");
        await().until(() -> window.disabled("Stopping …"));
        assertThat(closed).hasValue(0);
        journey.let(1);
        await().until(() -> closed.get() == 1);
        RunRecord run = journey.journal.run(41).orElseThrow();
        assertThat(run.state()).isEqualTo(RunRecord.State.STOPPED);
        assertThat(run.changes()).filteredOn(c -> c.state() == ChangeRecord.State.DONE).hasSize(1);
    }

    @Test
    void disconnectingNowLeavesTheRunForLater() {
        startRun();
        window.robot().push(KeyCode.CONTROL, KeyCode.K).write("disconnect").push(KeyCode.ENTER);
        await().until(() -> window.shows("A run is under way"));
        assertThat(journey.isClosed()).isFalse();
        window.press("Disconnect now");
        await().until(journey::isClosed);
        assertThat(journey.journal.run(41).orElseThrow().ended()).isEmpty();
    }

    @Test
    void theConnectionsOfASiteAreNotEditedWhileItsRunGoesOn() {
        startRun();
        window.robot().interact(() -> window.bench().editSite(SampleSite.SITE));
        await().until(() -> window.enabled("Stop, then edit"));
        assertThat(window.buttons("Edit now")).isEmpty();
        assertThat(rest.asked).doesNotContain("edit " + SampleSite.SITE.name());
        window.press("Stop, then edit");
        journey.let(1);
        await().until(() -> rest.asked.contains("edit " + SampleSite.SITE.name()));
    }

    @Test
    void whoGoesToAnotherSiteIsToldThatTheRunGoesOn() {
        startRun();
        Site other = new Site("other", "attic", List.of(), List.of(), Optional.empty(), Optional.empty(), List.of(), false);
        window.robot().interact(() -> window.bench().open(other));
        await().until(() -> window.enabled("Back to " + SampleSite.SITE.name()));
        assertThat(journey.isClosed()).isFalse();
    }

    @Test
    void aRunThatDiedIsMetAtTheStartAndLeadsToWhereItIsContinued() throws Exception {
        startRun();
        window.robot().interact(() -> window.bench().close());
        await().until(journey::isClosed);
        window.close();
        window = TestWindow.open(ThemeChoice.DARK, FilePicker.NOBODY);
        window.attach(rest.dependencies());
        window.press("Show it in Setup");
        await().until(() -> window.shows("Run 41 stopped in the middle: Bind the card to vfio-pci, change 1 of 4."));
        journey.let(100);
        window.press("Continue and reboot pve2");
        window.pressDanger();
        await().until(() -> journey.asked.contains("resume 41"));
    }

    private void leave() {
        window.robot().interact(() -> window.bench().leave(closed::incrementAndGet));
    }

    private void openStep() {
        window.attach(rest.dependencies());
        await().until(() -> !window.robot().lookup(".tower").queryAll().isEmpty());
        window.robot().interact(() -> window.bench().desk().shell().go(Page.SETUP, new Subject(CARD, Floor.VFIO)));
        await().until(() -> window.enabled("Apply and reboot pve2"));
    }

    private void startRun() {
        openStep();
        journey.hold();
        window.press("Apply and reboot pve2");
        window.pressDanger();
        await().until(() -> journey.journal.run(41).filter(r -> !r.changes().isEmpty()).isPresent()
                && window.shows("is being made"));
    }
}
