package dev.pitwall.ui.settings;

import dev.pitwall.ui.Choosing;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.shell.PageContent;
import dev.pitwall.ui.shell.ShellModel;
import dev.pitwall.ui.theme.Density;
import dev.pitwall.ui.theme.ThemeChoice;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import javafx.fxml.FXML;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;

/** Theme, density, refresh; where things are kept; versions; the keys. A choice takes effect at once and is kept. */
public final class SettingsController implements PageContent {

    /** Keys and the end of their message key, in the order of the list. */
    private static final List<List<String>> KEYS = List.of(
            List.of("Ctrl+K", "search"), List.of("Ctrl+1 … 6", "rail"), List.of("F5", "read"),
            List.of("Ctrl+Z", "undo"), List.of("↑ ↓ ← →", "arrows"), List.of("Enter", "enter"),
            List.of("Space", "space"), List.of("C", "copy"), List.of("Menu", "menu"), List.of("Esc", "esc"));

    private final Desk desk;
    private final Texts texts;
    private final UserSettings settings;
    private final About about;
    private final BorderPane node;

    @FXML private Button back;
    @FXML private HBox theme;
    @FXML private HBox density;
    @FXML private HBox refresh;
    @FXML private HBox watch;
    @FXML private Label data;
    @FXML private Label secrets;
    @FXML private Label version;
    @FXML private Label java;
    @FXML private Label javafx;
    @FXML private VBox keys;

    public SettingsController(Desk desk, UserSettings settings, About about) {
        this.desk = desk;
        this.texts = desk.texts();
        this.settings = settings;
        this.about = about;
        this.node = Fxml.load("settings", this, texts);
    }

    @FXML
    private void initialize() {
        segment(theme, List.of(ThemeChoice.values()), settings.theme(),
                c -> texts.get("settings.theme." + c.name().toLowerCase(Locale.ROOT)), choice -> {
                    settings.theme(choice);
                    desk.appearance().choiceProperty().set(choice);
                });
        segment(density, List.of(Density.values()), settings.density(),
                d -> texts.get("settings.density." + d.name().toLowerCase(Locale.ROOT)), choice -> {
                    settings.density(choice);
                    desk.appearance().densityProperty().set(choice);
                });
        segment(refresh, UserSettings.REFRESH_CHOICES, (int) settings.refresh().toSeconds(),
                seconds -> texts.get("settings.refresh.seconds", seconds),
                seconds -> settings.refresh(Duration.ofSeconds(seconds)));
        segment(watch, UserSettings.WATCH_CHOICES, settings.watch().map(d -> (int) d.toSeconds()).orElse(0),
                seconds -> seconds == 0 ? texts.get("settings.watch.off") : Ages.span(Duration.ofSeconds(seconds)),
                settings::watch);
        data.setText(about.data().toString());
        secrets.setText(about.secrets());
        version.setText(about.version());
        java.setText(System.getProperty("java.vm.version"));
        javafx.setText(System.getProperty("javafx.runtime.version"));
        KEYS.forEach(k -> keys.getChildren().add(keyRow(k.get(0), texts.get("settings.key." + k.get(1)))));
        back.setOnAction(_ -> desk.shell().leaveSettings());
    }

    @Override
    public Node node() {
        return node;
    }

    @Override
    public void shown() {
        back.setVisible(desk.shell().phaseProperty().get() == ShellModel.Phase.FIRST_RUN);
    }

    private static <T> void segment(HBox place, List<T> choices, T chosen, Function<T, String> word,
                                    Consumer<T> choose) {
        ToggleGroup group = new ToggleGroup();
        for (T choice : choices) {
            ToggleButton part = new ToggleButton(word.apply(choice));
            part.getStyleClass().add("segment-part");
            part.setToggleGroup(group);
            part.setUserData(choice);
            part.setSelected(choice.equals(chosen));
            Choosing.whenChosen(part, () -> choose.accept(choice));
            place.getChildren().add(part);
        }
    }

    private static HBox keyRow(String key, String word) {
        Label cap = new Label(key);
        cap.getStyleClass().add("key");
        HBox caps = new HBox(cap);
        caps.setMinWidth(112);
        Label text = new Label(word);
        HBox row = new HBox(8, caps, text);
        row.setAlignment(Pos.CENTER_LEFT);
        return row;
    }
}
