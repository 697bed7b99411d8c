package dev.pitwall.ui.setup;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Watcher;
import dev.pitwall.ui.SavedFile;
import dev.pitwall.ui.change.AskDialog;
import dev.pitwall.ui.change.Effects;
import dev.pitwall.ui.change.UndoDialog;
import dev.pitwall.ui.page.EmptyState;
import dev.pitwall.ui.page.TwoColumns;
import dev.pitwall.ui.run.SiteWork;
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
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import javafx.beans.value.ChangeListener;
import javafx.css.PseudoClass;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Label;
import javafx.scene.control.ListView;
import javafx.scene.control.MenuButton;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.Clipboard;
import javafx.scene.input.DataFormat;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** The Setup page: a card's steps at the left, one step at the right, the log below. */
public final class SetupController implements PageContent {

    /** Under this width of the right side its two columns stand one below the other. */
    private static final double TWO_COLUMNS = 820;
    private static final PseudoClass NARROW = PseudoClass.getPseudoClass("narrow");

    private final Desk desk;
    private final Texts texts;
    private final OpenSites sites;
    private final InstantSource clock;
    private final Map<OpenSite, SetupModel> models = new WeakHashMap<>();
    private final BorderPane node;
    private final StepList steps;
    private final InSight inSight;
    private final AscentPane ascents;
    private final StepPane step;
    private final ActionBar bar;
    private final CardChooser cardChooser;
    private final ExportMenu exports;
    private final LogPane logPane;
    private final ProofSection proof;
    private final OperandSection operands;
    private final ChangeListener<SetupPage> redraw = (_, _, next) -> draw(next);
    private SetupModel model;
    private SetupPage drawn = SetupPage.NOTHING;
    private Columns columns = Columns.UNKNOWN;

    /** How readings and changes stand. */
    private enum Columns { UNKNOWN, ONE, TWO }

    @FXML private VBox left;
    @FXML private StackPane chooser;
    @FXML private MenuButton cards;
    @FXML private Label cardName;
    @FXML private Label cardSize;
    @FXML private Label cardPlace;
    @FXML private ScrollPane stepScroll;
    @FXML private BorderPane right;
    @FXML private StackPane place;
    @FXML private ScrollPane scroll;
    @FXML private VBox content;
    @FXML private HBox crumbs;
    @FXML private Label number;
    @FXML private Label title;
    @FXML private Label text;
    @FXML private StackPane bannerPlace;
    @FXML private VBox proofHead;
    @FXML private VBox proofBody;
    @FXML private StackPane columnsPlace;
    @FXML private VBox foundColumn;
    @FXML private VBox changeColumn;
    @FXML private Label foundCount;
    @FXML private Button recheck;
    @FXML private VBox found;
    @FXML private VBox questions;
    @FXML private HBox changeHead;
    @FXML private Label counted;
    @FXML private StackPane exportPlace;
    @FXML private MenuButton export;
    @FXML private VBox changes;
    @FXML private Label nothing;
    @FXML private Label later;
    @FXML private VBox notes;
    @FXML private VBox bottom;
    @FXML private HBox actionLine;
    @FXML private HBox secondLine;
    @FXML private StackPane primaryPlace;
    @FXML private Button primary;
    @FXML private Button again;
    @FXML private Button saveReport;
    @FXML private StackPane byHandPlace;
    @FXML private Button byHand;
    @FXML private StackPane skipPlace;
    @FXML private Button skip;
    @FXML private StackPane undoPlace;
    @FXML private Button undo;
    @FXML private Label why;
    @FXML private StackPane othersPlace;
    @FXML private CheckBox others;
    @FXML private VBox drawer;
    @FXML private Label logWord;
    @FXML private ToggleButton follow;
    @FXML private Button fold;
    @FXML private ListView<Watcher.Line> log;

