package dev.pitwall.ui;

import dev.pitwall.site.SiteView;
import dev.pitwall.ui.shell.WindowMemory;
import dev.pitwall.ui.theme.Appearance;
import dev.pitwall.ui.theme.Fonts;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javafx.application.Application;
import javafx.application.Platform;
import javafx.geometry.Rectangle2D;
import javafx.scene.Scene;
import javafx.scene.image.Image;
import javafx.stage.Screen;
import javafx.stage.Stage;
import javafx.stage.WindowEvent;

/**
 * The window. Only the frame is built before the first frame is on the screen; the rest of Pitwall is loaded behind it.
 */
public final class PitwallApp extends Application {

    private final Supplier<UiDependencies> rest;
    private final Optional<String> labScene;
    private final Path memoryFile;
    private final Consumer<Opened> opened;
    private final UiThread ui = new UiThread();
    private volatile Optional<UiDependencies> loaded = Optional.empty();
    private boolean closed;

    /**
     * @param rest       makes what the window needs; called once, on a background thread, after the first frame
     * @param labScene   of the practice lab, if one is started: that takes a while, and the window says so meanwhile
     * @param memoryFile where size and look of the window are kept
     * @param opened     gets the window after its first frame, on the JavaFX thread
     */
    public PitwallApp(Supplier<UiDependencies> rest, Optional<String> labScene, Path memoryFile, Consumer<Opened> opened) {
        this.rest = rest;
        this.labScene = labScene;
        this.memoryFile = memoryFile;
        this.opened = opened;
    }

    /** Opens the window and returns. The process ends when it is closed. */
    public static void open(Supplier<UiDependencies> rest, Optional<String> labScene, Path memoryFile,
                            Consumer<Opened> opened) {
        Platform.startup(() -> new PitwallApp(rest, labScene, memoryFile, opened).start(new Stage()));
    }

    /** A window that is on the screen. May be used from any thread. */
    public interface Opened {

        /** How long the window took to react at worst, since its first frame. */
        StallWatch stalls();

        /** What it shows now, if a site is open. */
        Optional<SiteView> view();

        /** Closes it as a person would. */
        void close();
    }

    @Override
    public void start(Stage stage) {
        Rectangle2D screen = Screen.getPrimary().getVisualBounds();
        WindowMemory memory = WindowMemory.read(memoryFile).within(screen);
        Fonts.load();
        Appearance appearance = new Appearance(memory.theme());
        Workbench bench = new Workbench(ui, appearance, new FileDialogs());
        bench.starting(labScene);
        Scene scene = new Scene(bench.root(), memory.width(), memory.height());
        appearance.dress(scene);
        stage.setTitle(bench.desk().texts().get("app.name"));
        stage.setMinWidth(Math.min(WindowMemory.SMALLEST_WIDTH, screen.getWidth()));
        stage.setMinHeight(Math.min(WindowMemory.SMALLEST_HEIGHT, screen.getHeight()));
        stage.setMaximized(memory.maximized());
        stage.setScene(scene);
        stage.setOnCloseRequest(request -> {
            request.consume();
            bench.leave(() -> {
                new WindowMemory(scene.getWidth(), scene.getHeight(), stage.isMaximized(),
                        appearance.choiceProperty().get()).write(memoryFile);
                stop(bench, appearance);
                stage.close();
            });
        });
        afterFirstFrame(scene, () -> {
            System.out.println("window after " + sinceProcessStart().toMillis() + " ms");
            ui.stalls().start();
            intoSight(stage, screen);
            stage.getIcons().setAll(icons());
            loadRest(bench);
            opened.accept(new OpenedStage(stage, bench));
        });
        stage.show();
    }

    /** The system's frame around a window that is as large as the screen would put its title bar outside of it. */
    private static void intoSight(Stage stage, Rectangle2D screen) {
        if (!stage.isMaximized()) {
            stage.setWidth(Math.min(stage.getWidth(), screen.getWidth()));
            stage.setHeight(Math.min(stage.getHeight(), screen.getHeight()));
            stage.setX(Math.clamp(stage.getX(), screen.getMinX(), screen.getMaxX() - stage.getWidth()));
            stage.setY(Math.clamp(stage.getY(), screen.getMinY(), screen.getMaxY() - stage.getHeight()));
        }
    }

    private final class OpenedStage implements Opened {
        private final Stage stage;
        private final Workbench bench;

        OpenedStage(Stage stage, Workbench bench) {
            this.stage = stage;
            this.bench = bench;
        }

        @Override
        public StallWatch stalls() {
            return ui.stalls();
        }

        @Override
        public Optional<SiteView> view() {
            CompletableFuture<Optional<SiteView>> view = new CompletableFuture<>();
            ui.run(() -> view.complete(bench.view()));
            return view.join();
        }

        @Override
        public void close() {
            ui.run(() -> stage.fireEvent(new WindowEvent(stage, WindowEvent.WINDOW_CLOSE_REQUEST)));
        }
    }

    /** The JVM's own clock has no cheaper start time; this one is in steps of 10 ms on Linux. */
    static Duration sinceProcessStart() {
        return ProcessHandle.current().info().startInstant()
                .map(start -> Duration.between(start, Instant.now())).orElse(Duration.ZERO);
    }

    private void loadRest(Workbench bench) {
        Thread.ofVirtual().name("load").start(() -> {
            UiDependencies deps = rest.get();
            ui.run(() -> {
                if (closed) {
                    deps.close().run();
                } else {
                    loaded = Optional.of(deps);
                    bench.attach(deps);
                }
            });
        });
    }

    /** Ends the connections behind the closed window, so that closing it is immediate. */
    private void stop(Workbench bench, Appearance appearance) {
        closed = true;
        appearance.close();
        Runnable end = bench.detach();
        Thread.ofPlatform().name("close").start(() -> {
            end.run();
            loaded.ifPresent(d -> d.close().run());
            ui.close();
        });
    }

    private static void afterFirstFrame(Scene scene, Runnable action) {
        scene.addPostLayoutPulseListener(new Runnable() {
            @Override
            public void run() {
                scene.removePostLayoutPulseListener(this);
                action.run();
            }
        });
    }

    /** Read in the background: the window is there without them. */
    private static List<Image> icons() {
        return Stream.of(16, 32, 48, 128, 256).map(size -> new Image(
                PitwallApp.class.getResource("/icons/logo-" + size + ".png").toExternalForm(), true)).toList();
    }
}
