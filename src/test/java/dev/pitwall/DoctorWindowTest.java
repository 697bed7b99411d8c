package dev.pitwall;

import static dev.pitwall.ui.TestWindow.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.site.PracticeLab;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.ui.OneWindow;
import dev.pitwall.ui.PatientRobot;
import dev.pitwall.ui.TestWindow;
import dev.pitwall.ui.UiDependencies;
import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.theme.ThemeChoice;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import javafx.scene.control.Button;
import javafx.scene.control.TextArea;
import javafx.scene.control.TextInputControl;
import javafx.scene.input.Clipboard;
import javafx.scene.input.KeyCode;
import javafx.stage.Window;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Drives the Doctor's page of the real window, as it is wired, against one lab. */
@OneWindow
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DoctorWindowTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String MISMATCH = "NVRM: API mismatch: the client has the version 570.133.20, but\n"
            + "NVRM: this kernel module has the version 570.124.06.  Please\n"
            + "NVRM: make sure that this kernel module and all NVIDIA driver\nNVRM: components have the same version.\n";

    @TempDir
    private static Path dir;
    private static Wiring wiring;
    private static PracticeLab.Running lab;
    private static UiDependencies rest;
    private static TestWindow window;
    private static PatientRobot robot;
    /** How far the window's clock is ahead of the real one. */
    private static AtomicReference<Duration> ahead;

    @BeforeAll
    static void open() throws Exception {
        wiring = new Wiring();
        lab = wiring.labs().start("garage", 60);
        ahead = new AtomicReference<>(Duration.ZERO);
        rest = ahead(new WindowParts(wiring).dependencies(Optional.of(lab.site()), SecondFactor.NONE));
        window = TestWindow.open(ThemeChoice.DARK, new Picker());
        robot = window.robot();
        window.attach(rest);
        await().atMost(LONG).until(() -> !robot.lookup(".tower").queryAll().isEmpty());
    }

    @AfterAll
    static void close() {
        window.close();
        rest.close().run();
        wiring.close();
    }

    @Test
    @Order(1)
    void theWatchTellsAFindingWhoseLineIsMarkedAndWhoseCureIsMadeByAClick() throws Exception {
        lab.breakIt("node-cordoned", "pve2/0000:01:00");
        await().atMost(LONG).until(() -> window.enabled("Open in Doctor"));
        window.press("Open in Doctor");
        await().until(() -> window.shows("node-cordoned"));
        await().until(() -> robot.lookup(".evidence .code-line").queryAll().stream().anyMatch(line ->
                line.getPseudoClassStates().stream().anyMatch(s -> s.getPseudoClassName().equals("decides"))));
        await().until(() -> robot.lookup("#primary").tryQueryAs(Button.class).filter(b -> b.isVisible() && !b.isDisabled()).isPresent());

        robot.clickOn("#primary");

        await().atMost(LONG).untilAsserted(() -> assertThat(wiring.journal().runs(lab.site().id(), 1)).singleElement()
                .satisfies(run -> {
                    assertThat(run.state()).as(run.note().orElse("")).isEqualTo(RunRecord.State.DONE);
                    assertThat(run.changes()).extracting(ChangeRecord::state).containsExactly(ChangeRecord.State.DONE);
                }));
        await().atMost(LONG).until(() -> !window.shows("node-cordoned"));
    }

    @Test
    @Order(2)
    void aPastedOutputIsJudgedByItselfAndF5GoesBackToTheSite() {
        go();
        window.press("Paste an output…");
        robot.interact(() -> robot.lookup("#pasted").queryAs(TextInputControl.class).setText(MISMATCH));
        window.press("Diagnose this text");
        await().until(() -> window.shows("driver-library-version-mismatch"));
        await().until(() -> window.shows("1 finding in the pasted text"));
        robot.push(KeyCode.C);
        robot.interact(() -> assertThat(Clipboard.getSystemClipboard().getString()).contains("> 1  NVRM: API mismatch"));
        robot.push(KeyCode.F5);
        await().atMost(LONG).until(() -> !window.shows("driver-library-version-mismatch"));
    }

    @Test
    @Order(3)
    void aFolderOfOutputsIsOpenedAndItsDiagnosisSavedAsAReport() throws Exception {
        Files.writeString(Files.createDirectories(dir.resolve("outputs")).resolve("dmesg.txt"), MISMATCH);
        go();
        robot.clickOn("#open").clickOn("A folder…");
        await().until(() -> window.shows("1 finding in outputs"));
        window.press("Export report…");
        await().until(() -> robot.lookup("#report").tryQueryAs(TextArea.class)
                .filter(a -> a.getText().startsWith("# What keeps the card from being used")).isPresent());
        window.press("Save…");
        Path report = dir.resolve("report.md");
        await().until(() -> Files.exists(report) && Files.size(report) > 0);
        assertThat(Files.readString(report)).contains("`driver-library-version-mismatch`", "> NVRM: API mismatch");
        window.press("Back to " + lab.site().name());
        await().until(() -> !window.shows("1 finding in outputs"));
    }

    @Test
    @Order(4)
    void aFindingIsToldOnceAndItsMessageGoesWithTheFault() throws Exception {
        elsewhere();
        lab.breakIt("node-cordoned", "pve1/0000:01:00");
        await().atMost(LONG).until(() -> window.enabled("Open in Doctor"));
        assertThat(window.buttons("Open in Doctor")).hasSize(1);

        lab.repair("node-cordoned");
        await().atMost(LONG).until(() -> window.buttons("Open in Doctor").isEmpty());
    }

    @Test
    @Order(5)
    void whatNoTowerShowsIsFoundOnceTheTimeBetweenTwoLooksIsOver() throws Exception {
        elsewhere();
        lab.breakIt("quota-requires-requests", "");
        await().atMost(LONG).until(() -> {
            ahead.updateAndGet(time -> time.plusSeconds(61));
            return window.enabled("Open in Doctor");
        });

        lab.repair("quota-requires-requests");
        await().atMost(LONG).until(() -> {
            ahead.updateAndGet(time -> time.plusSeconds(61));
            return window.buttons("Open in Doctor").isEmpty();
        });
    }

    /** Whoever has the Doctor's page before them is told nothing beside it. */
    private static void elsewhere() {
        robot.interact(() -> window.bench().desk().shell().go(Page.GARAGE));
    }

    private static UiDependencies ahead(UiDependencies all) {
        return new UiDependencies(all.sites(), all.liveSites(), all.journeys(), all.engines(), all.doctors(), all.lab(),
                all.preferences(), all.siteFile(), all.first(), all.connect(), all.factors(), all.about(),
                () -> all.clock().instant().plus(ahead.get()), all.background(), all.close());
    }

    private static void go() {
        robot.interact(() -> window.bench().desk().shell().go(Page.DOCTOR));
        await().atMost(LONG).until(() -> window.enabled("Diagnose now"));
    }

    /** Chooses what the tests have in mind. */
    private static final class Picker implements FilePicker {
        @Override
        public Optional<Path> pick(Window owner, String title) {
            return Optional.empty();
        }

        @Override
        public Optional<Path> pickFolder(Window owner, String title) {
            return Optional.of(dir.resolve("outputs"));
        }

        @Override
        public Optional<Path> save(Window owner, String title, String name) {
            return Optional.of(dir.resolve("report.md"));
        }
    }
}
