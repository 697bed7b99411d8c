package dev.pitwall.ui.shell;

import dev.pitwall.site.SiteView;
import dev.pitwall.ui.UiThread;
import dev.pitwall.ui.icon.Ring;
import dev.pitwall.ui.notice.Notices;
import dev.pitwall.ui.theme.Appearance;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Control;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.TextInputControl;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/** The frame around every page: title bar, rail, status line, messages and dialogs. It knows pages only by name. */
public final class ShellController {

    /** Under this width the search becomes its icon and the dots one summary. */
    private static final double NARROW = 1200;
    private static final double SEARCH_HALF = 192;
    /** Between search and dots, and the window's own edge. */
    private static final double EDGES = 16 + 16;

    /** Keys that work everywhere. */
    public interface Keys {
        void search();

        void readAgain();

        void undoLastRun();
    }

    private final Texts texts;
    private final ShellModel model;
    private final Map<Page, Supplier<PageContent>> makers = new EnumMap<>(Page.class);
    private final Map<Page, PageContent> made = new EnumMap<>(Page.class);
    private final StackPane root;
    private final Desk desk;
    private StatusLine status;
    private ConnectionDots connections;
    private Optional<Keys> keys = Optional.empty();
    private Supplier<Optional<PageContent>> firstRun = Optional::empty;

    @FXML private BorderPane frame;
    @FXML private StackPane titleBar;
    @FXML private Label appName;
    @FXML private MenuButton siteMenu;
    @FXML private MenuButton labBadge;
    @FXML private Button searchIcon;
    @FXML private Button searchField;
    @FXML private Button dots;
    @FXML private VBox rail;
    @FXML private StackPane pages;
    @FXML private VBox notices;
    @FXML private HBox statusLine;
    @FXML private HBox statusMark;
    @FXML private Label statusTitle;
    @FXML private Label statusText;
    @FXML private Label statusSource;
    @FXML private Label statusAge;
    @FXML private HBox hints;
    @FXML private StackPane overlayLayer;

    public ShellController(Texts texts, UiThread ui, Appearance appearance) {
        this.texts = texts;
        this.model = new ShellModel(texts);
        this.root = Fxml.load("shell", this, texts);
        this.desk = new Desk(texts, ui, appearance, model, new Notices(notices, ui), new Overlay(overlayLayer, frame));
    }

    @FXML
    private void initialize() {
        status = new StatusLine(statusMark, statusTitle, statusText, statusSource, statusAge, hints);
        connections = new ConnectionDots(dots, texts);
        railItems().forEach(item -> item.setOnAction(_ -> {
            model.go(item.page());
            focusPage();
        }));
        titleBar.widthProperty().addListener((_, _, _) -> fitTitle());
        model.dotsProperty().addListener((_, _, _) -> fitTitle());
        model.statusProperty().addListener((_, _, next) -> status.show(next));
        model.badgesProperty().addListener((_, _, _) -> showBadges());
        model.phaseProperty().addListener((_, _, _) -> showPhase());
        model.pageProperty().addListener((_, _, _) -> {
            showPage();
            focusPage();
        });
        model.subjectProperty().addListener((_, _, _) -> showSubject());
        siteMenu.setVisible(false);
        labBadge.setVisible(false);
        showPhase();
    }

    /** The whole window's content. */
    public Parent root() {
        return root;
    }

    public Desk desk() {
        return desk;
    }

    /** Says how a page is made; it is made at its first show. A page that was made before is made anew. */
    public void page(Page page, Supplier<PageContent> maker) {
        makers.put(page, maker);
        made.remove(page);
        if (model.pageProperty().get() == page) {
            showPage();
        }
    }

    /** Says how that is made which shows instead of the pages while there is no site; it is made once. */
    public void firstRun(Supplier<PageContent> maker) {
        firstRun = () -> {
            Optional<PageContent> content = Optional.of(maker.get());
            firstRun = () -> content;
            return content;
        };
        showPage();
    }

