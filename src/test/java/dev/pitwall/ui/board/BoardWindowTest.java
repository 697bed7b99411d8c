package dev.pitwall.ui.board;

import static dev.pitwall.ui.TestWindow.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.engine.live.Mode;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.OneWindow;
import dev.pitwall.ui.PatientRobot;
import dev.pitwall.ui.SampleRest;
import dev.pitwall.ui.SampleSite;
import dev.pitwall.ui.TestWindow;
import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.theme.Motion;
import dev.pitwall.ui.theme.ThemeChoice;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import javafx.collections.ListChangeListener;
import javafx.event.Event;
import javafx.geometry.BoundingBox;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Region;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Drives the Board in the real window, with an engine in memory: by pointer, by keys, by menus. */
@OneWindow
class BoardWindowTest {

    private static final ProviderId FIRST = new ProviderId("ollama-gpu-a-0");
    private static final ProviderId SECOND = new ProviderId("ollama-gpu-a-1");
    private static final ProviderId THIRD = new ProviderId("ollama-gpu-b-0");

    private final SampleEngine engine = SampleEngine.picture();
    private final SampleRest rest = new SampleRest(SampleSite.view());
    private TestWindow window;
    private PatientRobot robot;

    @BeforeEach
    void open() throws Exception {
        rest.saved.add(SampleSite.SITE);
        rest.engines(_ -> Optional.of(engine));
        window = TestWindow.open(ThemeChoice.DARK, FilePicker.NOBODY);
        robot = window.robot();
        window.attach(rest.dependencies());
        await().until(() -> !robot.lookup(".tower").queryAll().isEmpty());
        robot.interact(() -> window.bench().desk().shell().go(Page.BOARD));
        await().until(() -> robot.lookup(".placement").queryAll().stream().filter(Node::isVisible).count() == 7);
    }

    @AfterEach
    void close() {
        window.close();
    }

    @Test
    void aModelIsDraggedFromTheShelfToACardThatNamesWhatHasToGo() {
        lift(shelf("qwen3:14b"));
        over(card(FIRST));
        await().until(() -> window.shows("Needs 2.7 GiB more: evicts mistral:7b (idle 41\u00a0min), about 9\u00a0s"));
        assertThat(shows("Does not fit, even empty")).as("every card answers").isTrue();
        assertThat(shows("Fits: 11.9 GiB free, about 8\u00a0s")).isTrue();
        assertThat(shows("evicted · idle 41 min")).as("the victim is marked where it sits").isTrue();
        assertThat(is(shelf("qwen3:14b"), "lifted")).isTrue();

        robot.release(MouseButton.PRIMARY);

        await().until(() -> engine.asked.equals(List.of(new Wish.Place(new ModelName("qwen3:14b"), FIRST))));
        await().until(() -> shows("loading 10 % · 8.0 s left"));
        assertThat(robot.lookup(".drag-image").queryAll()).isEmpty();
        assertThat(robot.lookup(".answer").queryAll().stream().anyMatch(Node::isVisible)).isFalse();
    }

    @Test
    void aModelIsDraggedBetweenCardsAndToTheShelf() {
        lift(row("qwen2.5vl:7b"));
        over(card(FIRST));
        robot.release(MouseButton.PRIMARY);
        await().until(() -> engine.asked.contains(new Wish.Move(at(THIRD, "qwen2.5vl:7b"), FIRST)));

        lift(row("bge-m3"));
        over(robot.lookup(".shelf").query());
        assertThat(is(robot.lookup(".shelf").query(), "target")).isTrue();
        robot.release(MouseButton.PRIMARY);
        await().until(() -> engine.asked.contains(new Wish.Evict(at(SECOND, "bge-m3"))));
        assertThat(is(robot.lookup(".shelf").query(), "target")).isFalse();
    }

