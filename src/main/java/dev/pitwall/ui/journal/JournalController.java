package dev.pitwall.ui.journal;

import dev.pitwall.journey.RunRecord;
import dev.pitwall.ui.Choosing;
import dev.pitwall.ui.SavedFile;
import dev.pitwall.ui.change.AskDialog;
import dev.pitwall.ui.change.ChangePanel;
import dev.pitwall.ui.change.ChangeStack;
import dev.pitwall.ui.change.RiskChip;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.page.EmptyState;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.shell.KeyHint;
import dev.pitwall.ui.shell.OpenSite;
import dev.pitwall.ui.shell.OpenSites;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.shell.PageContent;
import dev.pitwall.ui.words.Texts;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.WeakHashMap;
import java.util.function.Function;
import javafx.beans.value.ChangeListener;
import javafx.css.PseudoClass;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.Label;
import javafx.scene.control.ListView;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.input.Clipboard;
import javafx.scene.input.DataFormat;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/** The record of every run, and what undo would do now. */
public final class JournalController implements PageContent {

    /** Under this width of the page the detail takes half of it. */
    private static final double ROOMY = 1200;
    private static final double DETAIL = 560;
    private static final PseudoClass NARROW = PseudoClass.getPseudoClass("narrow");

    private final Desk desk;
    private final Texts texts;
    private final OpenSites sites;
    private final InstantSource clock;
    private final SavedFile saved;
    private final BorderPane node;
    private final Map<OpenSite, JournalModel> models = new WeakHashMap<>();
    private final Map<RunFilter, RunFilterButton> filterButtons = new EnumMap<>(RunFilter.class);
    private final ChangeStack changeStack;
    private final ChangeStack undoStack;
    private final ChangeListener<JournalPage> redraw = (_, _, next) -> draw(next);
    private final Map<Node, Tooltip> tips = new HashMap<>();
    private JournalModel model;
    private JournalPage drawn = JournalPage.NOTHING;
    private boolean drawing;

    @FXML private HBox filters;
    @FXML private TextField filter;
    @FXML private StackPane exportPlace;
    @FXML private MenuButton export;
    @FXML private MenuItem csv;
    @FXML private MenuItem json;
    @FXML private StackPane body;
    @FXML private HBox columns;
    @FXML private HBox troubleLine;
    @FXML private Label trouble;
    @FXML private StackPane listPlace;
    @FXML private ListView<Entry> list;
    @FXML private BorderPane detail;
    @FXML private HBox headLine;
    @FXML private MarkIcon mark;
    @FXML private Label head;
    @FXML private Label byWhom;
    @FXML private Label times;
    @FXML private Label title;
    @FXML private Label placeLine;
    @FXML private Label counted;
    @FXML private VBox changes;
    @FXML private HBox noteLine;
    @FXML private MarkIcon noteMark;
    @FXML private Label note;
    @FXML private Label undoTitle;
    @FXML private Label undoWord;
    @FXML private StackPane undoChip;
    @FXML private VBox undoChanges;
    @FXML private StackPane undoPlace;
    @FXML private Button undo;
    @FXML private Button script;
    @FXML private Button setup;

    public JournalController(Desk desk, OpenSites sites, InstantSource clock, SavedFile saved) {
        this.desk = desk;
        this.texts = desk.texts();
        this.sites = sites;
        this.clock = clock;
        this.saved = saved;
        this.changeStack = new ChangeStack(ChangePanel.Folding.CLOSED, texts);
        this.undoStack = new ChangeStack(ChangePanel.Folding.CLOSED, texts);
        this.node = Fxml.load("journal", this, texts);
        connect();
        sites.currentProperty().addListener((_, _, site) -> show(Optional.ofNullable(site)));
        show(sites.current());
    }

    private void connect() {
        buildFilters();
        changes.getChildren().setAll(changeStack);
        undoChanges.getChildren().setAll(undoStack);
        list.setCellFactory(_ -> new RunCell(texts, new Rows()));
        list.getSelectionModel().selectedItemProperty().addListener((_, _, entry) -> chosen(entry));
        list.addEventFilter(KeyEvent.KEY_PRESSED, this::keyPressed);
        filter.textProperty().addListener((_, _, text) -> model.wantedProperty().set(text));
        undo.setOnAction(_ -> undo());
        script.setOnAction(_ -> copy(model.script()));
        setup.setOnAction(_ -> model.subject().ifPresentOrElse(s -> desk.shell().go(Page.SETUP, s),
                () -> desk.shell().go(Page.SETUP)));
        csv.setOnAction(_ -> save("csv", RunFile::csv));
        json.setOnAction(_ -> save("json", RunFile::json));
        node.widthProperty().addListener((_, _, width) -> fit(width.doubleValue()));
        troubleLine.setVisible(false);
        script.setTooltip(new Tooltip(script.getText()));
        script.setAccessibleText(script.getText());
    }

