package dev.pitwall.ui.doctor;

import dev.pitwall.card.Card;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.ui.UiThread;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.OpenSite;
import dev.pitwall.ui.shell.OpenSites;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javafx.collections.ListChangeListener;
import javafx.collections.ObservableList;

/**
 * The Doctor's rounds: it looks after every open site, watches the one that shows, tells new findings once and takes the
 * message away when they are gone. To be used on the JavaFX thread.
 */
public final class Rounds implements AutoCloseable {

    private static final Duration PACE = Duration.ofMillis(250);

    private final Desk desk;
    private final Texts texts;
    private final OpenSites sites;
    private final Doctors doctors;
    private final Supplier<Optional<Duration>> every;
    private final InstantSource clock;
    private final Executor background;
    private final Map<OpenSite, SiteCare> cares = new HashMap<>();
    private final Map<OpenSite, Watch> watches = new HashMap<>();
    private final Map<OpenSite, Alarms> alarms = new HashMap<>();
    /** Held here: it hangs on the sites by a weak reference only. */
    private final ObservableList<OpenSite> open;

    /** @param every how often to look unasked; empty for never. Asked each time, since a person may change it */
    public Rounds(Desk desk, OpenSites sites, Doctors doctors, Supplier<Optional<Duration>> every, InstantSource clock,
                  Executor background) {
        this.desk = desk;
        this.texts = desk.texts();
        this.sites = sites;
        this.doctors = doctors;
        this.every = every;
        this.clock = clock;
        this.background = background;
        this.open = sites.all();
        open.addListener((ListChangeListener<OpenSite>) _ -> letGo());
        sites.currentProperty().addListener((_, _, _) -> showBadge());
    }

    /** Who looks after the site; nothing is read before somebody asks for it. */
    public SiteCare care(OpenSite site) {
        return cares.computeIfAbsent(site, this::follow);
    }

    private SiteCare follow(OpenSite site) {
        UiThread ui = desk.ui();
        SiteCare care = new SiteCare(site.live(), doctors, clock, background, ui::run, draw -> {
            Consumer<Boolean> paced = ui.latest(PACE, _ -> draw.run());
            return () -> paced.accept(true);
        });
        care.lookProperty().addListener((_, before, now) -> {
            if (!now.seen().equals(before.seen())) {
                showBadge();
                now.seen().ifPresent(seen -> alarms(site).looked(seen.diagnosis()));
            }
        });
        care.freshProperty().addListener((_, _, fresh) -> tell(site, care, fresh));
        return care;
    }

    /** The certain findings of the site that shows. */
    public List<Finding> findings() {
        return sites.current().map(cares::get).map(Rounds::certain).orElse(List.of());
    }

    /** Where a finding of the site that shows is, in a few words. */
    public String place(Finding finding) {
        List<Card> cards = sites.current().map(s -> s.view().cards()).orElse(List.of());
        return FindingPlace.of(finding, cards).full(texts);
    }

    /** Shows a finding of the site that shows. */
    public void open(Finding finding) {
        sites.current().ifPresent(site -> {
            desk.shell().go(Page.DOCTOR);
            care(site).point(finding);
        });
    }

    /** A second has passed: looks at the site that shows, if it is time. */
    public void tick(Window window) {
        sites.current().ifPresent(site -> {
            Watch watch = watches.computeIfAbsent(site, s -> new Watch(s.openedAt()));
            boolean works = site.work().flatMap(w -> w.runningProperty().get()).isPresent();
            // A run takes floors down on purpose; what is left of that when it is over is worth a look.
            Watch.Mood mood = works || window == Window.MINIMISED ? Watch.Mood.RESTS : Watch.Mood.AWAKE;
            if (watch.due(site.view(), care(site).lookProperty().get(), every.get(), mood, clock.instant())) {
                care(site).look();
            }
        });
    }

    /** Whether anybody can see the window. */
    public enum Window { SHOWS, MINIMISED }

    private static List<Finding> certain(SiteCare care) {
        return care.lookProperty().get().seen().stream().flatMap(s -> s.diagnosis().findings().stream())
                .filter(Finding::certain).toList();
    }

    private void showBadge() {
        desk.shell().findings(findings().size());
    }

    /** Whoever has the page before them sees it there. */
    private void tell(OpenSite site, SiteCare care, List<Finding> fresh) {
        if (fresh.isEmpty() || desk.shell().pageProperty().get() == Page.DOCTOR && sites.current().filter(site::equals).isPresent()) {
            return;
        }
        Finding first = fresh.getFirst();
        String place = FindingPlace.of(first, site.view().cards()).full(texts);
        String what = place.isEmpty() ? first.trap().title() : texts.get("doctor.new.at", first.trap().title(), place);
        String message = fresh.size() == 1 ? what : texts.get("doctor.new.more", what, fresh.size() - 1);
        Runnable away = desk.notices().alarm(message, texts.get("doctor.new.open"), () -> {
            sites.open(site.site());
            desk.shell().go(Page.DOCTOR);
            care.point(first);
        });
        care.lookProperty().get().seen().ifPresent(seen -> alarms(site).told(fresh, seen.diagnosis(), away));
    }

    private Alarms alarms(OpenSite site) {
        return alarms.computeIfAbsent(site, _ -> new Alarms());
    }

    private void letGo() {
        List<OpenSite> closed = cares.keySet().stream().filter(site -> !open.contains(site)).toList();
        closed.forEach(site -> {
            watches.remove(site);
            SiteCare care = cares.remove(site);
            alarms(site).end();
            alarms.remove(site);
            care.close();
        });
    }

    /** Ends every look. */
    @Override
    public void close() {
        cares.values().forEach(SiteCare::close);
        cares.clear();
    }
}
