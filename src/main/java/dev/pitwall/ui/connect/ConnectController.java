package dev.pitwall.ui.connect;

import dev.pitwall.site.Site;
import dev.pitwall.ui.Choosing;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.words.Texts;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import javafx.fxml.FXML;
import javafx.geometry.Insets;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** The dialog's frame: name, the five systems, what can be done next. The forms are panes of their own, made when shown. */
final class ConnectController {

    /** What happens around the dialog. */
    interface Ends {
        void close();

        void saved(Site site);

        void removed(Site site);
    }

    /** What of the window stays in sight around the dialog where it is small. */
    private static final double MARGIN = 16;

    private final Tools tools;
    private final Texts texts;
    private final ConnectModel model;
    private final Ends ends;
    private final Region node;
    private final Map<SystemKind, SystemRow> rows = new EnumMap<>(SystemKind.class);
    private final Map<SystemKind, SystemPane> panes = new EnumMap<>(SystemKind.class);

    @FXML private Label title;
    @FXML private TextField name;
    @FXML private Label nameTrouble;
    @FXML private Button close;
    @FXML private VBox systems;
    @FXML private ScrollPane scroll;
    @FXML private VBox form;
    @FXML private HBox footer;
    @FXML private HBox leftOut;
    @FXML private StackPane leftOutMark;
    @FXML private Label leftOutName;
    @FXML private Label leftOutText;
    @FXML private Button remove;
    @FXML private Button cancel;
    @FXML private Button without;
    @FXML private HBox withoutPlace;
    @FXML private Button act;
    @FXML private HBox actPlace;
    @FXML private HBox questionBar;
    @FXML private Label question;
    @FXML private Label questionText;
    @FXML private Button stay;
    @FXML private Button go;

    ConnectController(Tools tools, ConnectModel model, Ends ends) {
        this.tools = tools;
        this.texts = tools.texts();
        this.model = model;
        this.ends = ends;
        this.node = Fxml.load("connect", this, texts);
        StackPane.setMargin(node, new Insets(MARGIN));
        draw();
    }

    @FXML
    private void initialize() {
        title.setText(model.saved().isPresent() ? texts.get("connect.title.edit") : texts.get("connect.title"));
        name.textProperty().bindBidirectional(model.nameProperty());
        ToggleGroup group = new ToggleGroup();
        for (SystemKind kind : SystemKind.values()) {
            SystemRow row = new SystemRow(texts.get("connect.system." + kind.key()));
            row.setId("system-" + kind.key());
            row.setToggleGroup(group);
            Choosing.whenChosen(row, () -> model.choose(kind));
            rows.put(kind, row);
            systems.getChildren().add(row);
        }
        remove.setVisible(model.saved().filter(s -> !s.lab()).isPresent());
        close.setOnAction(_ -> leave());
        cancel.setOnAction(_ -> leave());
        without.setOnAction(_ -> model.save(ends::saved));
        act.setOnAction(_ -> model.act(ends::saved));
        remove.setOnAction(_ -> ask(ConnectModel.Question.REMOVE));
        stay.setOnAction(_ -> model.ask(ConnectModel.Question.NONE));
        go.setOnAction(_ -> answered());
        model.revisionProperty().addListener((_, _, _) -> draw());
    }

    Region node() {
        return node;
    }

    Node firstFocus() {
        return panes.get(model.chosen()).firstFocus();
    }

    /** Asked on Esc and on a click beside the dialog; a changed dialog asks first. */
    boolean mayClose() {
        if (model.question() != ConnectModel.Question.NONE) {
            model.ask(ConnectModel.Question.NONE);
            return false;
        }
        if (model.dirty()) {
            ask(ConnectModel.Question.DISCARD);
            return false;
        }
        return true;
    }

    private void leave() {
        if (mayClose()) {
            ends.close();
        }
    }

    private void ask(ConnectModel.Question asked) {
        model.ask(asked);
        stay.requestFocus();
    }

    private void answered() {
        switch (model.question()) {
            case DISCARD -> ends.close();
            case REMOVE -> model.removeSite(ends::removed);
            case NONE -> { }
        }
    }