    @Test
    void severalAreChosenWithShiftAndControlAndDraggedTogether() {
        robot.clickOn(row("mistral:7b"));
        clickWith(KeyCode.SHIFT, "qwen2.5-coder:3b");
        for (String model : List.of("bge-m3", "llama3.1:8b", "llama3.1:8b")) {
            clickWith(KeyCode.CONTROL, model);
        }
        await().until(() -> chosen().equals(Set.of("mistral:7b", "qwen2.5-coder:3b", "bge-m3")));

        lift(row("qwen2.5-coder:3b"));
        over(card(THIRD));
        assertThat(robot.from(robot.lookup(".drag-image").<Node>query()).lookup(".placement-name").<Node>query().getAccessibleText())
                .as("beside the pointer").isEqualTo("qwen2.5-coder:3b and 2 more");
        assertThat(is(row("bge-m3"), "lifted")).isTrue();
        robot.release(MouseButton.PRIMARY);

        await().until(() -> engine.asked.contains(new Wish.All(List.of(new Wish.Move(at(FIRST, "qwen2.5-coder:3b"), THIRD),
                new Wish.Move(at(FIRST, "mistral:7b"), THIRD), new Wish.Move(at(SECOND, "bge-m3"), THIRD)))));
    }

    @Test
    void aRefusedDropChangesNothingAndSaysWhyAndEscapePutsBack() {
        lift(shelf("qwen3:32b"));
        over(card(SECOND));
        robot.push(KeyCode.ESCAPE);
        robot.release(MouseButton.PRIMARY);
        assertThat(engine.asked).as("Esc puts it back").isEmpty();
        assertThat(robot.lookup(".drag-image").queryAll()).isEmpty();

        lift(shelf("qwen3:32b"));
        over(card(SECOND));
        robot.release(MouseButton.PRIMARY);
        await().until(() -> !robot.lookup(".notification").queryAll().isEmpty());
        assertThat(engine.view().provider(SECOND).orElseThrow().placements()).hasSize(2);
    }

    @Test
    void theKeyboardDoesAllThatThePointerDoes() {
        robot.interact(() -> window.bench().desk().shell().go(Page.GARAGE));
        robot.push(KeyCode.CONTROL, KeyCode.DIGIT3).push(KeyCode.DOWN);
        robot.push(KeyCode.P);
        await().until(() -> engine.asked.contains(new Wish.Pin(at(FIRST, "mistral:7b"))));
        robot.push(KeyCode.H);
        await().until(() -> engine.asked.contains(new Wish.Hold(FIRST, Optional.empty())));
        await().until(() -> shows("Held"));
        robot.push(KeyCode.H).push(KeyCode.M);
        await().until(() -> shows("It is here"));
        robot.push(KeyCode.RIGHT).push(KeyCode.RIGHT);
        await().until(() -> is(card(THIRD), "target"));
        robot.push(KeyCode.ENTER);
        await().until(() -> engine.asked.contains(new Wish.Move(at(FIRST, "mistral:7b"), THIRD)));
        robot.push(KeyCode.UP).push(KeyCode.DOWN).push(KeyCode.DOWN).push(KeyCode.DELETE);
        await().until(() -> engine.asked.getLast() instanceof Wish.Evict);
    }

    @Test
    void aModelOfTheShelfIsLiftedByKeyAndComesDownWhereTheArrowsSay() {
        robot.interact(() -> {
            ListView<?> models = robot.lookup("#models").queryListView();
            models.requestFocus();
            models.getSelectionModel().select(1);
        });
        robot.push(KeyCode.M);
        await().until(() -> is(card(FIRST), "target"));
        robot.push(KeyCode.RIGHT).push(KeyCode.RIGHT).push(KeyCode.ENTER);
        await().until(() -> engine.asked.contains(new Wish.Place(new ModelName("qwen3:14b"), THIRD)));
    }

    @Test
    void severalAreChosenAndEvictedTogetherAndWorkIsBrokenOffOnlyAfterAQuestion() {
        robot.clickOn(row("llama3.1:8b"));
        robot.push(KeyCode.DOWN).push(KeyCode.SPACE).push(KeyCode.DELETE);
        await().until(() -> shows("This breaks off work"));
        assertThat(shows("Evict mistral:7b and 1 more")).isTrue();
        assertThat(engine.asked).isEmpty();
        window.pressDanger();
        await().until(() -> engine.asked.stream().anyMatch(w -> w instanceof Wish.All(var all) && all.size() == 2));
    }

