package dev.pitwall.ui.doctor;

import dev.pitwall.card.Trouble;
import dev.pitwall.doctor.evidence.Evidence;
import dev.pitwall.doctor.evidence.PastedEvidence;
import dev.pitwall.doctor.evidence.SavedEvidence;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.ui.SavedFile;
import dev.pitwall.ui.change.AskDialog;
import dev.pitwall.ui.doctor.DoctorPage.Activity;
import dev.pitwall.ui.doctor.DoctorPage.Body;
import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.page.EmptyState;
import dev.pitwall.ui.run.Answered;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.shell.KeyHint;
import dev.pitwall.ui.shell.OpenSite;
import dev.pitwall.ui.shell.OpenSites;
import dev.pitwall.ui.shell.Overlay;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.shell.PageContent;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.words.Texts;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.WeakHashMap;
import javafx.beans.value.ChangeListener;
import javafx.css.PseudoClass;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.Tooltip;
import javafx.scene.input.Clipboard;
import javafx.scene.input.DataFormat;
import javafx.scene.input.DragEvent;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.TransferMode;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** Names what keeps the cards of the site from being used, with the evidence and the fix. */
public final class DoctorController implements PageContent {

    /** Under this width of the page the evidence stands above the rest. */
    private static final double ROOMY = 1100;
    private static final PseudoClass NARROW = PseudoClass.getPseudoClass("narrow");
    private static final PseudoClass DROP = PseudoClass.getPseudoClass("drop");

    private final Desk desk;
    private final Texts texts;
    private final OpenSites sites;
    private final Rounds rounds;
    private final InstantSource clock;
    private final FilePicker picker;
    private final SavedFile saved;
    private final BorderPane node;
    private final FindingList list;
    private final FindingPane pane;
    private final Map<OpenSite, DoctorModel> models = new WeakHashMap<>();
    private final ChangeListener<DoctorPage> redraw = (_, _, next) -> draw(next);
    private final ChangeListener<Optional<RunRecord>> cured = (_, _, run) -> run.ifPresent(this::told);
    private Optional<DoctorModel> model = Optional.empty();
    private DoctorPage drawn = DoctorPage.NOTHING;

    @FXML private Label counts;
    @FXML private Button back;
    @FXML private Button paste;
    @FXML private MenuButton open;
    @FXML private MenuItem openFile;
    @FXML private MenuItem openFolder;
    @FXML private Button export;
    @FXML private Button diagnose;
    @FXML private ScrollPane listScroll;
    @FXML private MarkIcon footMark;
    @FXML private Label foot;
    @FXML private VBox messages;
    @FXML private StackPane place;
    @FXML private ScrollPane scroll;
    @FXML private VBox content;
    @FXML private HBox headLine;
    @FXML private MarkIcon mark;
    @FXML private Label where;
    @FXML private Label seen;
    @FXML private Label trap;
    @FXML private Label title;
    @FXML private Label text;
    @FXML private VBox columns;
    @FXML private HBox bar;
    @FXML private StackPane primaryPlace;
    @FXML private Button primary;
    @FXML private Button copyFix;
    @FXML private Button setup;
    @FXML private Button again;

    public DoctorController(Desk desk, OpenSites sites, Rounds rounds, InstantSource clock, FilePicker picker, SavedFile saved) {
        this.desk = desk;
        this.texts = desk.texts();
        this.sites = sites;
        this.rounds = rounds;
        this.clock = clock;
        this.picker = picker;
        this.saved = saved;
        this.node = Fxml.load("doctor", this, texts);
        this.list = new FindingList(id -> model.ifPresent(m -> m.choose(id)), texts.get("doctor.list"));
        this.pane = new FindingPane(new FindingPane.Parts(scroll, headLine, mark, where, seen, trap, title, text, columns,
                bar, primaryPlace, primary, copyFix, setup), texts, new Acts());
        connect();
        sites.currentProperty().addListener((_, _, site) -> show(Optional.ofNullable(site)));
        show(sites.current());
    }

    private void connect() {
        listScroll.setContent(list);
        messages.setVisible(false);
        back.setGraphic(new FontIcon(Feather.ARROW_LEFT));
        back.setOnAction(_ -> model.ifPresent(DoctorModel::back));
        paste.setOnAction(_ -> new PasteDialog(desk).ask(this::pasted));
        openFile.setOnAction(_ -> picker.pick(node.getScene().getWindow(), texts.get("doctor.open.title")).ifPresent(this::opened));
        openFolder.setOnAction(_ -> picker.pickFolder(node.getScene().getWindow(), texts.get("doctor.open.title"))
                .ifPresent(this::opened));
        export.setOnAction(_ -> export());
        export.setTooltip(new Tooltip(texts.get("doctor.export.tip")));
        export.setAccessibleText(texts.get("doctor.export"));
        diagnose.setOnAction(_ -> diagnose());
        again.setOnAction(_ -> lookAgain());
        list.addEventHandler(KeyEvent.KEY_PRESSED, this::keyPressed);
        node.setOnDragOver(this::dragged);
        node.setOnDragExited(_ -> node.pseudoClassStateChanged(DROP, false));
        node.setOnDragDropped(this::dropped);
        node.widthProperty().addListener((_, _, width) -> fit(width.doubleValue()));
    }

