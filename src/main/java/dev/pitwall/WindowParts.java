package dev.pitwall;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.Site;
import dev.pitwall.store.DataFolder;
import dev.pitwall.ui.UiDependencies;
import dev.pitwall.ui.settings.About;
import dev.pitwall.ui.shell.ConnectDialog;
import dev.pitwall.ui.shell.Overlay;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Puts together what the window needs. */
final class WindowParts {
    private final Wiring wiring;

    WindowParts(Wiring wiring) {
        this.wiring = wiring;
    }

    /**
     * @param first        the site to show at the start
     * @param secondFactor asks the person during a sign-in
     */
    UiDependencies dependencies(Optional<Site> first, SecondFactor secondFactor) throws TroubleException {
        ExecutorService background = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("window-", 0).factory());
        return new UiDependencies(wiring.sites(), wiring.liveSites(secondFactor), wiring.labs(),
                wiring.preferences(), wiring::siteFile, first, ui -> new NoConnectDialog(),
                new About(Pitwall.version(), wiring.folder().path(), wiring.secrets().place()), wiring.clock(),
                background, background::close);
    }

    private static final class NoConnectDialog implements ConnectDialog {
        @Override
        public void add(Overlay overlay, Consumer<Site> done) {
        }

        @Override
        public void onRemoved(Consumer<Site> listener) {
        }

        @Override
        public void edit(Overlay overlay, Site site, Consumer<Site> done) {
        }
    }

    /** Known before anything is loaded, since the window's size is needed for its first frame. */
    static Path windowMemory() throws TroubleException {
        return DataFolder.ofThisProcess().path().resolve("window.properties");
    }
}