    private void buildFilters() {
        ToggleGroup group = new ToggleGroup();
        for (RunFilter f : RunFilter.values()) {
            RunFilterButton button = new RunFilterButton(f, texts);
            button.setToggleGroup(group);
            button.setSelected(f == RunFilter.ALL);
            Choosing.whenChosen(button, () -> model.filterProperty().set(f));
            filterButtons.put(f, button);
            filters.getChildren().add(button);
        }
    }

    private void show(Optional<OpenSite> site) {
        if (model != null) {
            model.pageProperty().removeListener(redraw);
        }
        model = site.map(s -> models.computeIfAbsent(s, o -> new JournalModel(texts, clock, ZoneId.systemDefault(), o.work())))
                .orElseGet(() -> new JournalModel(texts, clock, ZoneId.systemDefault(), Optional.empty()));
        model.pageProperty().addListener(redraw);
        model.filterProperty().addListener((_, _, f) -> filterButtons.get(f).setSelected(true));
        filterButtons.get(model.filterProperty().get()).setSelected(true);
        filter.setText(model.wantedProperty().get());
        model.wantedProperty().addListener((_, _, text) -> filter.setText(text));
        drawn = JournalPage.NOTHING;
        draw(model.pageProperty().get());
    }

    @Override
    public Node node() {
        return node;
    }

    @Override
    public void shown() {
        model.opened();
    }

    @Override
    public void draw() {
        model.tick();
    }

    @Override
    public boolean settled() {
        return model.settled();
    }

    @Override
    public Node firstFocus() {
        return list.getScene() != null && !list.getItems().isEmpty() ? list : PageContent.super.firstFocus();
    }

    @Override
    public List<KeyHint> hints() {
        return List.of(new KeyHint(List.of("↑", "↓"), texts.get("keys.run")),
                new KeyHint(List.of("Ctrl", "Z"), texts.get("keys.undo")));
    }

    /** Chooses the last run that can be taken back, as the undo key asks for. */
    public void offerUndo() {
        if (model.chooseLastUndoable()) {
            list.requestFocus();
        } else {
            desk.notices().tell(texts.get("notice.no-undo"));
        }
    }

    private void draw(JournalPage page) {
        drawing = true;
        page.counts().forEach((f, count) -> filterButtons.get(f).count(count));
        filterButtons.values().forEach(b -> b.setDisable(page.counts().getOrDefault(RunFilter.ALL, 0) == 0));
        boolean none = page.counts().getOrDefault(RunFilter.ALL, 0) == 0;
        filter.setDisable(none);
        export.setDisable(none || page.entries().isEmpty());
        tip(exportPlace, export.isDisabled() ? texts.get("journal.export.why") : "");
        if (!page.entries().equals(drawn.entries())) {
            list.getItems().setAll(page.entries());
        }
        select(page);
        emptiness(page);
        troubleLine.setVisible(page.trouble().isPresent());
        trouble.setText(page.trouble().map(t -> t.sentence() + " " + t.next()).orElse(""));
        detail.setVisible(page.detail().isPresent() && page.emptiness() != JournalPage.Emptiness.NO_WIZARD);
        if (!page.detail().equals(drawn.detail())) {
            page.detail().ifPresent(this::show);
        }
        drawn = page;
        drawing = false;
    }

    private void emptiness(JournalPage page) {
        if (page.emptiness() == drawn.emptiness() && !listPlace.getChildren().isEmpty() && drawn != JournalPage.NOTHING) {
            return;
        }
        Node wanted = switch (page.emptiness()) {
            case NONE -> list;
            case NO_RUNS -> new EmptyState(texts.get("journal.empty"), texts.get("journal.empty.text"),
                    texts.get("garage.set-up"), () -> desk.shell().go(Page.SETUP));
            case NO_WIZARD -> new EmptyState(texts.get("journal.empty"), texts.get("setup.no-wizard.text"),
                    texts.get("empty.garage"), () -> desk.shell().go(Page.GARAGE));
            case NOTHING_MATCHES -> new EmptyState(texts.get("journal.none"), "", texts.get("journal.show-all"), () -> {
                model.wantedProperty().set("");
                model.filterProperty().set(RunFilter.ALL);
            });
        };
        listPlace.getChildren().setAll(wanted);
    }

