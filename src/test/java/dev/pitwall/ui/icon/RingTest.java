package dev.pitwall.ui.icon;

import static dev.pitwall.ui.TestWindow.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.ui.OneWindow;
import dev.pitwall.ui.PatientRobot;
import java.util.concurrent.atomic.AtomicInteger;
import javafx.animation.AnimationTimer;
import javafx.scene.Scene;
import javafx.stage.Stage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;

@OneWindow
class RingTest {

    private final PatientRobot robot = new PatientRobot();
    private final AtomicInteger turns = new AtomicInteger();
    private Ring ring;
    private Stage stage;

    @BeforeEach
    void open() throws Exception {
        FxToolkit.registerPrimaryStage();
        robot.interact(() -> {
            ring = new Ring();
            ring.rotateProperty().addListener((_, _, _) -> turns.incrementAndGet());
            stage = new Stage();
            stage.setScene(new Scene(ring, 100, 100));
        });
    }

    @Test
    void turnsOnlyInAWindowThatIsShown() {
        robot.interact(() -> ring.indeterminate());
        pulses(3);
        assertThat(turns).as("in no window yet").hasValue(0);

        robot.interact(() -> stage.show());
        await().until(() -> turns.get() > 3);

        robot.interact(() -> stage.hide());
        turns.set(0);
        pulses(3);
        assertThat(turns).as("after the window was closed").hasValue(0);

        robot.interact(() -> stage.show());
        await().until(() -> turns.get() > 3);
        robot.interact(() -> stage.hide());
    }

    /** Waits until whatever moves has moved that often. */
    private void pulses(int wanted) {
        AtomicInteger seen = new AtomicInteger();
        AnimationTimer timer = new AnimationTimer() {
            @Override
            public void handle(long now) {
                seen.incrementAndGet();
            }
        };
        robot.interact(timer::start);
        await().until(() -> seen.get() >= wanted);
        robot.interact(timer::stop);
    }
}
