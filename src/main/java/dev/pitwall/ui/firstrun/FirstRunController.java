package dev.pitwall.ui.firstrun;

import dev.pitwall.site.PracticeLab;
import dev.pitwall.ui.icon.Ring;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.shell.PageContent;
import dev.pitwall.ui.words.Texts;
import javafx.css.PseudoClass;
import javafx.fxml.FXML;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.RadioButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** The first screen: one decision, and what the first half hour holds. */
public final class FirstRunController implements PageContent {

    private static final PseudoClass CHOSEN = PseudoClass.getPseudoClass("chosen");
    private static final double ROOMY = 1200;

    /** Steps of the half hour: what this version holds. */
    private static final int STEPS = 7;

    private final Desk desk;
    private final Texts texts;
    private final FirstRunModel model;
    private final FilePicker picker;
    private final Runnable addSite;
    private final HBox node;
    private final ToggleGroup sceneGroup = new ToggleGroup();

    @FXML private Region choices;
    @FXML private VBox half;
    @FXML private VBox labPanel;
    @FXML private VBox ownPanel;
    @FXML private RadioButton lab;
    @FXML private RadioButton own;
    @FXML private VBox scenes;
    @FXML private Button start;
    @FXML private Button open;
    @FXML private HBox failure;
    @FXML private Label failed;
    @FXML private Label next;
    @FXML private Label promise;
    @FXML private VBox steps;

    public FirstRunController(Desk desk, FirstRunModel model, FilePicker picker, Runnable addSite) {
        this.desk = desk;
        this.texts = desk.texts();
        this.model = model;
        this.picker = picker;
        this.addSite = addSite;
        this.node = Fxml.load("first-run", this, texts);
        node.widthProperty().addListener((_, _, width) -> fit(width.doubleValue()));
    }

    @FXML
    private void initialize() {
        ToggleGroup group = new ToggleGroup();
        lab.setToggleGroup(group);
        own.setToggleGroup(group);
        lab.setSelected(true);
        group.selectedToggleProperty().addListener((_, _, chosen) -> model.choiceProperty()
                .set(chosen == own ? FirstRunModel.Choice.OWN_HOSTS : FirstRunModel.Choice.LAB));
        labPanel.addEventHandler(MouseEvent.MOUSE_CLICKED, _ -> lab.setSelected(true));
        ownPanel.addEventHandler(MouseEvent.MOUSE_CLICKED, _ -> own.setSelected(true));
        buildScenes();
        for (int i = 1; i <= STEPS; i++) {
            steps.getChildren().add(step(i));
        }
        start.setOnAction(_ -> start());
        open.setOnAction(_ -> openFile());
        model.choiceProperty().addListener((_, _, _) -> showChoice());
        model.sceneProperty().addListener((_, _, _) -> showChoice());
        model.progressProperty().addListener((_, _, _) -> showProgress());
        showChoice();
        showProgress();
    }

    @Override
    public Node node() {
        return node;
    }

    @Override
    public Node firstFocus() {
        return start;
    }

    private void start() {
        switch (model.choiceProperty().get()) {
            case LAB -> model.startLab();
            case OWN_HOSTS -> addSite.run();
        }
    }

    private void openFile() {
        picker.pick(node.getScene().getWindow(), texts.get("firstrun.file.title")).ifPresent(model::openFile);
    }

    private void buildScenes() {
        for (PracticeLab.Scene scene : model.scenes()) {
            RadioButton radio = new RadioButton(scene.name());
            radio.getStyleClass().add("scene-name");
            radio.setToggleGroup(sceneGroup);
            radio.setUserData(scene.name());
            radio.setDisable(!scene.available());
            Label summary = new Label(scene.summary());
            summary.getStyleClass().add("scene-summary");
            summary.setWrapText(true);
            Region grow = new Region();
            HBox.setHgrow(grow, Priority.ALWAYS);
            Label later = new Label(scene.available() ? "" : texts.get("firstrun.later"));
            later.getStyleClass().add("small");
            later.setMinWidth(Region.USE_PREF_SIZE);
            HBox row = new HBox(radio, summary, grow, later);
            row.getStyleClass().add("scene");
            row.pseudoClassStateChanged(PseudoClass.getPseudoClass("unavailable"), !scene.available());
            if (scene.available()) {
                row.setOnMouseClicked(_ -> radio.setSelected(true));
            } else {
                Tooltip.install(row, new Tooltip(texts.get("firstrun.scene.why", scene.name())));
            }
            radio.setSelected(scene.name().equals(model.sceneProperty().get()));
            scenes.getChildren().add(row);
        }
        sceneGroup.selectedToggleProperty().addListener((_, _, chosen) -> {
            if (chosen != null) {
                model.sceneProperty().set(String.valueOf(chosen.getUserData()));
                lab.setSelected(true);
            }
        });
    }

