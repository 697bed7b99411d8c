package dev.pitwall.ui.garage;

import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.card.Reading;
import dev.pitwall.site.Connection;
import dev.pitwall.site.Site;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.Choosing;
import dev.pitwall.ui.page.EmptyState;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.shell.KeyHint;
import dev.pitwall.ui.shell.OpenSites;
import dev.pitwall.ui.shell.Overlay;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.shell.PageContent;
import dev.pitwall.ui.shell.StatusText;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.css.PseudoClass;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.input.Clipboard;
import javafx.scene.input.DataFormat;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.BorderPane;

/** The wall of towers with its filters. */
public final class GarageController implements PageContent, TowerCard.Handler {

    /** Width of the page in a window of 1200. */
    private static final double NARROW = 1128;
    /** The pointer has left the towers when it has been elsewhere for so long. */
    private static final Duration POINTER_GONE = Duration.ofSeconds(1);

    private final Desk desk;
    private final Texts texts;
    private final OpenSites sites;
    private final InstantSource clock;
    private final Consumer<Site> connect;
    private final GarageModel model;
    private final Wall wall;
    private final ReadingsPopover popover;
    private final Map<Filter, FilterButton> filterButtons = new EnumMap<>(Filter.class);
    private final BorderPane node;
    /** The floor the pointer was at last. */
    private Optional<Cursor> pointed = Optional.empty();
    private String saidEmpty = "";

    @FXML private HBox head;
    @FXML private HBox filters;
    @FXML private MenuButton sort;
    @FXML private Button setup;
    @FXML private StackPane body;

    /** @param connect asks for more of a site's connections */
    public GarageController(Desk desk, OpenSites sites, InstantSource clock, Consumer<Site> connect) {
        this.desk = desk;
        this.texts = desk.texts();
        this.sites = sites;
        this.clock = clock;
        this.connect = connect;
        this.model = new GarageModel(texts);
        this.wall = new Wall(texts, this);
        this.popover = new ReadingsPopover(texts, clock);
        this.node = Fxml.load("garage", this, texts);
    }

    @FXML
    private void initialize() {
        buildFilters();
        buildSort();
        setup.setOnAction(_ -> desk.shell().go(Page.SETUP));
        wall.motion(desk.appearance().motion());
        wall.rowHeight(desk.appearance().densityProperty().get().floorHeight());
        desk.appearance().densityProperty().addListener((_, _, density) -> wall.rowHeight(density.floorHeight()));
        model.towersProperty().addListener((_, _, towers) -> {
            wall.show(towers);
            showEmptiness();
        });
        model.countsProperty().addListener((_, _, counts) ->
                counts.forEach((filter, count) -> filterButtons.get(filter).count(count)));
        model.cursorProperty().addListener((_, _, cursor) -> {
            wall.cursor(cursor);
            showStatus();
        });
        wall.addEventFilter(KeyEvent.KEY_PRESSED, this::keyPressed);
        wall.focusVisibleProperty().addListener((_, _, here) -> {
            if (here) {
                model.enter();
            }
        });
        wall.hoverProperty().addListener((_, _, over) -> {
            if (over) {
                model.pointer(GarageModel.Pointer.OVER);
            } else {
                desk.ui().after(POINTER_GONE, this::pointerGone);
            }
        });
    }

    /** A pointer that only crosses the edge is not away. */
    private void pointerGone() {
        if (!wall.isHover()) {
            model.pointer(GarageModel.Pointer.AWAY);
        }
    }

    /** Puts the towers into their order although the pointer may be over them: the person has asked for news. */
    public void arrange() {
        model.arrange();
    }

    /** Draws a view; called at most four times a second. */
    public void show(SiteView view, Instant openedAt) {
        model.show(view, openedAt, clock.instant());
        showStatus();
        if (model.towersProperty().get().isEmpty()) {
            showEmptiness();
        }
    }

    @Override
    public void drawAll() {
        wall.fillNow();
    }

    @Override
    public Node node() {
        return node;
    }

    /** The towers; until there are any, the page holds the keyboard for them. */
    @Override
    public Node firstFocus() {
        return wall.getScene() == null ? node : wall;
    }

    @Override
    public void focusedByKey() {
        model.enter();
        wall.keyboard(true);
        showStatus();
    }

    @Override
    public void show(Subject subject) {
        model.filterProperty().set(Filter.ALL);
        wall.requestFocus();
        wall.keyboard(true);
        model.cursorProperty().set(Optional.of(new Cursor(subject.cardId(), subject.floor())));
        showStatus();
    }

