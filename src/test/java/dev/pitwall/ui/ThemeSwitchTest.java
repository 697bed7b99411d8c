package dev.pitwall.ui;

import static dev.pitwall.ui.TestWindow.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.ui.doctor.SampleDoctors;
import dev.pitwall.ui.doctor.SampleFindings;
import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.theme.Theme;
import dev.pitwall.ui.theme.ThemeChoice;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import javafx.scene.image.Image;
import javafx.scene.image.PixelReader;
import javafx.scene.image.WritableImage;
import org.junit.jupiter.api.Test;

/** A page full of panels and cells that was shown dark is wholly light after the switch. */
@OneWindow
class ThemeSwitchTest {

    private static final double DARK = 0.3;

    private final SampleDoctors doctors = new SampleDoctors();
    private final SampleRest rest = new SampleRest(SampleSite.view());

    ThemeSwitchTest() {
        doctors.finds(SampleFindings.everything());
        rest.saved.add(SampleSite.SITE);
        rest.doctors(doctors);
    }

    @Test
    void theWindowSwitchesAllThatItShows() throws Exception {
        try (TestWindow window = TestWindow.open(ThemeChoice.DARK, FilePicker.NOBODY)) {
            PatientRobot robot = window.robot();
            window.attach(rest.dependencies());
            await().until(() -> !robot.lookup(".tower").queryAll().isEmpty());
            robot.interact(() -> {
                window.appearance().choiceProperty().set(ThemeChoice.DARK);
                window.bench().desk().shell().go(Page.DOCTOR);
            });
            await().until(() -> window.shows("Why not something else"));
            AtomicReference<WritableImage> picture = new AtomicReference<>();
            robot.interact(() -> picture.set(window.stage().getScene().snapshot(null)));
            assertThat(dark(picture.get())).isGreaterThan(0.7);
            robot.interact(() -> window.appearance().choiceProperty().set(ThemeChoice.LIGHT));
            robot.interact(() -> picture.set(window.stage().getScene().snapshot(null)));
            assertThat(dark(picture.get())).isLessThan(0.1);
        }
    }

    @Test
    void picturesSwitchToo() throws Exception {
        Path folder = Path.of("target", "pictures");
        try (Snapshot snapshot = new Snapshot(rest.dependencies())) {
            snapshot.open(SampleSite.SITE);
            await().until(() -> snapshot.shows(v -> !v.connections().isEmpty()));
            for (int findings : new int[] {3, 6}) {
                doctors.finds(SampleFindings.many(findings));
                snapshot.go(Page.DOCTOR);
                snapshot.press("again");
                await().until(snapshot::settled);
                snapshot.page(Page.DOCTOR, Theme.DARK, 1000, 700, folder.resolve("switch-dark.png"));
                snapshot.page(Page.DOCTOR, Theme.LIGHT, 1000, 700, folder.resolve("switch-light.png"));
                assertThat(dark(new Image(folder.resolve("switch-dark.png").toUri().toString()))).isGreaterThan(0.7);
                assertThat(dark(new Image(folder.resolve("switch-light.png").toUri().toString()))).isLessThan(0.1);
            }
        }
    }

    /** The share of the picture that is dark. */
    private static double dark(Image image) {
        PixelReader pixels = image.getPixelReader();
        long dark = 0;
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                dark += pixels.getColor(x, y).getBrightness() < DARK ? 1 : 0;
            }
        }
        return dark / (image.getWidth() * image.getHeight());
    }
}
