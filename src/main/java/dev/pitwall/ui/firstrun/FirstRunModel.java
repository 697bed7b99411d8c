package dev.pitwall.ui.firstrun;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.PracticeLab;
import dev.pitwall.site.Site;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;

/** The first decision: the lab or own hosts. */
public final class FirstRunModel {

    public enum Choice { LAB, OWN_HOSTS }

    /** How the start is going. */
    public sealed interface Progress {
        record Idle() implements Progress {
        }

        /** @param what scene or file that is being opened */
        record Starting(String what) implements Progress {
        }

        record Failed(Trouble trouble) implements Progress {
        }
    }

    private final PracticeLab lab;
    private final SiteFile files;
    private final Executor background;
    private final Executor window;
    private final Consumer<Site> opened;
    private final List<PracticeLab.Scene> scenes;
    private final ObjectProperty<Choice> choice = new SimpleObjectProperty<>(Choice.LAB);
    private final ObjectProperty<String> scene;
    private final ReadOnlyObjectWrapper<Progress> progress = new ReadOnlyObjectWrapper<>(new Progress.Idle());

    /**
     * @param background for the start, which takes a second or so
     * @param window     where properties may change
     * @param opened     gets the site that was started or read
     */
    public FirstRunModel(PracticeLab lab, SiteFile files, Executor background, Executor window, Consumer<Site> opened) {
        this.lab = lab;
        this.files = files;
        this.background = background;
        this.window = window;
        this.opened = opened;
        this.scenes = lab.scenes();
        this.scene = new SimpleObjectProperty<>(
                scenes.stream().filter(PracticeLab.Scene::available).map(PracticeLab.Scene::name).findFirst().orElse(""));
    }

    public List<PracticeLab.Scene> scenes() {
        return scenes;
    }

    public ObjectProperty<Choice> choiceProperty() {
        return choice;
    }

    /** Name of the chosen scene; empty if none is available. */
    public ObjectProperty<String> sceneProperty() {
        return scene;
    }

    public ReadOnlyObjectProperty<Progress> progressProperty() {
        return progress.getReadOnlyProperty();
    }

    /** Starts the chosen scene. */
    public void startLab() {
        open(scene.get(), () -> lab.start(scene.get()).site());
    }

    /** Starts this scene. */
    public void startLab(String name) {
        scene.set(name);
        startLab();
    }

    public void openFile(Path file) {
        open(file.getFileName().toString(), () -> files.read(file));
    }

    private interface Opening {
        Site site() throws TroubleException;
    }

    private void open(String what, Opening opening) {
        if (progress.get() instanceof Progress.Starting) {
            return;
        }
        progress.set(new Progress.Starting(what));
        background.execute(() -> {
            try {
                Site site = opening.site();
                window.execute(() -> {
                    progress.set(new Progress.Idle());
                    opened.accept(site);
                });
            } catch (TroubleException e) {
                window.execute(() -> progress.set(new Progress.Failed(e.trouble())));
            }
        });
    }
}