    private void draw() {
        for (SystemKind kind : SystemKind.values()) {
            rows.get(kind).show(model.standing(kind), model.summary(kind), kind == model.chosen());
        }
        nameTrouble.setText(model.nameTrouble().filter(_ -> !model.place().isEmpty()).orElse(""));
        SystemPane pane = panes.computeIfAbsent(model.chosen(), this::pane);
        if (form.getChildren().isEmpty() || form.getChildren().getFirst() != pane.node()) {
            form.getChildren().setAll(pane.node());
            scroll.setVvalue(0);
        }
        pane.draw();
        drawFooter();
        drawQuestion();
    }

    private SystemPane pane(SystemKind kind) {
        return switch (kind) {
            case PROXMOX -> new ProxmoxPane(tools, model);
            case SSH -> new ShellPane(tools, model);
            case CLUSTER -> new ClusterPane(tools, model);
            case PROMETHEUS -> new MetricsPane(tools, model);
            case MODELS -> new ServersPane(tools, model);
        };
    }

    private void drawFooter() {
        Action action = model.action();
        act.setText(action.text());
        act.setGraphic(icon(action.kind()));
        disable(act, actPlace, action.why());
        disable(without, withoutPlace, model.whyNotWithout());
        model.failure().ifPresentOrElse(trouble -> foot(Mark.FAILING, trouble.sentence(), trouble.next()), () ->
                model.unsettled().filter(kind -> model.standing(kind) != Standing.TESTING).ifPresentOrElse(this::leavable,
                        () -> foot(Mark.MINUS, "", action.why())));
    }

    private void leavable(SystemKind kind) {
        foot(model.standing(kind).mark().orElse(Mark.MINUS), texts.get("connect.system." + kind.key()),
                texts.get("connect.without." + kind.key()));
    }

    private void foot(Mark mark, String name, String text) {
        MarkIcon icon = new MarkIcon();
        icon.show(mark, OptionalDouble.empty());
        leftOutMark.getChildren().setAll(icon);
        Marks.colour(leftOutMark, mark);
        leftOutMark.setVisible(!name.isEmpty());
        leftOutMark.setManaged(!name.isEmpty());
        leftOutName.setText(name);
        leftOutName.setManaged(!name.isEmpty());
        leftOutText.setText(text);
        leftOutText.setTooltip(text.isEmpty() ? null : new Tooltip(text));
        leftOut.setVisible(!text.isEmpty() || !name.isEmpty());
    }

    private static FontIcon icon(Action.Kind kind) {
        return new FontIcon(switch (kind) {
            case TRUST -> Feather.SHIELD;
            case TEST -> Feather.REFRESH_CW;
            case GO_ON -> Feather.ARROW_RIGHT;
            case SAVE -> Feather.CHECK;
        });
    }

    /** A disabled button says why; its place has the tooltip, since a disabled node gets no pointer. */
    private static void disable(Button button, HBox place, String why) {
        button.setDisable(!why.isEmpty());
        button.setAccessibleHelp(why);
        Object before = place.getProperties().put("why", why);
        if (!why.equals(before)) {
            Optional.ofNullable(place.getProperties().remove("tip")).ifPresent(t -> Tooltip.uninstall(place, (Tooltip) t));
            if (!why.isEmpty()) {
                Tooltip tip = new Tooltip(why);
                Tooltip.install(place, tip);
                place.getProperties().put("tip", tip);
            }
        }
    }

    private void drawQuestion() {
        boolean asks = model.question() != ConnectModel.Question.NONE;
        questionBar.setVisible(asks);
        footer.setVisible(!asks);
        switch (model.question()) {
            case NONE -> { }
            case DISCARD -> question(texts.get(model.saved().isPresent() ? "connect.discard.edit" : "connect.discard"),
                    texts.get("connect.discard.text"), texts.get("connect.discard.stay"),
                    texts.get("connect.discard.go"));
            case REMOVE -> {
                Site saved = model.saved().orElseThrow();
                question(texts.get("connect.remove.ask", saved.name()), texts.get("connect.remove.text",
                        saved.proxmox().size(), saved.shells().size(), model.place()),
                        texts.get("connect.remove.stay"), texts.get("connect.remove.go", saved.name()));
            }
        }
    }

    private void question(String what, String text, String no, String yes) {
        question.setText(what);
        questionText.setText(text);
        stay.setText(no);
        go.setText(yes);
    }
}
