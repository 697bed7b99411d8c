package dev.pitwall;

import static dev.pitwall.ui.TestWindow.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.ProviderView.State;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabEndpoint;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.ui.OneWindow;
import dev.pitwall.ui.PatientRobot;
import dev.pitwall.ui.TestWindow;
import dev.pitwall.ui.UiDependencies;
import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.theme.ThemeChoice;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.scene.Node;
import javafx.scene.control.Labeled;
import javafx.scene.input.MouseButton;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Board of the real window, as it is wired, at the lab's model servers. */
@OneWindow
class BoardOnLabTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final ModelName MODEL = new ModelName("llama3.2:3b");
    private static final ProviderId SERVER = new ProviderId("ollama-c");
    private static final String NODE = "rke2-worker-dc3-gpu-a";

    @TempDir
    private Path dir;

    @Test
    void aModelDraggedToACardIsLoadedByItsServerAndDraggedBackIsUnloaded() throws Exception {
        // Slow enough that the server does not unload by itself what nobody uses.
        try (Lab lab = Lab.start(LabOptions.garage(dir).withSpeed(4)); Wiring wiring = new Wiring()) {
            UiDependencies rest = new WindowParts(wiring)
                    .dependencies(Optional.of(wiring.site(lab.siteFile().toString())), SecondFactor.NONE);
            try (TestWindow window = TestWindow.open(ThemeChoice.DARK, FilePicker.NOBODY); HttpClient http = HttpClient.newHttpClient()) {
                window.attach(rest);
                thereAndBack(window, http, lab.endpoints().stream().filter(e -> e.name().equals(SERVER.text()))
                        .map(LabEndpoint::uri).findFirst().orElseThrow());
            } finally {
                rest.close().run();
            }
        }
    }

    private static void thereAndBack(TestWindow window, HttpClient http, URI server) throws Exception {
        PatientRobot robot = window.robot();
        await().atMost(LONG).until(() -> !robot.lookup(".tower").queryAll().isEmpty());
        robot.interact(() -> window.bench().desk().shell().go(Page.BOARD));
        await().atMost(LONG).until(() -> shelf(robot).isPresent() && card(robot).isPresent());
        assertThat(loaded(http, server)).doesNotContain(MODEL.text());

        lift(robot, shelf(robot).orElseThrow());
        robot.moveTo(card(robot).orElseThrow()).moveBy(2, 2);
        await().atMost(LONG).until(() -> fits(robot));
        robot.release(MouseButton.PRIMARY);
        await().atMost(LONG).until(() -> isReady(window));
        assertThat(loaded(http, server)).contains(MODEL.text());

        await().atMost(LONG).until(() -> row(robot).isPresent());
        lift(robot, row(robot).orElseThrow());
        robot.moveTo(robot.lookup(".shelf").<Node>query()).moveBy(2, 2);
        robot.release(MouseButton.PRIMARY);
        await().atMost(LONG).until(() -> !loaded(http, server).contains(MODEL.text()));
        // The server may be quicker than the window's next view.
        await().atMost(LONG).untilAsserted(() -> assertThat(wall(window).flatMap(v -> v.log().stream()).flatMap(e -> e.wish().stream()))
                .as("it went because it was dragged").contains(new Wish.Evict(new PlacementId(SERVER, MODEL))));
    }

    private static void lift(PatientRobot robot, Node from) {
        robot.moveTo(from).press(MouseButton.PRIMARY).moveBy(8, 3).moveBy(8, 3);
    }

    private static Optional<Node> shelf(PatientRobot robot) {
        return robot.lookup(".shelf-cell").queryAll().stream().filter(c -> c.isVisible() && is(c, "model")
                && robot.from(c).lookup(".shelf-name").queryAllAs(Labeled.class).stream().anyMatch(l -> l.getText().equals(MODEL.text()))).findFirst();
    }

    private static Optional<Node> card(PatientRobot robot) {
        return robot.lookup(".card-column").queryAll().stream().filter(c -> c.isVisible() && c.getAccessibleText().contains(NODE)).findFirst();
    }

    private static Optional<Node> row(PatientRobot robot) {
        return card(robot).flatMap(card -> robot.from(card).lookup(".placement").queryAll().stream()
                .filter(r -> r.isVisible() && r.getAccessibleText().contains(MODEL.text())).findFirst());
    }

    private static boolean fits(PatientRobot robot) {
        return robot.lookup(".answer").queryAll().stream().anyMatch(a -> a.isVisible() && is(a, "target") && !is(a, "refused"));
    }

    private static boolean is(Node node, String pseudo) {
        return node.getPseudoClassStates().stream().anyMatch(s -> s.getPseudoClassName().equals(pseudo));
    }

    private static Stream<WallView> wall(TestWindow window) {
        return window.bench().wall().stream();
    }

    private static boolean isReady(TestWindow window) {
        return wall(window).flatMap(v -> v.provider(SERVER).flatMap(p -> p.placement(MODEL)).stream()).anyMatch(p -> switch (p.state()) {
            case State.Idle _, State.Busy _ -> true;
            case State.Asked _, State.Loading _, State.Unloading _, State.Failed _, State.Lost _ -> false;
        });
    }

    /** What the server itself says is loaded. */
    private static String loaded(HttpClient http, URI server) throws Exception {
        return http.send(HttpRequest.newBuilder(server.resolve("/api/ps")).build(), HttpResponse.BodyHandlers.ofString()).body();
    }
}