    private void show(Optional<OpenSite> site) {
        model.ifPresent(m -> {
            m.pageProperty().removeListener(redraw);
            m.curedProperty().removeListener(cured);
        });
        model = site.map(s -> models.computeIfAbsent(s, o -> new DoctorModel(texts, clock, rounds.care(o), o.work(),
                desk.ui()::after)));
        drawn = DoctorPage.NOTHING;
        model.ifPresent(m -> {
            m.pageProperty().addListener(redraw);
            m.curedProperty().addListener(cured);
            draw(m.pageProperty().get());
        });
    }

    @Override
    public Node node() {
        return node;
    }

    @Override
    public void shown() {
        model.ifPresent(DoctorModel::opened);
    }

    @Override
    public void show(Subject subject) {
        model.ifPresent(m -> m.opened(subject));
    }

    @Override
    public void draw() {
        model.ifPresent(DoctorModel::draw);
    }

    @Override
    public boolean settled() {
        return model.filter(DoctorModel::settled).isPresent();
    }

    @Override
    public Node firstFocus() {
        return list.getScene() != null ? list : Overlay.firstIn(node).orElse(node);
    }

    @Override
    public List<KeyHint> hints() {
        return List.of(new KeyHint(List.of("↑", "↓"), texts.get("keys.finding")), new KeyHint(List.of("Enter"), texts.get("keys.fix")),
                new KeyHint(List.of("C"), texts.get("keys.copy")), new KeyHint(List.of("F5"), texts.get("keys.again")));
    }

    /** Reads everything of the site again and judges it. */
    public void lookAgain() {
        model.ifPresent(DoctorModel::lookAgain);
    }

    private void diagnose() {
        switch (drawn.activity()) {
            case Activity.Idle _ -> lookAgain();
            case Activity.Looking _ -> model.ifPresent(DoctorModel::cancel);
        }
    }

    private void pasted(String pasted) {
        byte[] bytes = pasted.getBytes(StandardCharsets.UTF_8);
        String name = texts.get("doctor.pasted");
        judge(name, new PastedEvidence(name, () -> new ByteArrayInputStream(bytes)));
    }

    private void opened(Path path) {
        judge(Optional.ofNullable(path.getFileName()).orElse(path).toString(), new SavedEvidence(path));
    }

    private void judge(String name, Evidence evidence) {
        model.ifPresent(m -> m.judge(name, evidence));
        list.requestFocus();
    }

    private void dragged(DragEvent event) {
        if (event.getDragboard().hasFiles() || event.getDragboard().hasString()) {
            event.acceptTransferModes(TransferMode.COPY);
            node.pseudoClassStateChanged(DROP, true);
        }
        event.consume();
    }

    private void dropped(DragEvent event) {
        node.pseudoClassStateChanged(DROP, false);
        if (event.getDragboard().hasFiles()) {
            opened(event.getDragboard().getFiles().getFirst().toPath());
        } else if (event.getDragboard().hasString()) {
            pasted(event.getDragboard().getString());
        }
        event.setDropCompleted(true);
        event.consume();
    }

    private void export() {
        model.ifPresent(m -> m.report(answer -> {
            switch (answer) {
                case Answered.Got<String>(String report) -> new ReportDialog(desk).show(report, this::copy,
                        r -> saved.save(node, texts.get("doctor.report.save"), texts.get("doctor.report.name"), r));
                case Answered.Troubled<String>(Trouble trouble) -> desk.notices().trouble(trouble);
            }
        }));
    }

    private void keyPressed(KeyEvent event) {
        if (event.isShortcutDown() || event.isAltDown()) {
            return;
        }
        if (event.getCode() == KeyCode.ENTER) {
            (pane.canAct() ? primary : again).requestFocus();
            event.consume();
        } else if (event.getCode() == KeyCode.C) {
            pane.evidence().ifPresent(this::copy);
            event.consume();
        }
    }

    private void draw(DoctorPage page) {
        counts.setText(page.counts());
        back.setVisible(page.given().isPresent());
        back.setText(texts.get("doctor.back", sites.current().map(s -> s.site().name()).orElse("")));
        export.setDisable(page.foot().isEmpty());
        list.show(page.groups(), page.chosen());
        if (!page.chosen().equals(drawn.chosen())) {
            list.chosen().ifPresent(this::intoSight);
        }
        activity(page);
        if (!page.trouble().equals(drawn.trouble()) || !page.note().equals(drawn.note())) {
            messages(page);
        }
        body(page);
        again.setVisible(page.given().isEmpty());
        drawn = page;
    }

