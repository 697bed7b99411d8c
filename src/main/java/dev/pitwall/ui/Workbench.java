package dev.pitwall.ui;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.site.PracticeLab;
import dev.pitwall.site.Site;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.board.BoardController;
import dev.pitwall.ui.doctor.DoctorController;
import dev.pitwall.ui.doctor.Rounds;
import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.firstrun.FirstRunController;
import dev.pitwall.ui.firstrun.FirstRunModel;
import dev.pitwall.ui.garage.GarageController;
import dev.pitwall.ui.journal.JournalController;
import dev.pitwall.ui.page.CardPage;
import dev.pitwall.ui.search.Palette;
import dev.pitwall.ui.settings.SettingsController;
import dev.pitwall.ui.settings.UserSettings;
import dev.pitwall.ui.setup.SetupController;
import dev.pitwall.ui.shell.ConnectDialog;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.OpenSite;
import dev.pitwall.ui.shell.OpenSites;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.shell.PageContent;
import dev.pitwall.ui.shell.ShellController;
import dev.pitwall.ui.shell.ShellModel;
import dev.pitwall.ui.shell.SiteMenu;
import dev.pitwall.ui.signin.FactorDialog;
import dev.pitwall.ui.theme.Appearance;
import dev.pitwall.ui.theme.ThemeChoice;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.beans.value.ChangeListener;
import javafx.scene.Parent;
import javafx.stage.Stage;

/**
 * The window's content. It comes to life in two steps: the frame at once, everything else when the rest of Pitwall is
 * there ({@link #attach}). To be used on the JavaFX thread.
 */
public final class Workbench implements AutoCloseable, SiteMenu.Actions {

    /** When a site has been opened for so long, its first pictures are drawn. */
    private static final Duration AT_REST = Duration.ofMillis(1500);
    private static final Duration TICK = Duration.ofSeconds(1);

    private final UiThread ui;
    private final Desk desk;
    private final ShellController shell;
    private final FilePicker picker;
    private Optional<Attached> attached = Optional.empty();
    private Optional<JournalController> journal = Optional.empty();
    private Optional<DoctorController> doctor = Optional.empty();
    private Optional<BoardController> board = Optional.empty();
    private Runnable stopWatching = () -> { };

    /** What is there after {@link #attach}. */
    private record Attached(UiDependencies deps, OpenSites sites, UserSettings settings, ConnectDialog connect, Rounds rounds,
                            FirstRunModel firstRun, GarageController garage, SiteMenu menu, Runnable stopTicking) {
    }

    public Workbench(UiThread ui, Appearance appearance, FilePicker picker) {
        this.ui = ui;
        this.picker = picker;
        this.shell = new ShellController(new Texts(), ui, appearance);
        this.desk = shell.desk();
    }

    public Parent root() {
        return shell.root();
    }

    public Desk desk() {
        return desk;
    }

    /** Says what is waited for until there is a page. */
    void starting(Optional<String> labScene) {
        shell.starting(labScene.map(scene -> desk.texts().get("start.lab", scene)).orElseGet(() -> desk.texts().get("start.rest")));
    }

    /** Draws everything of the page that shows at once, instead of bit by bit. */
    void drawAll() {
        shell.made(desk.shell().pageProperty().get()).ifPresent(PageContent::drawAll);
    }

    /** True once the page that shows has read what it shows. */
    boolean settled() {
        return shell.made(desk.shell().pageProperty().get()).filter(PageContent::settled).isPresent();
    }

    /** What shows now, if a site does. */
    Optional<SiteView> view() {
        return attached.flatMap(a -> a.sites().current()).map(OpenSite::view);
    }

    /** What the engine of the site that shows says now, if it has one. */
    public Optional<WallView> wall() {
        return attached.flatMap(a -> a.sites().current()).flatMap(site -> site.wallProperty().get());
    }