    @Override
    public List<KeyHint> hints() {
        return List.of(new KeyHint(List.of("↑", "↓"), texts.get("keys.floor")),
                new KeyHint(List.of("←", "→"), texts.get("keys.card")),
                new KeyHint(List.of("Enter"), texts.get("keys.open")));
    }

    private void buildFilters() {
        ToggleGroup group = new ToggleGroup();
        for (Filter filter : Filter.values()) {
            FilterButton button = new FilterButton(filter, texts);
            button.count(0);
            button.setToggleGroup(group);
            button.setSelected(filter == Filter.ALL);
            Choosing.whenChosen(button, () -> model.filterProperty().set(filter));
            filterButtons.put(filter, button);
            filters.getChildren().add(button);
        }
        model.filterProperty().addListener((_, _, filter) -> filterButtons.get(filter).setSelected(true));
    }

    private void buildSort() {
        ToggleGroup group = new ToggleGroup();
        for (Sort order : Sort.values()) {
            RadioMenuItem item = new RadioMenuItem(texts.get(order.key()));
            item.setToggleGroup(group);
            item.setSelected(order == Sort.HOST);
            item.setOnAction(_ -> model.sortProperty().set(order));
            sort.getItems().add(item);
        }
        head.widthProperty().addListener((_, _, _) -> showSort());
        model.sortProperty().addListener((_, _, _) -> showSort());
        showSort();
    }

    /** In a narrow window the order is said by the tooltip only, so that the filters keep their words. */
    private void showSort() {
        boolean narrow = head.getWidth() > 0 && head.getWidth() < NARROW;
        String order = texts.get(model.sortProperty().get().key());
        head.pseudoClassStateChanged(PseudoClass.getPseudoClass("narrow"), narrow);
        sort.setText(narrow ? "" : order);
        sort.setAccessibleText(order);
        sort.setTooltip(new Tooltip(order));
    }

    /** Made anew only when it has something else to say, so that its button keeps the keyboard. */
    private void showEmptiness() {
        String said = model.emptiness() + whyNoCards() + model.filterProperty().get();
        if (said.equals(saidEmpty) && !body.getChildren().isEmpty()) {
            return;
        }
        saidEmpty = said;
        Node wanted = switch (model.emptiness()) {
            case NONE -> wall;
            case READING -> reading();
            case NO_CARDS -> new EmptyState(texts.get("garage.empty"), whyNoCards(),
                    texts.get("garage.set-up"), () -> desk.shell().go(Page.SETUP));
            case NOTHING_MATCHES -> new EmptyState(
                    texts.get("garage.none", texts.get(model.filterProperty().get().key())), "",
                    texts.get("garage.show-all"), () -> model.filterProperty().set(Filter.ALL));
        };
        if (body.getChildren().isEmpty() || wanted != wall || body.getChildren().getFirst() != wall) {
            boolean here = holdsKeyboard();
            body.getChildren().setAll(wanted);
            if (here) {
                Overlay.firstIn(wanted).orElse(node).requestFocus();
            }
        }
    }

    /** True while the keyboard is where the towers are, or would be. */
    private boolean holdsKeyboard() {
        return node.isFocused() || Overlay.holdsFocus(body);
    }

    private Node reading() {
        Label word = new Label(texts.get("reading"));
        word.getStyleClass().add("muted");
        return word;
    }

    private String whyNoCards() {
        List<Connection> sources = sites.current().map(s -> s.view().connections()).orElse(List.of());
        long failing = sources.stream().filter(c -> c.state() == Connection.State.FAILING).count();
        return failing == 0 ? texts.get("garage.empty.text")
                : texts.get("garage.empty.failing", failing, sources.size());
    }

    private void keyPressed(KeyEvent event) {
        if (event.isControlDown() || event.isAltDown() || event.isMetaDown()) {
            return;
        }
        boolean used = true;
        switch (event.getCode()) {
            case UP -> model.moveFloor(1);
            case DOWN -> model.moveFloor(-1);
            case LEFT -> model.moveCard(-1);
            case RIGHT -> model.moveCard(1);
            case PAGE_UP -> model.moveCard(-wall.columns() * wall.rowsInSight());
            case PAGE_DOWN -> model.moveCard(wall.columns() * wall.rowsInSight());
            case HOME -> model.moveCard(-model.towersProperty().get().size());
            case END -> model.moveCard(model.towersProperty().get().size());
            case ENTER -> atCursor(this::open);
            case SPACE -> atCursor(this::showReadings);
            case C -> atCursor((tower, _) -> copyId(tower));
            case CONTEXT_MENU -> atCursor((tower, _) -> wall.card(tower.id()).ifPresent(TowerCard::showMenu));
            default -> used = false;
        }
        if (used) {
            event.consume();
        }
    }

