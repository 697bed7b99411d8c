package dev.pitwall;

import static dev.pitwall.ui.TestWindow.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.export.Exports;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.Site;
import dev.pitwall.ui.doctor.SampleDoctors;
import dev.pitwall.ui.doctor.SampleFindings;
import dev.pitwall.ui.OneWindow;
import dev.pitwall.ui.PatientRobot;
import dev.pitwall.ui.TestWindow;
import dev.pitwall.ui.UiDependencies;
import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.run.Engines;
import dev.pitwall.ui.run.Journeys;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.theme.ThemeChoice;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javafx.scene.control.Label;
import javafx.scene.control.RadioButton;
import javafx.scene.input.KeyCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real window, as it is wired, walks a card of a fresh host over the lab's sockets: by mouse and keyboard. */
@OneWindow
class LiveSetupTest {

    @TempDir
    private Path dir;
    private Workshop workshop;
    private Workshop.Engine engine;
    private Wiring wiring;
    private Site site;
    private UiDependencies rest;
    private TestWindow window;
    private PatientRobot robot;

    /** All is as wired, but for an engine that looks again as often as the lab is fast. */
    @BeforeEach
    void open() throws Exception {
        workshop = new Workshop(dir);
        wiring = new Wiring();
        site = wiring.site(workshop.lab.lab().siteFile().toString());
        engine = workshop.engine(site);
        UiDependencies all = new WindowParts(wiring).dependencies(Optional.of(site), SecondFactor.NONE);
        // A new host has findings, whose notices would lie on the buttons that are clicked here.
        SampleDoctors doctors = new SampleDoctors();
        doctors.finds(SampleFindings.NOTHING);
        rest = new UiDependencies(all.sites(), all.liveSites(),
                _ -> Optional.of(new Journeys.Opened(engine.journey(), workshop.journal, Exports.all())), Engines.NONE, doctors, all.lab(),
                all.preferences(), all.siteFile(), all.first(), all.connect(), all.factors(), all.about(), all.clock(),
                all.background(), all.close());
        window = TestWindow.open(ThemeChoice.DARK, FilePicker.NOBODY);
        robot = window.robot();
        window.attach(rest);
    }

    @AfterEach
    void close() {
        window.close();
        rest.close().run();
        engine.close();
        wiring.close();
        workshop.close();
    }

    @Test
    void aCardGoesFromAFreshHostIntoTheGuestAndBackAgain() throws Exception {
        List<String> disks = workshop.disks(engine, "pve1");
        List<String> running = workshop.running("pve1");
        await().until(() -> !robot.lookup(".tower").queryAll().isEmpty());
        await().until(() -> {
            robot.push(KeyCode.CONTROL, KeyCode.DIGIT2);
            return window.bench().desk().shell().pageProperty().get() == Page.SETUP;
        });
        await().until(() -> window.enabled("Apply 2 steps and reboot pve1"));

        window.click("Choose the VM");
        await().until(() -> vm("110 k3s-gpu-1").isPresent());
        robot.interact(() -> vm("110 k3s-gpu-1").orElseThrow().fire());
        window.click("Apply 2 steps and reboot pve1");
        await().until(() -> window.shows("Apply 2 steps and reboot pve1?"));
        robot.clickOn(".danger-fill");
        await().until(() -> window.enabled("Stop"));
        await().until(() -> says("VM 110 k3s-gpu-1") && window.enabled("Next: Attach the card"));

        await().until(() -> window.shows("Show in Journal") && window.enabled("Re-check")
                && !robot.lookup("#walk").query().isDisabled());
        robot.clickOn("#walk").clickOn("VM: See the card in the guest");
        robot.clickOn(".danger-fill");
        await().until(() -> window.shows("the guest lists 2 of 2 functions"));

        robot.push(KeyCode.CONTROL, KeyCode.DIGIT6);
        for (RunRecord run : workshop.journal.runs(site.id(), 10)) {
            window.click(run.title());
            await().until(() -> window.shows("Undo run " + run.number()) && !robot.lookup("#undo").query().isDisabled());
            robot.clickOn("#undo").clickOn(".danger-fill");
            await().until(() -> window.shows("undo of run " + run.number()));
            await().untilAsserted(() -> assertThat(workshop.journal.run(run.number()).orElseThrow().state())
                    .isEqualTo(RunRecord.State.UNDONE));
        }
        assertThat(workshop.disks(engine, "pve1")).isEqualTo(disks);
        assertThat(workshop.running("pve1")).isEqualTo(running);
    }

    /** Its button, not the same words in what was found. */
    private Optional<RadioButton> vm(String named) {
        return robot.lookup(".radio-button").queryAllAs(RadioButton.class).stream()
                .filter(b -> b.isVisible() && named.equals(b.getText())).findFirst();
    }

    /** Whether a person chose it or the wizard did, who says why. */
    private boolean says(String beginning) {
        return robot.lookup(".label").queryAllAs(Label.class).stream()
                .anyMatch(l -> l.isVisible() && l.getText() != null && l.getText().startsWith(beginning));
    }
}
