package dev.pitwall.ui.board;

import dev.pitwall.engine.figure.Figures;
import dev.pitwall.engine.live.Entry;
import dev.pitwall.engine.live.LiveEngine;
import dev.pitwall.engine.live.Mode;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.site.Site;
import dev.pitwall.ui.Choosing;
import dev.pitwall.ui.page.EmptyState;
import dev.pitwall.ui.page.Turns;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.shell.KeyHint;
import dev.pitwall.ui.shell.OpenSite;
import dev.pitwall.ui.shell.OpenSites;
import dev.pitwall.ui.shell.Overlay;
import dev.pitwall.ui.shell.PageContent;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javafx.beans.value.ChangeListener;
import javafx.css.PseudoClass;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Pane;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/** The engine of the site that shows, live: its cards, the shelf of models, and the log of why. */
public final class BoardController implements PageContent {

    /** Width of the page in a window of 1200. */
    private static final double NARROW = 1128;
    /** From here on the legend has room. */
    private static final double LEGEND = 1300;
    private static final Duration LOG_AGAIN = Duration.ofSeconds(1);
    private static final PseudoClass NARROW_LOOK = PseudoClass.getPseudoClass("narrow");

    private final Desk desk;
    private final Texts texts;
    private final OpenSites sites;
    private final InstantSource clock;
    private final Consumer<Site> connect;
    private final Turns turns = new Turns();
    private final BoardModel model;
    private final Answers answers;
    private final Asking asking;
    private final BoardActions actions;
    private final BoardWall wall;
    private final FigureHeads heads;
    private final Map<Mode, ToggleButton> modeButtons = new EnumMap<>(Mode.class);
    /** Of each card, who it has said would go for what is carried. */
    private final Map<ProviderId, Set<ModelName>> victimsShown = new HashMap<>();
    private final ChangeListener<Optional<WallView>> changed = (_, _, _) -> draw();
    private final BorderPane node;
    private ShelfPane shelfPane;
    private Flights flights;
    private Why log;
    private Opening opening;
    private BoardHands hands;
    private BoardKeys keys;
    private Optional<OpenSite> followed = Optional.empty();
    private Instant logged = Instant.EPOCH;
    private List<Entry> logDrawn = List.of();
    private String saidEmpty = "";

    @FXML private HBox head;
    @FXML private ToggleButton automatic;
    @FXML private ToggleButton suggest;
    @FXML private ToggleButton manual;
    @FXML private HBox figures;
    @FXML private Label tokens;
    @FXML private Label answering;
    @FXML private Label answeringWord;
    @FXML private Label waiting;
    @FXML private Label free;
    @FXML private Label freeWord;
    @FXML private HBox legend;
    @FXML private StackPane body;
    @FXML private HBox columns;
    @FXML private VBox shelf;
    @FXML private TextField filter;
    @FXML private ListView<ShelfLine> models;
    @FXML private Button pull;
    @FXML private VBox middle;
    @FXML private HBox othersLine;
    @FXML private Label others;
    @FXML private StackPane wallPlace;
    @FXML private Pane dragLayer;
    @FXML private VBox bottom;

    /** @param connect asks for more of a site's connections */
    public BoardController(Desk desk, OpenSites sites, InstantSource clock, Consumer<Site> connect) {
        this.desk = desk;
        this.texts = desk.texts();
        this.sites = sites;
        this.clock = clock;
        this.connect = connect;
        this.model = new BoardModel(texts);
        this.answers = new Answers(texts);
        this.asking = new Asking(desk, answers);
        this.actions = new BoardActions(desk, model, answers, this::engine, this::ask, asking, clock);
        this.wall = new BoardWall(texts, actions, turns);
        this.heads = new FigureHeads(texts, this::curves, id -> model.view().flatMap(v -> v.provider(id)), clock);
        this.node = Fxml.load("board", this, texts);
        node.heightProperty().addListener((_, _, height) -> log.page(height.doubleValue()));
        node.sceneProperty().addListener((_, _, scene) -> {
            if (scene == null) {
                flights.clear();
            }
            draw();
        });
    }

    @FXML
    private void initialize() {
        wallPlace.getChildren().add(wall);
        wall.curves(heads::of);
        wall.marks(this::marks, id -> model.carry().filter(c -> c.isFrom(id)).isPresent(), model::fresh);
        wall.hoverProperty().addListener((_, _, over) -> model.pointerOver(over));
        buildModes();
        new Legend(texts).fill(legend);
        shelfPane = new ShelfPane(texts, model, filter, models, this::ask, turns);
        flights = new Flights(dragLayer, wall::seenAt, shelfPane::seenAt);
        pull.setOnAction(_ -> actions.pull(Optional.empty(), ""));
        log = new Why(texts, columns, this::ask, wanted -> {
            model.why(wanted);
            showLog();
        }, turns);
        bottom.getChildren().add(log.below());
        columns.getChildren().remove(shelf);
        shelf.getChildren().remove(models);
        opening = new Opening(List.of(this::draw, () -> columns.getChildren().addFirst(shelf), () -> shelf.getChildren().add(1, models),
                shelfPane::show, this::showLog, () -> log.visible(saidEmpty.equals(Emptiness.NONE.name()))), turns);
        hands = new BoardHands(body, wall, shelf, new DragImage(dragLayer, texts), flights, model, actions, this::remark, this::putDown);
        keys = new BoardKeys(desk, model, wall, models, filter, actions, this::remark, this::putDown);
        body.addEventFilter(KeyEvent.KEY_PRESSED, keys);
        head.widthProperty().addListener((_, _, _) -> fit());
        sites.currentProperty().addListener((_, _, site) -> follow(Optional.ofNullable(site)));
        follow(sites.current());
    }