    private interface OnFloor {
        void run(TowerLine tower, Floor floor);
    }

    private void atCursor(OnFloor action) {
        model.cursorProperty().get().ifPresent(c ->
                model.tower(c.cardId()).ifPresent(tower -> action.run(tower, c.floor())));
    }

    @Override
    public void act(TowerLine tower, Floor floor, FloorAction action) {
        Subject subject = new Subject(tower.id(), floor);
        switch (action) {
            case DOCTOR -> desk.shell().go(Page.DOCTOR, subject);
            case TAKE_BACK, SETUP -> desk.shell().go(Page.SETUP, subject);
            case RETRY -> retry(tower, floor);
            case CONNECT -> sites.current().ifPresent(s -> connect.accept(s.site()));
        }
    }

    /** A finding if the floor has one, else the step of the floor. */
    @Override
    public void open(TowerLine tower, Floor floor) {
        FloorLine line = tower.floor(floor);
        if (line.action().isPresent()) {
            act(tower, floor, line.action().get());
        } else if (line.state() == FloorState.FAILING) {
            desk.shell().go(Page.DOCTOR, new Subject(tower.id(), floor));
        } else {
            desk.shell().go(Page.SETUP, new Subject(tower.id(), floor));
        }
    }

    @Override
    public void showReadings(TowerLine tower, Floor floor) {
        wall.card(tower.id()).ifPresent(card -> popover.show(card.row(floor), tower, floor));
    }

    @Override
    public void copyId(TowerLine tower) {
        copy(tower.id());
    }

    @Override
    public void copyText(TowerLine tower) {
        copy(tower.asText());
    }

    @Override
    public void pointAt(TowerLine tower, Floor floor) {
        pointed = Optional.of(new Cursor(tower.id(), floor));
        showStatus();
    }

    @Override
    public String origin(TowerLine tower, Floor floor) {
        return tower.card().floor(floor).readings().stream().findFirst().map(r -> texts.get("tooltip.source",
                r.source().system() + ": " + r.source().detail(),
                Ages.brief(Duration.between(r.at(), clock.instant())))).orElse("");
    }

    private void copy(String text) {
        Clipboard.getSystemClipboard().setContent(Map.of(DataFormat.PLAIN_TEXT, text));
        desk.notices().tell(texts.get("notice.copied", text.lines().findFirst().orElse("")));
    }

    private void retry(TowerLine tower, Floor floor) {
        sites.current().ifPresent(site -> {
            Optional<Connection> silent =
                    Outage.of(tower.card(), tower.card().floor(floor), site.view().connections());
            silent.ifPresentOrElse(c -> site.live().readAgain(c.kind(), c.name()), site.live()::readAgain);
            desk.notices().tell(texts.get("notice.retry", silent.map(Connection::name).orElse(site.site().name())));
        });
    }

    private void showStatus() {
        Optional<Cursor> here = wall.cursorShows() ? model.cursorProperty().get() : pointed;
        here.ifPresent(c -> model.tower(c.cardId()).ifPresent(tower ->
                desk.shell().statusProperty().set(status(tower, tower.card().floor(c.floor())))));
    }

    private StatusText status(TowerLine tower, FloorStatus floor) {
        FloorLine line = tower.floor(floor.floor());
        String title = texts.get("status.title", tower.card().host(), line.name());
        Optional<Reading> decides = floor.readings().stream().findFirst();
        FloorState shade = line.weight() == FloorLine.Weight.CONSEQUENCE ? FloorState.NOT_APPLICABLE : line.state();
        return new StatusText(Optional.of(line.mark()), shade, title,
                decides.map(r -> r.name() + " " + r.value().orElseGet(() -> texts.get("readings.unavailable")))
                        .orElse(floor.summary()),
                decides.map(r -> r.source().detail()).orElse(""),
                decides.map(r -> texts.get("status.read", Ages.brief(Duration.between(r.at(), clock.instant()))))
                        .orElse(""));
    }
}
