package dev.pitwall;

import static dev.pitwall.ui.TestWindow.await;

import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.site.PracticeLab;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.ui.OneWindow;
import dev.pitwall.ui.PatientRobot;
import dev.pitwall.ui.TestWindow;
import dev.pitwall.ui.UiDependencies;
import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.theme.ThemeChoice;

import java.time.Duration;
import java.util.Optional;

import javafx.scene.Node;
import javafx.scene.control.ListView;
import javafx.scene.input.KeyCode;
import org.junit.jupiter.api.Test;

/** The Board of the real window, as it is wired, at the lab's model servers. */
@OneWindow
class BoardOnLabTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void aModelIsLiftedFromTheShelfOntoACardWhoseServerLoadsIt() throws Exception {
        try (Wiring wiring = new Wiring()) {
            PracticeLab.Running lab = wiring.labs().start("garage", 20);
            UiDependencies rest = new WindowParts(wiring).dependencies(Optional.of(lab.site()), SecondFactor.NONE);
            try (TestWindow window = TestWindow.open(ThemeChoice.DARK, FilePicker.NOBODY)) {
                window.attach(rest);
                loads(window);
            } finally {
                rest.close().run();
            }
        }
    }

    private static void loads(TestWindow window) {
        PatientRobot robot = window.robot();
        await().atMost(LONG).until(() -> !robot.lookup(".tower").queryAll().isEmpty());
        robot.interact(() -> window.bench().desk().shell().go(Page.BOARD));
        await().atMost(LONG).until(() -> robot.lookup(".shelf-cell").queryAll().stream().anyMatch(BoardOnLabTest::holdsModel));
        robot.interact(() -> robot.lookup("#models").queryListView().requestFocus());
        robot.interact(() -> firstModel(robot.lookup("#models").queryListView()));
        robot.push(KeyCode.M);
        // The first card that can take it.
        for (int i = 0; i < 3 && !fits(robot); i++) {
            robot.push(KeyCode.RIGHT);
        }
        long before = ready(window);
        robot.push(KeyCode.ENTER);
        await().atMost(LONG).until(() -> ready(window) > before);
    }

    private static boolean holdsModel(Node cell) {
        return cell.isVisible() && cell.getPseudoClassStates().stream().anyMatch(s -> s.getPseudoClassName().equals("model"));
    }

    /** The first line below "On disk". */
    private static void firstModel(ListView<?> models) {
        models.getSelectionModel().select(1);
    }

    private static boolean fits(PatientRobot robot) {
        return robot.lookup(".answer").queryAll().stream().anyMatch(a -> a.isVisible()
                && a.getPseudoClassStates().stream().anyMatch(s -> s.getPseudoClassName().equals("target"))
                && a.getPseudoClassStates().stream().noneMatch(s -> s.getPseudoClassName().equals("refused")));
    }

    private static long ready(TestWindow window) {
        return window.bench().wall().stream().flatMap((WallView v) -> v.providers().stream())
                .flatMap(p -> p.placements().stream()).filter(p -> isReady(p.state())).count();
    }

    private static boolean isReady(ProviderView.State state) {
        return switch (state) {
            case ProviderView.State.Idle _, ProviderView.State.Busy _ -> true;
            case ProviderView.State.Asked _, ProviderView.State.Loading _, ProviderView.State.Unloading _,
                    ProviderView.State.Failed _, ProviderView.State.Lost _ -> false;
        };
    }
}
