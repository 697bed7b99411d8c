package dev.pitwall.ui;

import dev.pitwall.site.LiveSites;
import dev.pitwall.site.PracticeLab;
import dev.pitwall.site.Site;
import dev.pitwall.site.Sites;
import dev.pitwall.ui.doctor.Doctors;
import dev.pitwall.ui.firstrun.SiteFile;
import dev.pitwall.ui.run.Engines;
import dev.pitwall.ui.run.Journeys;
import dev.pitwall.ui.settings.About;
import dev.pitwall.settings.Preferences;
import dev.pitwall.ui.shell.ConnectDialog;
import dev.pitwall.ui.signin.FactorQuestions;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * What the window needs from the rest of Pitwall. It is supplied after the first frame, on a background thread, so that
 * nothing of it is loaded before something is seen.
 *
 * @param journeys   opens the wizard of a site, which is closed with the site
 * @param engines    keep the models on the cards of a site; closed with it
 * @param doctors    judge what keeps cards from being used
 * @param first      the site to show at the start instead of the one that showed last
 * @param connect    makes the dialog that adds a site
 * @param factors    what sign-ins ask the person; the window answers
 * @param clock      the time that ages are counted from
 * @param background for calls that may block; virtual threads
 * @param close      ends what was started for these dependencies; called once, when the window has closed
 */
public record UiDependencies(Sites sites, LiveSites liveSites, Journeys journeys, Engines engines, Doctors doctors,
                             PracticeLab lab,
                             Preferences preferences, SiteFile siteFile, Optional<Site> first,
                             Function<UiThread, ConnectDialog> connect, FactorQuestions factors, About about,
                             InstantSource clock, Executor background, Runnable close) {
}