    /**
     * Takes the rest of Pitwall and shows the last site, or the first decision where there is none. Done in steps with
     * frames between them, so that the window reacts all the time.
     */
    public void attach(UiDependencies deps) {
        OpenSites sites = new OpenSites(deps.liveSites(), deps.journeys(), deps.engines(), ui, deps.clock(), deps.background());
        UserSettings settings = new UserSettings(deps.preferences());
        ui.later(() -> {
            look(settings);
            GarageController garage = garage(deps, sites);
            ui.later(() -> {
                gather(deps, sites, settings, garage);
                ui.later(() -> {
                    furnish();
                    ui.later(() -> {
                        follow();
                        stopWatching = ui.every(TICK, this::watch);
                        ui.later(() -> deps.first().ifPresentOrElse(this::open, () -> openLast(deps)));
                    });
                });
            });
        });
    }

    /** The same at once, without opening a site, and with a Doctor who looks only when asked: for pictures. */
    void connect(UiDependencies deps) {
        OpenSites sites = new OpenSites(deps.liveSites(), deps.journeys(), deps.engines(), ui, deps.clock(), deps.background());
        UserSettings settings = new UserSettings(deps.preferences());
        look(settings);
        gather(deps, sites, settings, garage(deps, sites));
        furnish();
        follow();
    }

    private void look(UserSettings settings) {
        desk.appearance().choiceProperty().set(settings.theme());
        desk.appearance().densityProperty().set(settings.density());
    }

    private GarageController garage(UiDependencies deps, OpenSites sites) {
        return new GarageController(desk, sites, deps.clock(), this::editSite);
    }

    private void gather(UiDependencies deps, OpenSites sites, UserSettings settings, GarageController garage) {
        deps.factors().attach(new FactorDialog(desk));
        ConnectDialog connect = deps.connect().apply(ui);
        connect.onRemoved(this::forget);
        FirstRunModel firstRun =
                new FirstRunModel(deps.lab(), deps.siteFile(), deps.background(), ui::run, this::open);
        SiteMenu menu = new SiteMenu(shell.siteMenu(), desk, sites, deps.sites(), deps.background(), this);
        Rounds rounds = new Rounds(desk, sites, deps.doctors(), settings::watch, deps.clock(), deps.background());
        attached = Optional.of(new Attached(deps, sites, settings, connect, rounds, firstRun, garage, menu,
                ui.every(TICK, this::draw)));
    }

    private void furnish() {
        attached.ifPresent(a -> {
            pages(a);
            shell.firstRun(() -> new FirstRunController(desk, a.firstRun(), picker, this::addSite));
            a.firstRun().progressProperty().addListener((_, _, progress) -> tell(progress));
            new LabMenu(shell.labBadge(), desk, a.sites(), a.deps().lab(), a.deps().background());
        });
    }

    private void follow() {
        attached.ifPresent(a -> {
            SearchEntries entries =
                    new SearchEntries(desk.texts(), desk.shell(), a.sites(), a.rounds(), this, this::theme, this::readAgain,
                            this::onBoard);
            shell.connect(a.sites(), a.deps().clock(), new Everywhere(entries));
            follow(a.sites());
        });
    }

    /** Opens the site and shows it. */
    public void open(Site site) {
        attached.ifPresent(a -> {
            a.sites().open(site);
            if (!site.lab()) {
                a.settings().lastSite(site.name());
            }
            a.menu().refresh();
            ui.after(AT_REST, () -> shell.prepare(Page.BOARD));
        });
    }

    @Override
    public void addSite() {
        attached.ifPresent(a -> a.connect().add(desk.overlay(), this::open));
    }

    @Override
    public void editSite(Site site) {
        attached.ifPresent(a -> leaving().leave(openOf(site), Leaving.Way.EDIT,
                () -> a.connect().edit(desk.overlay(), site, this::reopen)));
    }

    @Override
    public void disconnect(OpenSite site) {
        attached.ifPresent(a -> leaving().leave(List.of(site), Leaving.Way.DISCONNECT, () -> a.sites().close(site)));
    }

    /**
     * Before the window closes: asks if a run is under way.
     *
     * @param close closes it; done at once where nothing runs
     */
    void leave(Runnable close) {
        leaving().leave(attached.map(a -> List.copyOf(a.sites().all())).orElse(List.of()), Leaving.Way.CLOSE, close);
    }