    public SetupController(Desk desk, OpenSites sites, InstantSource clock, SavedFile saved) {
        this.desk = desk;
        this.texts = desk.texts();
        this.sites = sites;
        this.clock = clock;
        this.node = Fxml.load("setup", this, texts);
        this.steps = new StepList(id -> model.chooseStep(id));
        stepScroll.setContent(steps);
        this.inSight = new InSight(stepScroll);
        this.ascents = new AscentPane(texts, this::together, this::walk);
        left.getChildren().add(ascents);
        this.step = new StepPane(new StepPane.Places(found, foundCount, questions, counted, changes, nothing, later, notes),
                texts,
                this::copy, (key, value) -> model.answer(key, value));
        this.bar = new ActionBar(new ActionBar.Parts(primaryPlace, primary, byHandPlace, byHand, skipPlace, skip,
                undoPlace, undo, othersPlace, others, why));
        this.logPane = new LogPane(new LogPane.Parts(drawer, log, follow, fold));
        this.cardChooser = new CardChooser(new CardChooser.Parts(chooser, cards, cardName, cardSize, cardPlace), texts,
                id -> model.choose(id));
        this.exports = new ExportMenu(exportPlace, export, texts, saved, () -> model.plan());
        this.proof = new ProofSection(new ProofSection.Parts(proofHead, proofBody, List.of(title, text, columnsPlace),
                List.of(skipPlace, undoPlace, othersPlace), byHand, again, saveReport, why), desk, clock, saved, new OfProof());
        this.operands = new OperandSection(changeColumn, List.of(changeHead, changes), nothing, texts);
        connect();
        follow();
    }

    private void connect() {
        recheck.setOnAction(_ -> model.lookAgain());
        primary.setOnAction(_ -> primary());
        byHand.setOnAction(_ -> copy(proof.hasByHand() ? proof.byHand() : model.byHand()));
        skip.setOnAction(_ -> new SkipDialog(desk).ask(title.getText(), reason -> model.skip(reason)));
        undo.setOnAction(_ -> model.undoable().ifPresent(run -> undo(run.number())));
        others.setOnAction(_ -> model.others(others.isSelected()));
        right.widthProperty().addListener((_, _, width) -> fit(width.doubleValue()));
        node.heightProperty().addListener((_, _, height) -> logPane.fit(height.doubleValue()));
        bannerPlace.setVisible(false);
        secondLine.setVisible(false);
    }

    /** Each open site has its own page content, which comes back with it. */
    private void follow() {
        sites.currentProperty().addListener((_, _, site) -> show(Optional.ofNullable(site)));
        show(sites.current());
    }

    private void show(Optional<OpenSite> site) {
        if (model != null) {
            model.pageProperty().removeListener(redraw);
        }
        model = site.map(s -> models.computeIfAbsent(s, o -> new SetupModel(texts, clock, o.work())))
                .orElseGet(() -> new SetupModel(texts, clock, Optional.empty()));
        model.pageProperty().addListener(redraw);
        model.work().map(SiteWork::log).ifPresent(logPane::show);
        exports.offer(model.work().map(SiteWork::exports).orElse(List.of()));
        site.ifPresent(s -> model.show(s.view()));
        proof.show(site);
        drawn = SetupPage.NOTHING;
        cardChooser.show(model.pageProperty().get());
        body(model.pageProperty().get().body());
        draw(model.pageProperty().get());
    }

    @Override
    public Node node() {
        return node;
    }

    @Override
    public void shown() {
        sites.current().ifPresent(s -> model.show(s.view()));
        model.opened();
    }

    @Override
    public void show(Subject subject) {
        sites.current().ifPresent(s -> model.show(s.view()));
        model.opened(subject.cardId(), subject.floor());
    }

    @Override
    public void draw() {
        sites.current().ifPresent(s -> model.show(s.view()));
        step.ages(clock.instant());
        proof.draw(sites.current(), clock.instant());
        operands.draw(sites.current(), drawn.card(), clock.instant());
        if (operands.shows()) {
            model.keepUp();
        }
    }

    @Override
    public boolean settled() {
        return !drawn.reads() && !isRunning(drawn) && switch (drawn.body()) {
            case SetupPage.Body.Reading _ -> false;
            case SetupPage.Body.NoCard _, SetupPage.Body.NoWizard _, SetupPage.Body.NoHost _, SetupPage.Body.Troubled _,
                    SetupPage.Body.Shown _ -> true;
        };
    }

