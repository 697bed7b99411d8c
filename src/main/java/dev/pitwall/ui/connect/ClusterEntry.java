package dev.pitwall.ui.connect;

import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.KubeconfigCatalog.ContextEntry;
import dev.pitwall.site.KubeconfigCatalog.Found;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** The cluster: which kubeconfig, and which context in it. */
final class ClusterEntry extends Entry {
    private final Tools tools;
    private final StringProperty files = new SimpleStringProperty("");
    private final StringProperty context = new SimpleStringProperty("");
    private List<Found> found = List.of();
    private Optional<Found> chosen = Optional.empty();
    private boolean lookedForFiles;
    private int asked;

    ClusterEntry(Tools tools, Optional<ClusterAccess> saved, Runnable changed) {
        super(tools, changed);
        this.tools = tools;
        saved.ifPresent(access -> {
            files.set(access.kubeconfigs().stream().map(this::shorten).collect(Collectors.joining(File.pathSeparator)));
            context.set(access.context().orElse(""));
            savedAs(Optional.empty());
            read();
        });
        files.addListener((_, _, _) -> {
            chosen = Optional.empty();
            context.set("");
            moved();
            read();
        });
        context.addListener((_, _, _) -> touched());
    }

    /** Looks for kubeconfigs where they usually are, in the background. */
    void find() {
        if (lookedForFiles) {
            return;
        }
        lookedForFiles = true;
        tools.background().execute(() -> {
            List<Found> all = tools.kubeconfigs().find();
            tools.window().execute(() -> {
                found = List.copyOf(all);
                changed();
            });
        });
    }

    private void read() {
        int mine = ++asked;
        List<Path> paths = paths();
        if (paths.isEmpty()) {
            return;
        }
        tools.background().execute(() -> {
            Found read = tools.kubeconfigs().read(paths);
            tools.window().execute(() -> {
                if (mine == asked) {
                    chosen = Optional.of(read);
                    changed();
                }
            });
        });
    }

    /** What was found on this machine. */
    List<Found> found() {
        return found;
    }

    /** What stands in the chosen files, once it is read. */
    Optional<Found> chosen() {
        return chosen;
    }

    /** One path, or several with the system's separator between them. */
    StringProperty filesProperty() {
        return files;
    }

    /** Empty for the file's current context. */
    StringProperty contextProperty() {
        return context;
    }

    void choose(Found one) {
        files.set(one.files().stream().map(this::shorten).collect(Collectors.joining(File.pathSeparator)));
    }

    boolean isChosen(Found one) {
        return one.files().equals(paths());
    }

    private String shorten(Path path) {
        return path.startsWith(tools.home()) ? "~/" + tools.home().relativize(path) : path.toString();
    }

    List<Path> paths() {
        return Arrays.stream(files.get().split(File.pathSeparator)).map(String::strip).filter(t -> !t.isEmpty())
                .map(t -> t.startsWith("~/") ? tools.home().resolve(t.substring(2)) : Path.of(t)).toList();
    }

    /** The context that will be used, as far as the files are read. */
    Optional<ContextEntry> contextEntry() {
        return chosen.flatMap(f -> f.contexts().stream().filter(c -> c.name().equals(
                context.get().isEmpty() ? f.current().orElse("") : context.get())).findFirst());
    }

    @Override
    String title() {
        return contextEntry().map(ContextEntry::name).orElse(tools.texts().get("connect.system.cluster"));
    }

    @Override
    boolean filled() {
        return !files.get().isBlank();
    }

    @Override
    Optional<String> missing() {
        if (!filled()) {
            return Optional.of(tools.texts().get("connect.missing.kubeconfig"));
        }
        if (chosen.isEmpty()) {
            return Optional.of(tools.texts().get("connect.missing.reading"));
        }
        if (chosen.get().trouble().isPresent()) {
            return Optional.of(chosen.get().trouble().get().sentence());
        }
        Optional<ContextEntry> entry = contextEntry();
        return entry.isEmpty() ? Optional.of(tools.texts().get("connect.missing.context"))
                : entry.get().trouble().map(t -> t.sentence());
    }

    @Override
    void test() {
        if (missing().isPresent()) {
            return;
        }
        ClusterAccess access = access();
        trial().run(tools.texts().get("connect.system.cluster"), progress -> tools.reach().cluster(access, progress));
    }

    ClusterAccess access() {
        return new ClusterAccess(paths(), context.get().isEmpty() ? contextEntry().map(ContextEntry::name)
                : Optional.of(context.get()));
    }
}
