package dev.pitwall.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.theme.Appearance;
import dev.pitwall.ui.theme.Fonts;
import dev.pitwall.ui.theme.ThemeChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.image.WritableImage;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import javafx.stage.Window;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.awaitility.Awaitility;

/** Pictures of what lies over the pages: search, readings, connections, messages. */
@OneWindow
class OverlayPictureTest {

    private final Path folder = Path.of("target", "pictures");
    private final PatientRobot robot = new PatientRobot();

    @Test
    void searchReadingsConnectionsAndMessagesAreDrawn() throws Exception {
        FxToolkit.registerPrimaryStage();
        SampleRest rest = new SampleRest(SampleSite.view());
        rest.save(SampleSite.SITE);
        try (UiThread ui = new UiThread()) {
            Stage[] stage = new Stage[1];
            Workbench[] bench = new Workbench[1];
            robot.interact(() -> {
                Fonts.load();
                Appearance appearance = new Appearance(ThemeChoice.DARK);
                rest.set("theme", "DARK");
                bench[0] = new Workbench(ui, appearance, FilePicker.NOBODY);
                Scene scene = new Scene(bench[0].root(), 1000, 700);
                appearance.dress(scene);
                stage[0] = new Stage();
                stage[0].setScene(scene);
                stage[0].show();
                bench[0].attach(rest.dependencies());
            });
            Awaitility.await().until(() -> robot.lookup(".tower").queryAll().size() >= 4);
            robot.push(KeyCode.CONTROL, KeyCode.K).write("gpu");
            take(stage[0], "search");
            robot.push(KeyCode.ESCAPE).clickOn("Failing");
            robot.interact(() -> robot.lookup(".wall").query().requestFocus());
            robot.push(KeyCode.UP).push(KeyCode.DOWN);
            take(stage[0], "garage-focus");
            robot.push(KeyCode.SPACE);
            takePopup("readings");
            robot.push(KeyCode.ESCAPE).clickOn(".dots");
            takePopup("connections");
            robot.push(KeyCode.ESCAPE).push(KeyCode.F5);
            take(stage[0], "notice");
            robot.interact(() -> {
                bench[0].close();
                stage[0].hide();
            });
        }
        assertThat(Files.size(folder.resolve("search.png"))).isGreaterThan(20_000);
    }

    private void take(Stage stage, String name) throws IOException {
        WritableImage[] image = new WritableImage[1];
        robot.interact(() -> image[0] = stage.getScene().snapshot(null));
        PngFile.write(image[0], folder.resolve(name + ".png"));
    }

    private void takePopup(String name) throws IOException {
        Awaitility.await().until(() -> Window.getWindows().size() > 1);
        WritableImage[] image = new WritableImage[1];
        robot.interact(() -> {
            Node root = Window.getWindows().getLast().getScene().getRoot();
            root.applyCss();
            image[0] = root.snapshot(null, null);
        });
        PngFile.write(image[0], folder.resolve(name + ".png"));
    }
}