    private void buildModes() {
        modeButtons.putAll(Map.of(Mode.AUTOMATIC, automatic, Mode.SUGGEST, suggest, Mode.MANUAL, manual));
        ToggleGroup group = new ToggleGroup();
        modeButtons.forEach((mode, button) -> {
            button.setToggleGroup(group);
            button.setTooltip(Words.tooltip(texts.get("board.mode." + mode.name().toLowerCase(Locale.ROOT) + ".tip")));
            Choosing.whenChosen(button, () -> {
                // Chosen by what the engine says, it asks for nothing.
                if (model.view().map(WallView::mode).filter(m -> m != mode).isPresent()) {
                    ask(new Wish.SetMode(mode));
                }
            });
        });
    }

    private void follow(Optional<OpenSite> site) {
        followed.ifPresent(s -> s.wallProperty().removeListener(changed));
        followed = site;
        hands.stop();
        flights.clear();
        model.clear();
        heads.clear();
        site.ifPresent(s -> s.wallProperty().addListener(changed));
        draw();
    }

    private Optional<LiveEngine> engine() {
        return followed.flatMap(OpenSite::engine);
    }

    private Figures curves() {
        return engine().map(LiveEngine::figures).orElse(Figures.NONE);
    }

    /** For what nobody was shown to go for. */
    private void ask(Wish wish) {
        ask(wish, Set.of());
    }

    private void ask(Wish wish, Set<ModelName> shown) {
        followed.ifPresent(site -> site.engine().ifPresent(engine -> asking.ask(site, engine, wish, shown)));
    }

    /** What is carried is put down where it would be. */
    private void putDown() {
        Optional<Wish> wish = model.wish(model.drop());
        Set<ModelName> shown = switch (model.drop()) {
            case Drop.OnCard(ProviderId to) -> victimsShown.getOrDefault(to, Set.of());
            case Drop.OnShelf _, Drop.Nowhere _ -> Set.of();
        };
        model.putBack();
        remark();
        wish.ifPresent(w -> ask(w, shown));
    }

    @Override
    public Node node() {
        return node;
    }

    @Override
    public void shown() {
        draw();
    }

    /** Shows the card, or its first model. */
    @Override
    public void show(Subject subject) {
        drawNow();
        model.view().flatMap(v -> v.providers().stream().filter(p -> p.cards().stream()
                .anyMatch(c -> c.id().equals(subject.cardId()))).findFirst()).ifPresent(p -> find(p.id(), Optional.empty()));
    }

    /** Brings a card or a model on it into sight, with the keyboard on it. */
    public void find(ProviderId provider, Optional<ModelName> name) {
        drawNow();
        model.cursor(new At(provider, name));
        wall.requestFocus();
        wall.keyboard(true);
        wall.scrollTo(provider, name.map(n -> new PlacementId(provider, n)));
        keys.tell();
    }

    /** Finds a model on the shelf. */
    public void find(ModelName name) {
        drawNow();
        opening.finish();
        shelfPane.find(name);
    }

    @Override
    public Node firstFocus() {
        return wall.getScene() == null || body.getChildren().getFirst() != columns ? Overlay.firstIn(body).orElse(node) : wall;
    }

    @Override
    public void focusedByKey() {
        drawNow();
        model.enter();
        wall.keyboard(true);
        keys.tell();
    }

    @Override
    public List<KeyHint> hints() {
        return List.of(new KeyHint(List.of("M"), texts.get("keys.move")), new KeyHint(List.of("P"), texts.get("keys.pin")),
                new KeyHint(List.of("H"), texts.get("keys.hold")), new KeyHint(List.of("Del"), texts.get("keys.evict")));
    }

    /** Draws what the engine says now; at most four times a second, and only while the page shows. */
    @Override
    public void draw() {
        if (node == null || followed.isEmpty()) {
            return;
        }
        Optional<WallView> view = followed.get().wallProperty().get();
        showEmptiness(view);
        // A page that is made ahead gets its parts when it is shown: all at once they would be styled in one frame.
        if (node.getScene() != null && saidEmpty.equals(Emptiness.NONE.name())) {
            opening.start();
        }
        view.filter(_ -> node.getScene() != null && opening.hasBegun()).ifPresent(this::draw);
    }

    /** Draws the cards though the page may just have been made. */
    private void drawNow() {
        opening.begin();
        draw();
    }