    @Test
    void buttonsCancelEvictPinAndUndoAndTheModeIsSwitched() {
        fire(row("gemma3:4b"), "Cancel the load");
        await().until(() -> engine.asked.contains(new Wish.Cancel(at(SECOND, "gemma3:4b"))));
        fire(row("gpt-oss:20b"), "Unpin");
        await().until(() -> engine.asked.contains(new Wish.Unpin(at(THIRD, "gpt-oss:20b"))));
        window.press("Manual");
        await().until(() -> engine.view().mode() == Mode.MANUAL);
        robot.moveTo(row("mistral:7b"));
        fire(row("mistral:7b"), "Pin");
        robot.clickOn("#whyLine");
        window.press("Undo");
        await().until(() -> engine.asked.getLast().equals(new Wish.Unpin(at(FIRST, "mistral:7b"))));
    }

    @Test
    void menusLeadToTheSameByName() {
        robot.rightClickOn(row("qwen2.5vl:7b"));
        robot.clickOn("Move to…");
        await().until(() -> shows("Move qwen2.5vl:7b to…"));
        window.click("gpu-a · card 0 RTX 4090");
        window.press("Move qwen2.5vl:7b");
        await().until(() -> engine.asked.contains(new Wish.Move(at(THIRD, "qwen2.5vl:7b"), FIRST)));
        window.press("Pull…");
        robot.interact(() -> robot.lookup("#pull-model").queryAs(TextField.class).setText("phi4-mini:3b"));
        window.press("Pull");
        await().until(() -> engine.asked.contains(new Wish.Pull(new ModelName("phi4-mini:3b"), FIRST)));
        await().until(() -> window.enabled("Stop"));
        window.press("Stop");
        await().until(() -> window.enabled("Resume"));
    }

    @Test
    void curvesOfTheLastHourStandInTheHeadAndLongerOnesInADialog() {
        await().until(() -> robot.from(card(FIRST)).lookup(".sparkline").<Node>queryAll().stream()
                .anyMatch(n -> n.getAccessibleText() != null && n.getAccessibleText().matches("Utilisation: \\d+ % now, \\d+ to \\d+ in the last hour")));
        robot.interact(() -> robot.from(card(FIRST)).lookup((Node n) -> n instanceof Button b
                && "More for this card".equals(b.getAccessibleText())).queryButton().fire());
        robot.clickOn("Curves…");
        await().until(() -> shows("Tokens") && shows("not measured"));
        assertThat(robot.lookup(".figures-form .sparkline").<Node>queryAll()).hasSize(5)
                .allMatch(n -> n.getAccessibleText().endsWith("in the last hour"));
        window.click("1 month");
        await().until(() -> robot.lookup(".figures-form .sparkline").<Node>queryAll().stream()
                .allMatch(n -> n.getAccessibleText().endsWith("in the last 1 h")));
        window.press("Close");
        robot.rightClickOn(row("qwen2.5vl:7b"));
        robot.clickOn("How fast is it here?");
        await().until(() -> engine.asked.contains(new Wish.MeasureSpeed(at(THIRD, "qwen2.5vl:7b"))));
    }

    @Test
    void curvesOfTheFirstMinuteFillTheirAxisAndSayItAndMeasuredSpeedsStandBelow() {
        engine.figures = SampleFigures.newest(SampleEngine.NOW, 7);
        engine.change(_ -> SampleWall.measured());
        robot.interact(() -> robot.from(card(FIRST)).lookup((Node n) -> n instanceof Button b
                && "More for this card".equals(b.getAccessibleText())).queryButton().fire());
        robot.clickOn("Curves…");
        await().until(() -> shows("Nothing older was measured yet: the curves show the last 2 min."));
        assertThat(shows("2 min ago")).isTrue();
        assertThat(robot.lookup(".figures-form .sparkline").<Node>queryAll().stream()
                .filter(n -> n.getAccessibleText().endsWith("in the last 2 min")).count()).isEqualTo(5);
        assertThat(shows("31")).isTrue();
        assertThat(shows("4.1 · 7.6 times slower")).isTrue();
        assertThat(robot.lookup(".speed-here").queryAll()).hasSize(2);
        assertThat(robot.lookup(".speed-processor").queryAll()).hasSize(1);
        window.press("Close");
    }