    private void activity(DoctorPage page) {
        switch (page.activity()) {
            case Activity.Idle _ -> {
                footMark.show(Mark.OK, OptionalDouble.empty());
                footMark.setVisible(!page.foot().isEmpty());
                foot.setText(page.foot());
                diagnose.setText(texts.get("doctor.diagnose"));
            }
            case Activity.Looking(String reading) -> {
                footMark.show(Mark.RING, OptionalDouble.empty());
                footMark.setVisible(true);
                foot.setText(reading.isEmpty() ? texts.get("doctor.reading") : texts.get("doctor.reading.source", reading));
                diagnose.setText(texts.get("doctor.cancel"));
            }
        }
        boolean idle = diagnose.getText().equals(texts.get("doctor.diagnose"));
        diagnose.setGraphic(new FontIcon(idle ? Feather.REFRESH_CW : Feather.SQUARE));
        foot.setTooltip(foot.getText().isEmpty() ? null : new Tooltip(foot.getText()));
    }

    private void messages(DoctorPage page) {
        messages.getChildren().clear();
        page.trouble().ifPresent(t -> messages.getChildren().add(pane.failure(t)));
        if (!page.note().isEmpty()) {
            messages.getChildren().add(pane.note(page.note()));
        }
        messages.setVisible(!messages.getChildren().isEmpty());
    }

    private void body(DoctorPage page) {
        switch (page.body()) {
            case Body.Shown(FindingView view) -> {
                if (!place.getChildren().contains(scroll)) {
                    place.getChildren().setAll(scroll);
                }
                pane.show(view);
            }
            case Body.Reading _ -> instead(page, new EmptyState(texts.get("doctor.first"), texts.get("doctor.first.text"),
                    texts.get("doctor.cancel"), this::diagnose));
            case Body.Empty(String sentence, String more) -> instead(page, new EmptyState(sentence, more,
                    page.given().isPresent() ? back.getText() : texts.get("doctor.again"),
                    () -> (page.given().isPresent() ? back : again).fire()));
        }
        bar.setVisible(page.body() instanceof Body.Shown);
    }

    private void instead(DoctorPage page, EmptyState state) {
        if (!page.body().equals(drawn.body()) || place.getChildren().contains(scroll)) {
            place.getChildren().setAll(state);
        }
    }

    private void intoSight(Node row) {
        double room = list.getHeight() - listScroll.getViewportBounds().getHeight();
        if (room <= 0) {
            return;
        }
        double top = row.getBoundsInParent().getMinY();
        double bottom = row.getBoundsInParent().getMaxY();
        double from = listScroll.getVvalue() * room;
        double seenUpTo = from + listScroll.getViewportBounds().getHeight();
        if (top < from) {
            listScroll.setVvalue(top / room);
        } else if (bottom > seenUpTo) {
            listScroll.setVvalue((bottom - listScroll.getViewportBounds().getHeight()) / room);
        }
    }

    private void told(RunRecord run) {
        desk.notices().tell(texts.get("doctor.run.done", run.number(), run.title()), texts.get("setup.journal"),
                () -> desk.shell().go(Page.JOURNAL));
    }

    private void copy(String what) {
        Clipboard.getSystemClipboard().setContent(Map.of(DataFormat.PLAIN_TEXT, what));
        desk.notices().tell(texts.get("notice.copied", what.lines().findFirst().orElse("")));
    }

    private void fit(double width) {
        boolean narrow = width > 0 && width < ROOMY;
        node.pseudoClassStateChanged(NARROW, narrow);
        export.setContentDisplay(narrow ? ContentDisplay.GRAPHIC_ONLY : ContentDisplay.LEFT);
        pane.wide(!narrow);
    }

    /** What the right side asks for. */
    private final class Acts implements FindingPane.Acts {
        @Override
        public void apply() {
            model.ifPresent(m -> m.question().ifPresentOrElse(q -> new AskDialog(desk).ask(q, m::apply), m::apply));
        }

        @Override
        public void stop() {
            model.ifPresent(DoctorModel::stop);
        }

        @Override
        public String commands() {
            return model.map(DoctorModel::commands).orElse("");
        }

        @Override
        public void setup(Subject subject) {
            desk.shell().go(Page.SETUP, subject);
        }

        @Override
        public void lookAgain() {
            DoctorController.this.lookAgain();
        }

        @Override
        public void retry() {
            model.ifPresent(DoctorModel::readFix);
        }

        @Override
        public void card(String id) {
            model.ifPresent(m -> m.chooseCard(id));
        }

        @Override
        public void copy(String what) {
            DoctorController.this.copy(what);
        }

        @Override
        public void journal() {
            desk.shell().go(Page.JOURNAL);
        }
    }
}