    private void draw(WallView view) {
        Instant now = clock.instant();
        model.show(view, now, wall.inSight());
        hands.follow();
        wall.motion(desk.appearance().motion());
        flights.follow(model.columns(), desk.appearance().motion());
        wall.show(model.columns());
        if (opening.isOver()) {
            shelfPane.show();
            // What could be taken back changes without a new entry too, but slowly.
            if (!view.log().equals(logDrawn) || logged.plus(LOG_AGAIN).isBefore(now)) {
                showLog();
            }
        }
        showHead(view);
        Words.set(others, String.join("  ", view.others()));
        othersLine.setVisible(!view.others().isEmpty());
    }

    @Override
    public void drawAll() {
        flights.clear();
        drawNow();
        opening.finish();
        shelfPane.fillNow();
        log.fillNow();
        // What adapts to its width needs its size first.
        node.applyCss();
        node.layout();
        wall.fillNow();
    }

    private void remark() {
        wall.remark();
        shelfPane.remark();
    }

    private ColumnCard.Marks marks(ColumnLine column) {
        Optional<Answer> answer = model.carry().flatMap(carry -> engine().map(e ->
                answers.of(e.preview(carry.onto(column.id())), carry, column)));
        victimsShown.put(column.id(), answer.map(a -> Set.copyOf(a.victims())).orElse(Set.of()));
        boolean target = model.carry().isPresent() && model.drop().isOn(column.id());
        Map<ModelName, String> victims = answer.filter(_ -> target).map(a -> a.victims().stream().distinct()
                .collect(Collectors.toMap(m -> m, m -> texts.get("board.victim",
                        column.placement(m).map(PlacementLine::word).orElse(""))))).orElse(Map.of());
        Optional<At> cursor = model.cursor().filter(at -> wall.cursorShows() && at.provider().equals(column.id()));
        List<PlacementId> chosen = model.chosen().stream().filter(p -> p.provider().equals(column.id())).toList();
        return new ColumnCard.Marks(cursor, answer, target, victims, chosen, model.carry(),
                narrow() ? AnswerPanel.Say.WORDS : AnswerPanel.Say.ALL);
    }

    private void showLog() {
        logged = clock.instant();
        logDrawn = model.view().map(WallView::log).orElse(List.of());
        log.show(model.log(entry -> engine().flatMap(e -> e.undo(entry))));
    }

    private void showHead(WallView view) {
        Summary sum = Summary.of(view);
        Words.set(tokens, sum.tokensPerSecond().isPresent() ? Long.toString(Math.round(sum.tokensPerSecond().getAsDouble()))
                : texts.get("board.tokens.none"));
        Words.set(answering, Integer.toString(sum.answering()));
        Words.set(waiting, Integer.toString(sum.waiting()));
        Words.set(free, Bytes.gib(sum.free()));
        Words.set(freeWord, texts.get("board.of-total", Bytes.gib(sum.total())));
        modeButtons.get(view.mode()).setSelected(true);
    }

    private boolean narrow() {
        return head.getWidth() > 0 && head.getWidth() < NARROW;
    }

    private void fit() {
        boolean narrow = narrow();
        node.pseudoClassStateChanged(NARROW_LOOK, narrow);
        head.pseudoClassStateChanged(NARROW_LOOK, narrow);
        answering.setVisible(!narrow);
        answeringWord.setVisible(!narrow);
        legend.setVisible(head.getWidth() >= LEGEND);
        log.narrow(narrow);
        remark();
    }

    /** Made anew only when it has something else to say, so that its button keeps the keyboard. */
    private void showEmptiness(Optional<WallView> view) {
        Emptiness what = Emptiness.of(followed.get(), view);
        if (what.name().equals(saidEmpty)) {
            return;
        }
        boolean here = Overlay.holdsFocus(body) || node.isFocused();
        saidEmpty = what.name();
        Node wanted = switch (what) {
            case NONE -> columns;
            case READING -> word("board.reading");
            case NO_ENGINE -> word("board.no-engine");
            case NO_SERVER -> new EmptyState(texts.get("board.empty"), texts.get("board.empty.text"),
                    texts.get("board.empty.add"), () -> sites.current().ifPresent(s -> connect.accept(s.site())));
        };
        body.getChildren().set(0, wanted);
        figures.setVisible(what == Emptiness.NONE);
        modeButtons.values().forEach(b -> b.setDisable(what != Emptiness.NONE));
        log.visible(what == Emptiness.NONE && opening.isOver());
        if (here) {
            Overlay.firstIn(wanted).orElse(node).requestFocus();
        }
    }

    private Node word(String key) {
        Label label = new Label(texts.get(key));
        label.setWrapText(true);
        label.getStyleClass().add("muted");
        return label;
    }

    /** What the page has to say when it shows no card. */
    private enum Emptiness {
        NONE, READING, NO_ENGINE, NO_SERVER;

        static Emptiness of(OpenSite site, Optional<WallView> view) {
            boolean bound = !site.site().servers().isEmpty();
            if (view.isEmpty()) {
                return bound ? NO_ENGINE : NO_SERVER;
            }
            if (view.get().providers().isEmpty()) {
                return bound ? READING : NO_SERVER;
            }
            return NONE;
        }
    }
}