    @Test
    void aRowMovesToItsNewPlaceUnlessLessMotionIsWanted() {
        double before = row("qwen2.5-coder:3b").getLayoutY();
        robot.interact(() -> {
            PlacementRow row = (PlacementRow) row("qwen2.5-coder:3b");
            row.place(0, before - 64, 200, 56, Motion.FULL);
            assertThat(row.getTranslateY()).as("seen where it was").isEqualTo(64);
            row.place(0, before - 128, 200, 56, Motion.NONE);
            assertThat(row.getTranslateY()).as("there at once").isZero();
        });
        engine.ask(new Wish.Evict(at(FIRST, "mistral:7b")));
        await().until(() -> row("qwen2.5-coder:3b").getLayoutY() == before - 64 && row("qwen2.5-coder:3b").getTranslateY() == 0);
    }

    @Test
    void aModelThatComesToACardFliesThereAndLeavesNothingBehind() {
        Pane layer = robot.lookup(".drag-layer").queryAs(Pane.class);
        List<Node> flown = new CopyOnWriteArrayList<>();
        robot.interact(() -> layer.getChildren().addListener((ListChangeListener<Node>) change -> {
            while (change.next()) {
                change.getAddedSubList().stream().filter(n -> n.getStyleClass().contains("flying")).forEach(flown::add);
            }
        }));
        engine.ask(new Wish.Place(new ModelName("qwen3:14b"), THIRD));
        await().until(() -> flown.size() == 1 && layer.getChildren().isEmpty());

        for (int i = 0; i < 20; i++) {
            engine.ask(new Wish.Evict(at(SECOND, "bge-m3")));
            engine.ask(new Wish.Place(new ModelName("bge-m3"), SECOND));
            robot.interact(() -> { });
        }
        assertThat(layer.isMouseTransparent()).isTrue();
        await().until(() -> layer.getChildren().isEmpty());
    }

    @Test
    void nothingFliesWithLessMotionNorWithoutAPlaceToComeFrom() {
        ColumnLine first = ((ColumnCard) card(FIRST)).column().orElseThrow();
        ColumnLine second = ((ColumnCard) card(SECOND)).column().orElseThrow();
        Pane layer = new Pane();
        Bounds somewhere = new BoundingBox(0, 0, 100, 50);
        robot.interact(() -> {
            Flights flights = new Flights(layer, _ -> Optional.of(somewhere), _ -> Optional.of(somewhere));
            flights.follow(List.of(first), Motion.FULL);
            assertThat(layer.getChildren()).as("the first look is no move").isEmpty();
            flights.follow(List.of(first, second), Motion.NONE);
            assertThat(layer.getChildren()).as("with less motion").isEmpty();
            flights.follow(List.of(first), Motion.FULL);
            flights.follow(List.of(first, second), Motion.FULL);
            assertThat(layer.getChildren()).hasSize(second.placements().size());
            flights.follow(List.of(first), Motion.FULL);
            assertThat(layer.getChildren()).as("where they flew to has gone").isEmpty();
            flights.follow(List.of(first, second), Motion.FULL);
            flights.clear();
            assertThat(layer.getChildren()).isEmpty();
            Flights unseen = new Flights(layer, _ -> Optional.empty(), _ -> Optional.empty());
            unseen.follow(List.of(first), Motion.FULL);
            unseen.follow(List.of(first, second), Motion.FULL);
            assertThat(layer.getChildren()).as("from out of sight").isEmpty();
        });
    }

    @Test
    void theBarsPartsGlideToTheirSizesUnlessLessMotionIsWanted() {
        Bar one = new Bar(100, List.of(new Bar.Part(Fill.FOREIGN, 20, Optional.empty())), 0);
        Bar two = new Bar(100, List.of(new Bar.Part(Fill.FOREIGN, 60, Optional.empty())), 0);
        robot.interact(() -> {
            VramBar bar = new VramBar();
            bar.show(one, Motion.NONE);
            assertThat(bar.seen()).as("there at once").isEqualTo(one);
            bar.show(two, Motion.FULL);
            assertThat(bar.seen()).as("begins where it was").isEqualTo(one);
            bar.settle();
            assertThat(bar.seen()).isEqualTo(two);
        });
        VramBar gliding = new VramBar();
        robot.interact(() -> {
            gliding.show(one, Motion.NONE);
            gliding.show(two, Motion.FULL);
        });
        await().until(() -> gliding.seen().equals(two));
    }