    /** Says what goes on where the first page will be. */
    public void starting(String what) {
        Ring ring = new Ring();
        ring.indeterminate();
        HBox line = new HBox(ring, new Label(what));
        line.getStyleClass().add("starting");
        pages.getChildren().setAll(line);
    }

    /**
     * Makes a page that is not asked for yet, if it can be shown: what a page is made of costs up to a tenth of a second, in
     * which its first click would wait.
     */
    public void prepare(Page page) {
        if (model.reachable(page)) {
            content(page);
        }
    }

    /** The page, if it was made before. */
    public Optional<PageContent> made(Page page) {
        return Optional.ofNullable(made.get(page));
    }

    /** Connects what comes after the first frame: the sites, the keys. */
    public void connect(OpenSites sites, InstantSource clock, Keys everywhere) {
        keys = Optional.of(everywhere);
        searchField.setOnAction(_ -> everywhere.search());
        searchIcon.setOnAction(_ -> everywhere.search());
        explain(searchIcon, "search.open");
        explain(dots, "dots.open");
        explain(labBadge, "lab.badge.tip");
        desk.overlay().showingProperty().addListener((_, _, showing) -> {
            // What had the keyboard before a dialog may have gone meanwhile.
            if (!showing && !Overlay.holdsFocus(frame)) {
                focusPage();
            }
        });
        siteMenu.setOnHidden(_ -> desk.ui().later(this::focusPage));
        labBadge.setOnHidden(_ -> desk.ui().later(this::focusPage));
        dots.setOnAction(_ -> connections.openList(sites.current(), clock));
        sites.currentProperty().addListener((_, _, site) -> showSite(Optional.ofNullable(site)));
        showSite(sites.current());
        root.addEventFilter(KeyEvent.KEY_PRESSED, this::keyPressed);
        root.addEventHandler(KeyEvent.KEY_PRESSED, this::escapePressed);
    }

    /** The switcher's button, for {@link SiteMenu}. */
    public MenuButton siteMenu() {
        return siteMenu;
    }

    /** The lab's badge, whose menu is filled by who knows the lab. */
    public MenuButton labBadge() {
        return labBadge;
    }

    /** Draws how the site does. */
    public void show(SiteView view, Instant now) {
        model.show(view, now);
        fitTitle();
        made(model.pageProperty().get()).ifPresent(PageContent::draw);
    }

    /** Tooltips are made after the first frame: the first one costs 50 ms. */
    private void explain(Control control, String key) {
        control.setTooltip(new Tooltip(texts.get(key)));
    }

    private void showSite(Optional<OpenSite> site) {
        siteMenu.setVisible(site.isPresent());
        appName.setVisible(site.isEmpty());
        appName.setManaged(site.isEmpty());
        siteMenu.setText(site.map(s -> s.site().name()).orElse(""));
        labBadge.setVisible(site.filter(s -> s.site().lab()).isPresent());
        if (site.isEmpty()) {
            model.clear();
        }
    }

    private void showPhase() {
        boolean site = model.phaseProperty().get() == ShellModel.Phase.SITE;
        railItems().forEach(item -> item.setDisable(!model.reachable(item.page())));
        statusLine.setVisible(site);
        fitTitle();
        showPage();
        focusPage();
    }

    /**
     * The keyboard goes to the page, never to the rail. Styled first: a scroll pane takes its content into the scene only
     * then, and what is not in the scene cannot get the keyboard. Left alone, JavaFX would give the keyboard of a page
     * that has left the scene to the first thing in the window.
     */
    private void focusPage() {
        content(model.pageProperty().get()).filter(content -> content.node().getScene() != null).ifPresent(content -> {
            content.node().applyCss();
            if (desk.overlay().isShowing()) {
                desk.overlay().returnTo(content.firstFocus());
            } else {
                content.firstFocus().requestFocus();
            }
        });
    }

    private void focusPageByKey() {
        focusPage();
        content(model.pageProperty().get()).ifPresent(PageContent::focusedByKey);
    }

