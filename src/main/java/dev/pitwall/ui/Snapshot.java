package dev.pitwall.ui;

import dev.pitwall.engine.live.WallView;
import dev.pitwall.site.Site;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.shell.ShellModel;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.theme.Appearance;
import dev.pitwall.ui.theme.Fonts;
import dev.pitwall.ui.theme.Theme;
import dev.pitwall.ui.theme.ThemeChoice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import javafx.application.Platform;
import javafx.geometry.Rectangle2D;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.SnapshotParameters;
import javafx.scene.control.ButtonBase;
import javafx.scene.control.Labeled;
import javafx.scene.control.TextInputControl;
import javafx.scene.image.WritableImage;

/**
 * Takes pictures of the window without a display: the same frame and pages as the window's, drawn into an image of any
 * size. Needs {@code -Dglass.platform=Headless -Dprism.order=sw} where there is no display. May be used from any thread
 * but the JavaFX one.
 */
public final class Snapshot implements AutoCloseable {

    private static final double WIDTH = 1440;
    private static final double HEIGHT = 900;

    private final UiThread ui = new UiThread();
    private final Appearance appearance;
    private final Workbench bench;
    private final Scene scene;
    private final Runnable end;

    /** Starts the toolkit if it does not run yet. */
    public Snapshot(UiDependencies deps) {
        startToolkit();
        this.appearance = onUi(() -> new Appearance(ThemeChoice.SYSTEM));
        this.bench = onUi(() -> {
            Fonts.load();
            Workbench made = new Workbench(ui, appearance, FilePicker.NOBODY);
            made.connect(deps);
            return made;
        });
        // One scene for all pictures, as a window has: a root that goes from scene to scene keeps some of its old look.
        this.scene = onUi(() -> {
            // With a size of its own: one without takes the root's wish at its first picture.
            Scene made = new Scene(bench.root(), WIDTH, HEIGHT);
            appearance.dress(made);
            return made;
        });
        this.end = deps.close();
    }

    /** Connects the site; its pages show what {@link dev.pitwall.site.LiveSites} delivers. */
    public void open(Site site) {
        onUi(() -> {
            bench.open(site);
            return null;
        });
    }

    /** True if the view that would be drawn now is as wished: for waiting until the lab has settled. */
    public boolean shows(Predicate<SiteView> wish) {
        return onUi(() -> bench.view().filter(wish).isPresent());
    }

    /** True if what the engine of the site says now is as wished. */
    public boolean engine(Predicate<WallView> wish) {
        return onUi(() -> bench.wall().filter(wish).isPresent());
    }

    /** Goes to a page, which begins to read what it shows. */
    public void go(Page page) {
        inScene(() -> bench.desk().shell().go(page));
    }

    /** True once the page that shows has read what it shows. */
    public boolean settled() {
        return onUi(bench::settled);
    }

    /** Takes a picture of a page of the open site. */
    public void page(Page page, Theme theme, int width, int height, Path png) throws IOException {
        take(() -> bench.desk().shell().go(page), theme, width, height, png);
    }

    /** Takes a picture of a page that was opened for one floor of one card. */
    public void page(Page page, Subject subject, Theme theme, int width, int height, Path png) throws IOException {
        take(() -> bench.desk().shell().go(page, subject), theme, width, height, png);
    }

    /** Takes a picture of the first screen, as somebody without a site sees it. */
    public void firstRun(Theme theme, int width, int height, Path png) throws IOException {
        take(() -> bench.desk().shell().phaseProperty().set(ShellModel.Phase.FIRST_RUN), theme, width, height, png);
    }

    /** Opens the dialog that adds a site, above the first screen. @param theme of the pictures to come */
    public void addSite(Theme theme) {
        onUi(() -> {
            appearance.choiceProperty().set(theme == Theme.DARK ? ThemeChoice.DARK : ThemeChoice.LIGHT);
            return null;
        });
        inScene(() -> {
            bench.desk().shell().phaseProperty().set(ShellModel.Phase.FIRST_RUN);
            bench.addSite();
        });
    }

    /** Types into a field of the dialog. */
    public void type(String id, String text) {
        inScene(() -> bench.root().lookupAll("#" + id).forEach(node -> {
            switch (node) {
                case TextInputControl field -> field.setText(text);
                default -> { }
            }
        }));
    }

    /** Presses a button of the dialog. */
    public void press(String id) {
        inScene(() -> bench.root().lookupAll("#" + id).forEach(node -> {
            switch (node) {
                case ButtonBase button -> button.fire();
                default -> { }
            }
        }));
    }

    /** True if the button can be pressed and has this text. */
    public boolean offers(String id, String text) {
        return onUi(() -> bench.root().lookupAll("#" + id).stream().anyMatch(node -> switch (node) {
            case ButtonBase button -> !button.isDisabled() && button.getText().equals(text);
            default -> false;
        }));
    }

    /** The same for a text that only begins so. */
    public boolean starts(String id, String text) {
        return onUi(() -> bench.root().lookupAll("#" + id).stream().anyMatch(node -> switch (node) {
            case ButtonBase button -> !button.isDisabled() && button.getText().startsWith(text);
            default -> false;
        }));
    }

    /** True if this text stands there. */
    public boolean says(String id, String text) {
        return onUi(() -> bench.root().lookupAll("#" + id).stream().anyMatch(node -> switch (node) {
            case Labeled words -> words.getText().equals(text);
            default -> false;
        }));
    }

    /** Takes a picture of the dialog as it is now, above what lies below. */
    public void dialog(Theme theme, int width, int height, Path png) throws IOException {
        take(() -> { }, theme, width, height, png);
    }

    /** Closes the dialog. */
    public void closeDialog() {
        inScene(() -> bench.desk().overlay().close());
    }

    private void inScene(Runnable action) {
        onUi(() -> {
            bench.root().applyCss();
            action.run();
            bench.root().applyCss();
            return null;
        });
    }

    /** Ends the connections and what was started for the pictures; the toolkit goes on. */
    @Override
    public void close() {
        onUi(bench::detach).run();
        onUi(() -> {
            appearance.forget(scene);
            appearance.close();
            return null;
        });
        end.run();
        ui.close();
    }

    private void take(Runnable prepare, Theme theme, int width, int height, Path png) throws IOException {
        WritableImage image = onUi(() -> {
            appearance.choiceProperty().set(theme == Theme.DARK ? ThemeChoice.DARK : ThemeChoice.LIGHT);
            Parent root = bench.root();
            prepare.run();
            bench.draw();
            root.resize(width, height);
            layout(root);
            // What adapts to its width needs a second round, and towers are made after the wall has its size.
            layout(root);
            bench.drawAll();
            layout(root);
            SnapshotParameters whole = new SnapshotParameters();
            whole.setFill(scene.getFill());
            whole.setViewport(new Rectangle2D(0, 0, width, height));
            return root.snapshot(whole, null);
        });
        PngFile.write(image, png);
    }

    private static void layout(Parent root) {
        root.applyCss();
        root.layout();
    }

    private static void startToolkit() {
        try {
            Platform.startup(() -> { });
        } catch (IllegalStateException _) {
            // It runs already, which is as good.
        }
        Platform.setImplicitExit(false);
    }

    private <T> T onUi(Callable<T> action) {
        CompletableFuture<T> done = new CompletableFuture<>();
        ui.run(() -> {
            try {
                done.complete(action.call());
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        try {
            return done.join();
        } catch (CompletionException e) {
            throw new IllegalStateException("the picture could not be drawn", e.getCause());
        }
    }
}