    private void select(JournalPage page) {
        for (int i = 0; i < page.entries().size(); i++) {
            if (page.entries().get(i) instanceof Entry.Run(RunLine line)
                    && model.chosen().filter(n -> n == line.number()).isPresent()) {
                list.getSelectionModel().clearAndSelect(i);
                return;
            }
        }
        list.getSelectionModel().clearSelection();
    }

    private void chosen(Entry entry) {
        if (!drawing && entry instanceof Entry.Run(RunLine line)) {
            model.choose(line.number());
        }
    }

    /** The heads of the days are no place to be. */
    private void keyPressed(KeyEvent event) {
        int step = event.getCode() == KeyCode.DOWN ? 1 : event.getCode() == KeyCode.UP ? -1 : 0;
        if (step == 0) {
            return;
        }
        event.consume();
        int place = list.getSelectionModel().getSelectedIndex() + step;
        while (place >= 0 && place < list.getItems().size()) {
            if (list.getItems().get(place) instanceof Entry.Run(RunLine line)) {
                model.choose(line.number());
                list.scrollTo(Math.max(0, place - 2));
                return;
            }
            place += step;
        }
    }

    private void show(RunDetail run) {
        mark.show(run.mark(), OptionalDouble.empty());
        tone(headLine, run.tone());
        head.setText(run.head());
        byWhom.setText(texts.get("journal.by", run.byWhom()));
        times.setText(run.times());
        title.setText(run.title());
        placeLine.setText(run.place());
        counted.setText(run.counted());
        if (changeStack.show(run.changes())) {
            changeStack.openFirst();
        }
        changes.setVisible(!run.changes().isEmpty());
        noteLine.setVisible(!run.note().isEmpty());
        note.setText(run.note());
        noteMark.show(run.mark() == Mark.OK ? Mark.OK : Mark.INFO, OptionalDouble.empty());
        tone(noteLine, run.mark() == Mark.OK ? "ok" : "grey");
        RunDetail.Undo plan = run.undo();
        undoTitle.setText(texts.get("change.undo-run", run.number()));
        undoWord.setText(plan.word());
        undoStack.show(plan.changes());
        undoChanges.setVisible(!plan.changes().isEmpty());
        undoChip.getChildren().clear();
        if (!plan.chip().isEmpty()) {
            undoChip.getChildren().add(new RiskChip(plan.severity(), plan.chip()));
        }
        undo.setText(plan.button());
        undo.setDisable(!plan.why().isEmpty());
        undo.setAccessibleHelp(plan.why());
        tip(undoPlace, plan.why());
        script.setDisable(run.changes().isEmpty());
    }

    private static void tone(Node place, String tone) {
        for (String t : List.of("ok", "failing", "waiting", "blocked", "grey")) {
            place.pseudoClassStateChanged(PseudoClass.getPseudoClass(t), t.equals(tone));
        }
    }

    private void tip(Node place, String text) {
        Tooltip before = tips.remove(place);
        if (before != null) {
            Tooltip.uninstall(place, before);
        }
        if (!text.isEmpty()) {
            Tooltip tip = new Tooltip(text);
            tips.put(place, tip);
            Tooltip.install(place, tip);
        }
    }

    private void undo() {
        model.undoQuestion().ifPresentOrElse(q -> new AskDialog(desk).ask(q, model::undo), model::undo);
    }

    private void copy(String text) {
        Clipboard.getSystemClipboard().setContent(Map.of(DataFormat.PLAIN_TEXT, text));
        desk.notices().tell(texts.get("notice.copied", text.lines().findFirst().orElse("")));
    }

    private void save(String ending, Function<List<RunRecord>, String> form) {
        saved.save(node, texts.get("journal.export"), "pitwall-journal." + ending, form.apply(model.shown()));
    }

    private void fit(double width) {
        boolean narrow = width > 0 && width < ROOMY;
        node.pseudoClassStateChanged(NARROW, narrow);
        double wanted = narrow ? Math.floor(width / 2) : DETAIL;
        detail.setMinWidth(wanted);
        detail.setPrefWidth(wanted);
        detail.setMaxWidth(wanted);
        // Beside a long name of what undo does there is room for its icon only.
        script.setContentDisplay(narrow ? ContentDisplay.GRAPHIC_ONLY : ContentDisplay.LEFT);
    }

    /** The buttons of the rows. */
    private final class Rows implements RunCell.Handler {
        @Override
        public void undo(long run) {
            model.choose(run);
            undo.requestFocus();
        }

        @Override
        public void stop() {
            model.stop();
        }
    }
}