    private Leaving leaving() {
        return new Leaving(desk);
    }

    private List<OpenSite> openOf(Site site) {
        return attached.stream().flatMap(a -> a.sites().all().stream())
                .filter(o -> o.site().id().equals(site.id())).toList();
    }

    @Override
    public void openFile() {
        picker.pick(root().getScene().getWindow(), desk.texts().get("firstrun.file.title"))
                .ifPresent(file -> attached.ifPresent(a -> a.firstRun().openFile(file)));
    }

    @Override
    public List<String> scenes() {
        return attached.stream().flatMap(a -> a.firstRun().scenes().stream())
                .filter(PracticeLab.Scene::available).map(PracticeLab.Scene::name).toList();
    }

    @Override
    public void startScene(String scene) {
        attached.ifPresent(a -> a.firstRun().startLab(scene));
    }

    /**
     * Lets go of the rest of Pitwall.
     *
     * @return ends the connections; may be run on any thread, and blocks until they are ended
     */
    public Runnable detach() {
        Runnable end = attached.map(a -> {
            a.stopTicking().run();
            stopWatching.run();
            a.rounds().close();
            // Else a sign-in would wait for an answer that nobody can give.
            a.deps().factors().close();
            return a.sites().detach();
        }).orElse(() -> { });
        attached = Optional.empty();
        return end;
    }

    @Override
    public void close() {
        detach().run();
    }

    private void pages(Attached a) {
        UiDependencies deps = a.deps();
        OpenSites sites = a.sites();
        shell.page(Page.GARAGE, a::garage);
        SavedFile saved = new SavedFile(desk, picker, deps.background());
        shell.page(Page.SETUP, () -> new SetupController(desk, sites, deps.clock(), saved));
        shell.page(Page.BOARD, () -> {
            BoardController made = new BoardController(desk, sites, deps.clock(), this::editSite);
            board = Optional.of(made);
            return made;
        });
        shell.page(Page.CLAIMS, () -> new CardPage(Page.CLAIMS, desk, sites));
        shell.page(Page.DOCTOR, () -> {
            DoctorController made = new DoctorController(desk, sites, a.rounds(), deps.clock(), picker, saved);
            doctor = Optional.of(made);
            return made;
        });
        shell.page(Page.JOURNAL, () -> {
            JournalController made = new JournalController(desk, sites, deps.clock(), saved);
            journal = Optional.of(made);
            return made;
        });
        shell.page(Page.SETTINGS, () -> new SettingsController(desk, a.settings(), deps.about()));
    }

    /** An edited site is connected anew. */
    private void reopen(Site site) {
        disconnect(site);
        open(site);
    }

    /** A removed site is gone from the window too. */
    private void forget(Site site) {
        disconnect(site);
        attached.ifPresent(a -> a.menu().refresh());
    }

    private void disconnect(Site site) {
        attached.ifPresent(a -> openOf(site).forEach(a.sites()::close));
    }

    private void follow(OpenSites sites) {
        ChangeListener<SiteView> redraw = (_, _, _) -> draw();
        Unfinished unfinished = new Unfinished(desk, sites);
        sites.currentProperty().addListener((_, before, now) -> {
            if (before != null) {
                before.viewProperty().removeListener(redraw);
                tellWhatGoesOn(before, sites);
            }
            if (now == null) {
                desk.shell().phaseProperty().set(ShellModel.Phase.FIRST_RUN);
            } else {
                now.viewProperty().addListener(redraw);
                desk.shell().phaseProperty().set(ShellModel.Phase.SITE);
                desk.shell().go(Page.GARAGE);
                // The page's own first layout has a frame to itself.
                ui.later(this::draw);
                unfinished.follow(now);
            }
        });
    }

    /** A site that is left stays connected, and so does its run. */
    private void tellWhatGoesOn(OpenSite left, OpenSites sites) {
        if (sites.all().contains(left) && !Leaving.isQuiet(List.of(left))) {
            desk.notices().tell(desk.texts().get("leave.goes-on", left.site().name()),
                    desk.texts().get("leave.back", left.site().name()), () -> sites.open(left.site()));
        }
    }