    private void showPage() {
        Page page = model.pageProperty().get();
        railItems().forEach(item -> item.chosen(item.page() == page && model.reachable(page)));
        content(page).ifPresent(content -> {
            if (pages.getChildren().isEmpty() || pages.getChildren().getFirst() != content.node()) {
                pages.getChildren().setAll(content.node());
            }
            status.hints(content.hints().isEmpty() ? usualHints() : content.hints());
            showSubject();
        });
    }

    private List<KeyHint> usualHints() {
        return List.of(new KeyHint(List.of("Ctrl", "K"), texts.get("keys.search")),
                new KeyHint(List.of("Ctrl", "1 … 6"), texts.get("keys.pages")));
    }

    private Optional<PageContent> content(Page page) {
        if (model.reachable(page)) {
            return Optional.ofNullable(makers.get(page)).map(maker -> made.computeIfAbsent(page, _ -> maker.get()));
        }
        return model.phaseProperty().get() == ShellModel.Phase.FIRST_RUN ? firstRun.get() : Optional.empty();
    }

    private void showSubject() {
        made(model.pageProperty().get()).ifPresent(content ->
                model.subjectProperty().get().ifPresentOrElse(content::show, content::shown));
    }

    private void showBadges() {
        Map<Page, Integer> badges = model.badgesProperty().get();
        railItems().forEach(item -> {
            int number = badges.getOrDefault(item.page(), 0);
            item.badge(number, texts.count("badge.findings", number));
        });
    }

    /** Lets the title bar's parts give way as it gets narrow. */
    private void fitTitle() {
        double width = titleBar.getWidth();
        boolean site = model.phaseProperty().get() == ShellModel.Phase.SITE;
        boolean narrow = width > 0 && width < NARROW;
        searchField.setVisible(site && !narrow);
        searchIcon.setVisible(site && narrow);
        List<List<Dot>> ways = site ? model.dotsProperty().get() : List.of();
        dots.setVisible(!ways.isEmpty());
        if (narrow) {
            connections.show(ways.subList(Math.max(0, ways.size() - 1), ways.size()), width);
        } else if (width > 0) {
            connections.show(ways, width / 2 - SEARCH_HALF - EDGES);
        }
    }

    private void keyPressed(KeyEvent event) {
        if (desk.overlay().isShowing() || keys.isEmpty()) {
            return;
        }
        boolean used = event.isShortcutDown() && !event.isAltDown() && !event.isShiftDown()
                ? shortcut(event.getCode())
                : event.getCode() == KeyCode.F5 && readAgain();
        if (used) {
            event.consume();
        }
    }

    private boolean shortcut(KeyCode code) {
        switch (code) {
            case K -> keys.ifPresent(Keys::search);
            case Z -> {
                // In a field Ctrl+Z takes back what was typed.
                if (root.getScene().getFocusOwner() instanceof TextInputControl) {
                    return false;
                }
                keys.ifPresent(Keys::undoLastRun);
            }
            case DIGIT1, DIGIT2, DIGIT3, DIGIT4, DIGIT5, DIGIT6 -> {
                model.go(Page.values()[code.ordinal() - KeyCode.DIGIT1.ordinal()]);
                focusPageByKey();
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** One level out: from what a floor opened, back to the floor. */
    private void escapePressed(KeyEvent event) {
        if (event.getCode() != KeyCode.ESCAPE || desk.overlay().isShowing() || model.pageProperty().get() == Page.GARAGE) {
            return;
        }
        model.subjectProperty().get().ifPresent(subject -> {
            event.consume();
            model.go(Page.GARAGE, subject);
            focusPageByKey();
        });
    }

    private boolean readAgain() {
        keys.ifPresent(Keys::readAgain);
        return true;
    }

    private List<RailItem> railItems() {
        return rail.getChildren().stream().mapMulti((Node node, Consumer<RailItem> out) -> {
            switch (node) {
                case RailItem item -> out.accept(item);
                default -> { }
            }
        }).toList();
    }
}
