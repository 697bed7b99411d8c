package dev.pitwall;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.export.Exports;
import dev.pitwall.journey.run.Ladder;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.Site;
import dev.pitwall.site.Sites;
import dev.pitwall.store.DataFolder;
import dev.pitwall.ui.UiDependencies;
import dev.pitwall.ui.UiThread;
import dev.pitwall.ui.connect.SiteConnectDialog;
import dev.pitwall.ui.connect.TypedSecrets;
import dev.pitwall.ui.run.Journeys;
import dev.pitwall.ui.settings.About;
import dev.pitwall.ui.shell.ConnectDialog;
import dev.pitwall.ui.signin.FactorQuestions;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Puts together what the window needs. */
final class WindowParts {
    private final Wiring wiring;

    WindowParts(Wiring wiring) {
        this.wiring = wiring;
    }

    /**
     * For a window with a person before it: it asks for second factors.
     *
     * @param first the site to show at the start
     */
    UiDependencies dependencies(Optional<Site> first) throws TroubleException {
        FactorQuestions factors = new FactorQuestions();
        return dependencies(first, factors, factors);
    }

    /** @param secondFactor answers for the person during a sign-in */
    UiDependencies dependencies(Optional<Site> first, SecondFactor secondFactor) throws TroubleException {
        return dependencies(first, secondFactor, new FactorQuestions());
    }

    private UiDependencies dependencies(Optional<Site> first, SecondFactor secondFactor, FactorQuestions factors)
            throws TroubleException {
        ExecutorService background = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("window-", 0).factory());
        Sites sites = new KeptSites(wiring.sites(), wiring.secrets());
        // Read here, in the background: a site is opened on the JavaFX thread.
        Ladder ladder = wiring.ladder();
        Journal journal = wiring.journal();
        return new UiDependencies(sites, wiring.liveSites(secondFactor),
                live -> Optional.of(new Journeys.Opened(
                        wiring.journey(live.site(), secondFactor, live::nodes, ladder, journal), journal, Exports.all())),
                live -> Optional.of(wiring.engine(live)),
                new WindowDoctors(wiring, secondFactor, ladder, journal), wiring.labs(),
                wiring.preferences(), wiring::siteFile, first, ui -> connectDialog(ui, sites, background),
                factors, new About(Pitwall.version(), wiring.folder().path(), wiring.secrets().place()), wiring.clock(),
                background, background::close);
    }

    private ConnectDialog connectDialog(UiThread ui, Sites sites, Executor background) {
        TypedSecrets secrets = new TypedSecrets(wiring.secrets());
        return new SiteConnectDialog(ui, wiring.reachability(secrets), wiring.kubeconfigs(), secrets, sites, background);
    }

    /** Known before anything is loaded, since the window's size is needed for its first frame. */
    static Path windowMemory() throws TroubleException {
        return DataFolder.ofThisProcess().path().resolve("window.properties");
    }
}