    @Override
    public Node firstFocus() {
        return stepScroll.getScene() != null && steps.getScene() != null ? steps : Overlay.firstIn(node).orElse(node);
    }

    @Override
    public List<KeyHint> hints() {
        return List.of(new KeyHint(List.of("↑", "↓"), texts.get("keys.step")),
                new KeyHint(List.of("Space"), texts.get("keys.raw")), new KeyHint(List.of("C"), texts.get("keys.copy")));
    }

    private void draw(SetupPage page) {
        if (!page.cards().equals(drawn.cards()) || !page.card().equals(drawn.card())) {
            cardChooser.show(page);
        }
        steps.show(page.groups());
        inSight.show(steps.chosen());
        recheck.setDisable(page.reads());
        recheck.setText(texts.get(page.reads() ? "setup.rechecking" : "setup.recheck"));
        if (!page.banner().equals(drawn.banner())) {
            bannerPlace.getChildren().setAll(page.banner().stream().map(b -> new BannerView(b, this::act)).toList());
            bannerPlace.setVisible(page.banner().isPresent());
            page.banner().ifPresent(_ -> scroll.setVvalue(0));
        }
        if (!page.body().equals(drawn.body())) {
            body(page.body());
        }
        page.actions().ifPresent(bar::show);
        proof.follow(page, model.plan(), model.whyHeld());
        operands.follow(page);
        operands.draw(sites.current(), page.card(), clock.instant());
        ascents.show(page.ascents());
        exports.draw();
        if (isRunning(page) && !isRunning(drawn)) {
            reveal();
        }
        bottom.setVisible(page.actions().isPresent());
        questions.setDisable(isRunning(page));
        logWord.setText(isRunning(page) ? texts.get("setup.log.running") : texts.get("setup.log.reads"));
        drawn = page;
    }

    private static boolean isRunning(SetupPage page) {
        return page.actions().filter(a -> a.kind() == Actions.Primary.STOP).isPresent();
    }

    /** Where the columns stand one below the other, the changes come into sight as they begin to be made. */
    private void reveal() {
        double room = content.getHeight() - scroll.getViewportBounds().getHeight();
        if (columns == Columns.ONE && room > 0) {
            scroll.setVvalue(Math.clamp((columnsPlace.getLayoutY() + changeColumn.getLayoutY()) / room, 0, 1));
        }
    }

    private void body(SetupPage.Body body) {
        switch (body) {
            case SetupPage.Body.NoCard _ -> instead(new EmptyState(texts.get("garage.empty"),
                    texts.get("garage.empty.text"), texts.get("empty.garage"), () -> desk.shell().go(Page.GARAGE)));
            case SetupPage.Body.NoWizard _ -> instead(new EmptyState(texts.get("setup.no-wizard"),
                    texts.get("setup.no-wizard.text"), texts.get("empty.garage"), () -> desk.shell().go(Page.GARAGE)));
            case SetupPage.Body.NoHost(String card) -> instead(new EmptyState(texts.get("setup.no-host", card),
                    texts.get("setup.no-host.text"), texts.get("empty.garage"), () -> desk.shell().go(Page.GARAGE)));
            case SetupPage.Body.Reading(String host) -> instead(reading(host));
            case SetupPage.Body.Troubled(Trouble trouble) -> instead(new EmptyState(trouble.sentence(), trouble.next(),
                    texts.get("setup.retry"), () -> model.lookAgain()));
            case SetupPage.Body.Shown(StepView view) -> show(view);
        }
    }

    private Node reading(String host) {
        Label word = new Label(texts.get("reading.source", host));
        word.getStyleClass().add("muted");
        return word;
    }

    private void instead(Node node) {
        place.getChildren().setAll(node);
    }

