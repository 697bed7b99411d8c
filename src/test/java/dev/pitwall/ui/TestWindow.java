package dev.pitwall.ui;

import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.theme.Appearance;
import dev.pitwall.ui.theme.Fonts;
import dev.pitwall.ui.theme.ThemeChoice;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.ButtonBase;
import javafx.scene.control.Labeled;
import javafx.scene.control.ScrollPane;
import javafx.stage.Stage;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.testfx.api.FxToolkit;

/** The real window at its smallest size, on JavaFX's headless platform, and a person at it. */
public final class TestWindow implements AutoCloseable {

    private final PatientRobot robot = new PatientRobot();
    private final UiThread ui = new UiThread();
    private Stage stage;
    private Appearance appearance;
    private Workbench bench;

    private TestWindow() {
    }

    /** Opens it; nothing is behind it until {@link #attach}. */
    public static TestWindow open(ThemeChoice theme, FilePicker picker) throws TimeoutException {
        FxToolkit.registerPrimaryStage();
        TestWindow window = new TestWindow();
        window.robot.interact(() -> window.show(theme, picker));
        return window;
    }

    private void show(ThemeChoice theme, FilePicker picker) {
        Fonts.load();
        appearance = new Appearance(theme);
        bench = new Workbench(ui, appearance, picker);
        Scene scene = new Scene(bench.root(), 1000, 700);
        appearance.dress(scene);
        stage = new Stage();
        stage.setScene(scene);
        stage.show();
        stage.requestFocus();
    }

    public PatientRobot robot() {
        return robot;
    }

    public Workbench bench() {
        return bench;
    }

    public Stage stage() {
        return stage;
    }

    public Appearance appearance() {
        return appearance;
    }

    /** Gives it the rest of Pitwall. */
    public void attach(UiDependencies rest) {
        robot.interact(() -> bench.attach(rest));
    }

    /** Looks often: most answers are there at once. */
    public static ConditionFactory await() {
        return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(25));
    }

    /** What has exactly this text and is visible. */
    public Set<Labeled> text(String wanted) {
        return robot.lookup((Node n) -> switch (n) {
            case Labeled l -> wanted.equals(l.getText()) && n.isVisible();
            default -> false;
        }).queryAllAs(Labeled.class);
    }

    public boolean shows(String text) {
        return !text(text).isEmpty();
    }

    public Set<ButtonBase> buttons(String text) {
        return robot.lookup((Node n) -> switch (n) {
            case ButtonBase b -> text.equals(b.getText()) && b.isVisible();
            default -> false;
        }).queryAllAs(ButtonBase.class);
    }

    public boolean enabled(String button) {
        return buttons(button).stream().anyMatch(b -> !b.isDisabled());
    }

    public boolean disabled(String button) {
        return buttons(button).stream().anyMatch(ButtonBase::isDisabled);
    }

    /** Presses a button once it can be pressed, wherever it stands. */
    public void press(String button) {
        await().until(() -> enabled(button));
        robot.interact(() -> buttons(button).stream().filter(b -> !b.isDisabled()).findFirst().orElseThrow().fire());
    }

    /** Clicks what has this text once it is there; a part of the page that scrolls is scrolled to it. */
    public void click(String text) {
        await().until(() -> text(text).stream().anyMatch(l -> !l.isDisabled()));
        robot.interact(() -> text(text).stream().filter(l -> !l.isDisabled()).findFirst().ifPresent(TestWindow::intoSight));
        robot.clickOn((Node n) -> switch (n) {
            case Labeled l -> text.equals(l.getText()) && l.isVisible() && !l.isDisabled();
            default -> false;
        });
    }

    private static void intoSight(Node wanted) {
        for (Parent p = wanted.getParent(); p != null; p = p.getParent()) {
            switch (p) {
                case ScrollPane scroll -> {
                    Node content = scroll.getContent();
                    double room = content.getLayoutBounds().getHeight() - scroll.getViewportBounds().getHeight();
                    double middle = content.sceneToLocal(wanted.localToScene(wanted.getLayoutBounds())).getCenterY();
                    scroll.setVvalue(room <= 0 ? 0
                            : Math.clamp((middle - scroll.getViewportBounds().getHeight() / 2) / room, 0, 1));
                    scroll.layout();
                }
                default -> { }
            }
        }
    }

    /** Presses the button of a dialog that does what it asks about. */
    public void pressDanger() {
        await().until(() -> robot.lookup(".danger-fill").tryQuery().filter(n -> !n.isDisabled()).isPresent());
        robot.interact(() -> robot.lookup(".danger-fill").queryButton().fire());
    }

    @Override
    public void close() {
        robot.interact(() -> {
            bench.close();
            appearance.close();
            stage.hide();
        });
        ui.close();
    }
}