    private void showChoice() {
        boolean inLab = model.choiceProperty().get() == FirstRunModel.Choice.LAB;
        labPanel.pseudoClassStateChanged(CHOSEN, inLab);
        showScene();
        ownPanel.pseudoClassStateChanged(CHOSEN, !inLab);
        promise.setText(texts.get("firstrun.promise", model.sceneProperty().get()));
        showProgress();
    }

    /** With own hosts no scene is chosen; a press on one means the lab. */
    private void showScene() {
        boolean inLab = model.choiceProperty().get() == FirstRunModel.Choice.LAB;
        sceneGroup.getToggles().forEach(toggle ->
                toggle.setSelected(inLab && model.sceneProperty().get().equals(toggle.getUserData())));
        for (int i = 0; i < model.scenes().size(); i++) {
            scenes.getChildren().get(i).pseudoClassStateChanged(CHOSEN,
                    inLab && model.scenes().get(i).name().equals(model.sceneProperty().get()));
        }
    }

    private void showProgress() {
        FirstRunModel.Progress progress = model.progressProperty().get();
        boolean inLab = model.choiceProperty().get() == FirstRunModel.Choice.LAB;
        boolean startable = !inLab || !model.sceneProperty().get().isEmpty();
        start.setDisable(!startable);
        open.setDisable(false);
        failure.setVisible(false);
        start.setText(texts.get(inLab ? "firstrun.start" : "firstrun.own.start"));
        start.setGraphic(new FontIcon(inLab ? Feather.PLAY : Feather.PLUS));
        switch (progress) {
            case FirstRunModel.Progress.Idle() -> { }
            case FirstRunModel.Progress.Starting(String what) -> {
                Ring ring = new Ring();
                ring.indeterminate();
                start.setGraphic(ring);
                start.setText(texts.get("firstrun.starting", what));
                start.setDisable(true);
                open.setDisable(true);
            }
            case FirstRunModel.Progress.Failed(var trouble) -> {
                failed.setText(trouble.sentence());
                next.setText(trouble.next());
                failure.setVisible(true);
            }
        }
    }

    private Node step(int number) {
        Label digit = new Label(Integer.toString(number));
        digit.getStyleClass().add("step-number");
        Region line = new Region();
        line.getStyleClass().add("step-line");
        line.setVisible(number < STEPS);
        StackPane left = new StackPane(line, digit);
        left.setAlignment(Pos.TOP_CENTER);
        Label title = new Label(texts.get("firstrun.step." + number));
        title.getStyleClass().add("step-title");
        title.setWrapText(true);
        Label text = new Label(texts.get("firstrun.step." + number + ".text"));
        text.getStyleClass().add("secondary");
        text.setWrapText(true);
        VBox words = new VBox(title, text);
        words.getStyleClass().add("step-words");
        HBox.setHgrow(words, Priority.ALWAYS);
        Label time = new Label(texts.get("firstrun.step." + number + ".time"));
        time.getStyleClass().add("age");
        time.setMinWidth(Region.USE_PREF_SIZE);
        HBox row = new HBox(12, left, words, time);
        row.getStyleClass().add("step");
        return row;
    }

    private void fit(double width) {
        boolean roomy = width >= ROOMY;
        node.pseudoClassStateChanged(PseudoClass.getPseudoClass("narrow"), !roomy);
        double side = roomy ? 440 : 320;
        half.setMinWidth(side);
        half.setMaxWidth(side);
        half.setPrefWidth(side);
    }
}