    /** Lets the Doctor look where it is time. */
    private void watch() {
        boolean minimised = root().getScene() != null && switch (root().getScene().getWindow()) {
            case Stage stage -> stage.isIconified();
            case null, default -> false;
        };
        attached.ifPresent(a -> a.rounds().tick(minimised ? Rounds.Window.MINIMISED : Rounds.Window.SHOWS));
    }

    /** Draws the site that shows, with ages up to now. */
    void draw() {
        attached.flatMap(a -> a.sites().current()).ifPresent(this::draw);
    }

    private void draw(OpenSite site) {
        attached.ifPresent(a -> {
            shell.show(site.view(), a.deps().clock().instant());
            a.garage().show(site.view(), site.openedAt());
        });
    }

    private void openLast(UiDependencies deps) {
        deps.background().execute(() -> {
            try {
                List<Site> all = deps.sites().all();
                ui.run(() -> lastOf(all).ifPresentOrElse(this::open,
                        () -> desk.shell().phaseProperty().set(ShellModel.Phase.FIRST_RUN)));
            } catch (TroubleException e) {
                ui.run(() -> {
                    desk.shell().phaseProperty().set(ShellModel.Phase.FIRST_RUN);
                    desk.notices().trouble(e.trouble());
                });
            }
        });
    }

    private Optional<Site> lastOf(List<Site> all) {
        Optional<String> last = attached.flatMap(a -> a.settings().lastSite());
        return all.stream().filter(s -> last.filter(s.name()::equals).isPresent()).findFirst()
                .or(() -> all.stream().findFirst());
    }

    /** On the first screen the start says itself how it goes; started from elsewhere, a message does. */
    private void tell(FirstRunModel.Progress progress) {
        if (desk.shell().phaseProperty().get() != ShellModel.Phase.SITE) {
            return;
        }
        switch (progress) {
            case FirstRunModel.Progress.Starting(String what) ->
                    desk.notices().tell(desk.texts().get("firstrun.starting", what));
            case FirstRunModel.Progress.Failed(Trouble trouble) -> desk.notices().trouble(trouble);
            case FirstRunModel.Progress.Idle() -> { }
        }
    }

    private void theme(ThemeChoice choice) {
        attached.ifPresent(a -> a.settings().theme(choice));
        desk.appearance().choiceProperty().set(choice);
        shell.page(Page.SETTINGS, () -> new SettingsController(desk, attached.orElseThrow().settings(),
                attached.orElseThrow().deps().about()));
    }

    private void readAgain() {
        withSite(site -> {
            site.live().readAgain();
            attached.ifPresent(a -> a.garage().arrange());
            desk.notices().tell(desk.texts().get("notice.read-again", site.site().name()));
        });
    }

    /** Shows something on the Board. */
    private void onBoard(Consumer<BoardController> find) {
        desk.shell().go(Page.BOARD);
        board.ifPresent(find);
    }

    private void withSite(Consumer<OpenSite> action) {
        attached.flatMap(a -> a.sites().current()).ifPresent(action);
    }

    private final class Everywhere implements ShellController.Keys {
        private final SearchEntries entries;

        Everywhere(SearchEntries entries) {
            this.entries = entries;
        }

        @Override
        public void search() {
            withSite(_ -> Palette.open(entries.now(), desk.texts().get("search.prompt"), desk.texts(),
                    desk.overlay()));
        }

        /** On the Doctor's page, to read again is to look again. */
        @Override
        public void readAgain() {
            if (desk.shell().pageProperty().get() == Page.DOCTOR && doctor.isPresent()) {
                doctor.get().lookAgain();
            } else {
                Workbench.this.readAgain();
            }
        }

        @Override
        public void undoLastRun() {
            withSite(_ -> {
                desk.shell().go(Page.JOURNAL);
                journal.ifPresent(JournalController::offerUndo);
            });
        }
    }
}