    private void show(StepView view) {
        if (!place.getChildren().contains(scroll)) {
            place.getChildren().setAll(scroll);
        }
        if (!title.getText().equals(view.title())) {
            scroll.setVvalue(0);
        }
        crumbs.getChildren().clear();
        view.crumbs().forEach(word -> {
            if (!crumbs.getChildren().isEmpty()) {
                crumbs.getChildren().add(new FontIcon(Feather.CHEVRON_RIGHT));
            }
            Label label = new Label(word);
            label.getStyleClass().add("secondary");
            crumbs.getChildren().add(label);
        });
        number.setText(view.number());
        title.setText(view.title());
        text.setText(view.text());
        step.show(view, clock.instant());
    }

    private void primary() {
        switch (model.pageProperty().get().actions().map(Actions::kind).orElse(Actions.Primary.APPLY)) {
            case NEXT -> model.next();
            case GARAGE -> desk.shell().go(Page.GARAGE);
            case APPLY -> ask(model.question(), () -> model.apply());
            case STOP -> model.stop();
        }
    }

    /** Several steps are never made unasked: only one of them stands on the page. */
    private void together() {
        model.ascents().map(Ascents::together).ifPresent(t ->
                new AscentDialog(desk).ask(model.question(t), t, () -> model.applyTogether(t)));
    }

    private void walk(String last) {
        model.ascents().stream().flatMap(a -> a.walks().stream()).filter(w -> w.ascent().last().equals(last)).findFirst()
                .ifPresent(w -> new AscentDialog(desk).ask(model.question(w), w.ascent(), () -> model.walk(w)));
    }

    /** What stops something is asked once more. */
    private void ask(Optional<Effects.Question> question, Runnable yes) {
        question.ifPresentOrElse(q -> new AskDialog(desk).ask(q, yes), yes);
    }

    private void act(Banner.Act act) {
        switch (act) {
            case CONTINUE -> ask(model.resumeQuestion(), () -> model.resume());
            case UNDO -> model.unfinished().ifPresent(run -> undo(run.number()));
            case RETRY -> model.lookAgain();
            case JOURNAL -> desk.shell().go(Page.JOURNAL);
            case CLOSE -> model.closeMessage();
        }
    }

    private void undo(long run) {
        new UndoDialog(desk).ask(run, model::undoPlan, () -> model.undo(run));
    }

    private void copy(String what) {
        Clipboard.getSystemClipboard().setContent(Map.of(DataFormat.PLAIN_TEXT, what));
        desk.notices().tell(texts.get("notice.copied", what.lines().findFirst().orElse("")));
    }

    /** The two columns stand side by side where there is room; the check box of the bar gives way with them. */
    private void fit(double width) {
        Columns wanted = width > 0 && width < TWO_COLUMNS ? Columns.ONE : Columns.TWO;
        if (wanted == columns) {
            return;
        }
        columns = wanted;
        node.pseudoClassStateChanged(NARROW, wanted == Columns.ONE);
        proof.wide(wanted != Columns.ONE);
        secondLine.setVisible(wanted == Columns.ONE);
        switch (wanted) {
            case ONE -> {
                columnsPlace.getChildren().setAll(new VBox(8, foundColumn, changeColumn));
                actionLine.getChildren().remove(why);
                secondLine.getChildren().setAll(othersPlace, why);
            }
            case TWO -> {
                columnsPlace.getChildren().setAll(new TwoColumns(foundColumn, changeColumn));
                secondLine.getChildren().clear();
                actionLine.getChildren().removeAll(why, othersPlace);
                actionLine.getChildren().add(actionLine.getChildren().indexOf(undoPlace) + 1, why);
                actionLine.getChildren().add(othersPlace);
            }
            case UNKNOWN -> { }
        }
    }

    /** What the proof asks of this page. */
    private final class OfProof implements ProofSection.Asks {
        @Override
        public void called() {
            model.worked();
        }

        @Override
        public void choose(String cardId) {
            model.opened(cardId, Floor.PROOF);
        }

        @Override
        public void copy(String what) {
            SetupController.this.copy(what);
        }

        @Override
        public void reveal() {
            scroll.setVvalue(1);
        }
    }
}