    @Test
    void allThatCanBeIsShownAndNothingIsShownAsNothing() {
        robot.interact(() -> window.bench().desk().shell().go(Page.GARAGE));
        engine.change(_ -> SampleWall.everything());
        robot.interact(() -> window.bench().desk().shell().go(Page.BOARD));
        await().until(() -> shows("Does not answer since 4 min") && shows("was busy 3 · 148 t/s"));
        assertThat(shows("Held until " + ColumnLines.time(SampleSite.NOW.plusSeconds(3600), SampleSite.NOW))).isTrue();
        await().until(() -> robot.lookup(".shelf-cell").queryAll().stream().map(ShelfCell.class::cast)
                .filter(c -> c.isVisible() && !c.isEmpty()).allMatch(c -> c.getHeight() >= ((Region) c.getGraphic()).prefHeight(-1) - 0.5));
        engine.change(v -> new WallView(v.at(), v.mode(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of()));
        await().until(() -> shows("No model server bound"));
        engine.change(_ -> SampleWall.fleet(64, 1000, 0));
        await().until(() -> robot.lookup(".placement").queryAll().stream().filter(Node::isVisible).count() > 10);
        assertThat(robot.lookup(".placement").queryAll()).as("only what is in sight has nodes").hasSizeLessThan(120);
    }

    private void lift(Node from) {
        robot.moveTo(from).press(MouseButton.PRIMARY).moveBy(8, 3).moveBy(8, 3);
    }

    private void over(Node place) {
        robot.moveTo(place).moveBy(2, 2);
    }

    private boolean shows(String text) {
        return window.shows(text);
    }

    private static boolean is(Node node, String pseudo) {
        return node.getPseudoClassStates().stream().anyMatch(s -> s.getPseudoClassName().equals(pseudo));
    }

    private Node card(ProviderId id) {
        return robot.lookup((Node n) -> n instanceof ColumnCard c && n.isVisible() && c.column().filter(l -> l.id().equals(id)).isPresent()).query();
    }

    private Node row(String model) {
        return robot.lookup((Node n) -> n instanceof PlacementRow r && n.isVisible()
                && r.line().filter(l -> l.name().equals(model)).isPresent()).query();
    }

    /** The clicks of JavaFX's headless robot do not know of keys that are held; those of a real window do. */
    private void clickWith(KeyCode key, String model) {
        if (!"Headless".equals(System.getProperty("glass.platform"))) {
            robot.press(key);
            robot.clickOn(row(model));
            robot.release(key);
            return;
        }
        robot.interact(() -> List.of(MouseEvent.MOUSE_PRESSED, MouseEvent.MOUSE_RELEASED).forEach(type -> Event.fireEvent(row(model),
                new MouseEvent(type, 0, 0, 0, 0, MouseButton.PRIMARY, 1, key == KeyCode.SHIFT, key == KeyCode.CONTROL, false, false,
                        type == MouseEvent.MOUSE_PRESSED, false, false, true, false, true, null))));
    }

    private Set<String> chosen() {
        return robot.lookup((Node n) -> n instanceof PlacementRow && n.isVisible() && is(n, "chosen")).queryAllAs(PlacementRow.class)
                .stream().map(r -> r.line().orElseThrow().name()).collect(Collectors.toSet());
    }

    private Node shelf(String model) {
        return robot.lookup((Node n) -> n instanceof ShelfCell c && c.getItem() instanceof ShelfLine.OnDisk d
                && d.name().text().equals(model)).query();
    }

    private void fire(Node row, String spoken) {
        robot.interact(() -> robot.from(row).lookup((Node n) -> n instanceof Button b
                && spoken.equals(b.getAccessibleText().split(":")[0])).queryButton().fire());
    }

    private static PlacementId at(ProviderId provider, String model) {
        return new PlacementId(provider, new ModelName(model));
    }
}
