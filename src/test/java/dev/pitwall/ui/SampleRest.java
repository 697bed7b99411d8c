package dev.pitwall.ui;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Connection;
import dev.pitwall.site.LiveSite;
import dev.pitwall.site.LiveSites;
import dev.pitwall.site.PracticeLab;
import dev.pitwall.site.Site;
import dev.pitwall.site.SiteView;
import dev.pitwall.site.Sites;
import dev.pitwall.ui.doctor.Doctors;
import dev.pitwall.ui.doctor.SampleDoctors;
import dev.pitwall.ui.run.Engines;
import dev.pitwall.ui.run.Journeys;
import dev.pitwall.ui.settings.About;
import dev.pitwall.settings.Preferences;
import dev.pitwall.ui.shell.ConnectDialog;
import dev.pitwall.ui.shell.Overlay;
import dev.pitwall.ui.signin.FactorQuestions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Everything the window needs, from memory. Records what the window asks for. */
public final class SampleRest implements LiveSites, Sites, PracticeLab, Preferences, ConnectDialog {

    public final List<String> asked = new CopyOnWriteArrayList<>();
    public final Map<String, String> kept = new ConcurrentHashMap<>();
    public final List<Site> saved = new CopyOnWriteArrayList<>();
    public final FactorQuestions factors = new FactorQuestions();
    private final List<Consumer<SiteView>> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, Running> labs = new ConcurrentHashMap<>();
    private volatile SiteView view;
    private volatile Journeys journeys = Journeys.NONE;
    private volatile Engines engines = Engines.NONE;
    private volatile Doctors doctors = new SampleDoctors();
    private volatile Executor background = Runnable::run;
    private volatile Optional<Trouble> labTrouble = Optional.empty();

    public SampleRest(SiteView view) {
        this.view = view;
    }

    public UiDependencies dependencies() {
        return new UiDependencies(this, this, journeys, engines, doctors, this, this, file -> view.site(), Optional.empty(), _ -> this,
                factors, new About("0.1.0", Path.of("/home/me/.local/share/pitwall"), "GNOME keyring"),
                InstantSource.fixed(SampleSite.NOW), background, () -> asked.add("closed"));
    }

    /** The wizard of the sites that are opened from now on. */
    public void journeys(Journeys wanted) {
        journeys = wanted;
    }

    /** The engine of the sites that are opened from now on. */
    public void engines(Engines wanted) {
        engines = wanted;
    }

    /** Who judges the sites that are opened from now on. */
    public void doctors(Doctors wanted) {
        doctors = wanted;
    }

    /** What may block runs on threads of its own from now on, as in the real window. */
    public void inBackground() {
        background = action -> Thread.ofVirtual().start(action);
    }

    /** Lets the site change. */
    public void push(SiteView next) {
        view = next;
        listeners.forEach(l -> l.accept(next));
    }

    public void failLab(Trouble trouble) {
        labTrouble = Optional.of(trouble);
    }

    @Override
    public LiveSite open(Site site, Consumer<SiteView> listener) {
        listeners.add(listener);
        listener.accept(view);
        return new LiveSite() {
            @Override
            public Site site() {
                return site;
            }

            @Override
            public Map<String, String> nodes() {
                return Map.of();
            }

            @Override
            public SiteView view() {
                return view;
            }

            @Override
            public void readAgain() {
                asked.add("all");
            }

            @Override
            public void readAgain(Connection.Kind kind, String name) {
                asked.add(kind + " " + name);
            }

            @Override
            public void close() {
                listeners.remove(listener);
            }
        };
    }

    @Override
    public List<Site> all() {
        return List.copyOf(saved);
    }

    @Override
    public Optional<Site> byName(String name) {
        return saved.stream().filter(s -> s.name().equals(name)).findFirst();
    }

    @Override
    public void save(Site site) {
        saved.add(site);
    }

    @Override
    public void remove(String id) {
        saved.removeIf(s -> s.id().equals(id));
    }

    @Override
    public List<Scene> scenes() {
        return List.of(new Scene("garage", "3 hosts, one RTX A1000 each, RKE2 with 21 nodes", true),
                new Scene("talos", "RTX 5090 and 4090 on Talos, one shared with Windows", false),
                new Scene("metal", "1 bare-metal k3s node with two identical cards", false),
                new Scene("fleet", "as many hosts and cards as you ask for", true));
    }

    @Override
    public Optional<Running> running(Site site) {
        return Optional.ofNullable(labs.get(site.id()));
    }

    @Override
    public Running start(String scene) throws TroubleException {
        asked.add("lab " + scene);
        if (labTrouble.isPresent()) {
            throw new TroubleException(labTrouble.get());
        }
        Site site = new Site("lab", scene, List.of(), List.of(), Optional.empty(), Optional.empty(), List.of(), true);
        Running running = new Running() {
            @Override
            public Site site() {
                return site;
            }

            @Override
            public List<Fault> faults() {
                return List.of(new Fault("iommu-off", "VT-d/AMD-Vi is off in firmware", List.of("pve1/0000:01:00", "pve2/0000:01:00")),
                        new Fault("node-cordoned", "the node is unschedulable", List.of("pve1/0000:01:00")));
            }

            @Override
            public void breakIt(String trap, String card) {
                asked.add("break " + trap + (card.isEmpty() ? "" : " on " + card));
            }

            @Override
            public void repair(String trap) {
                asked.add("repair " + trap);
            }

            @Override
            public void close() {
                asked.add("lab closed");
            }
        };
        labs.put(site.id(), running);
        return running;
    }

    @Override
    public Optional<String> get(String key) {
        return Optional.ofNullable(kept.get(key));
    }

    @Override
    public void set(String key, String value) {
        kept.put(key, value);
    }

    @Override
    public Runnable observe(Consumer<String> listener) {
        return () -> { };
    }

    @Override
    public void add(Overlay overlay, Consumer<Site> done) {
        asked.add("add site");
    }

    @Override
    public void edit(Overlay overlay, Site site, Consumer<Site> done) {
        asked.add("edit " + site.name());
    }

    @Override
    public void onRemoved(Consumer<Site> listener) {
        asked.add("listens for removed sites");
    }
}
