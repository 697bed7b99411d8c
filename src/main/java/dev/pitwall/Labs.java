package dev.pitwall;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.LabRequest;
import dev.pitwall.cli.ServeLab;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.scene.Fleet;
import dev.pitwall.lab.scene.SceneIndex;
import dev.pitwall.site.PracticeLab;
import dev.pitwall.site.Site;
import dev.pitwall.store.SessionSecrets;
import dev.pitwall.store.SiteFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Starts practice labs, for the window as sites and for the command line as endpoints. */
final class Labs implements PracticeLab, ServeLab, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Labs.class);
    private final Path folder;
    private final SessionSecrets secrets;
    private final Map<String, RunningLab> running = new HashMap<>();

    /** @param folder where labs of the window keep their files */
    Labs(Path folder, SessionSecrets secrets) {
        this.folder = folder;
        this.secrets = secrets;
    }

    @Override
    public List<Scene> scenes() {
        return new SceneIndex().entries().stream()
                .map(e -> new Scene(e.name(), e.summary(), e.available())).toList();
    }

    @Override
    public Running start(String scene) throws TroubleException {
        return start(scene, 1);
    }

    /** @param speed lab seconds a real second, where it does not run yet */
    synchronized Running start(String scene, double speed) throws TroubleException {
        RunningLab lab = running.get(scene);
        if (lab == null) {
            lab = new RunningLab(scene, Lab.start(LabOptions.garage(free(scene)).withScene(scene).withSpeed(speed)));
            running.put(scene, lab);
        }
        return lab;
    }

    /** A folder in which no lab runs: two windows, or a window and a command, may show the same scene at once. */
    private Path free(String scene) {
        Path dir = folder.resolve(scene);
        for (int n = 2; Lab.isRunningIn(dir); n++) {
            dir = folder.resolve(scene + "-" + n);
        }
        return dir;
    }

    @Override
    public synchronized Optional<Running> running(Site site) {
        return running.values().stream().filter(lab -> lab.site.id().equals(site.id())).map(lab -> (Running) lab)
                .findFirst();
    }

    @Override
    public Served start(LabRequest request) throws TroubleException {
        return new ServedLab(Lab.start(options(request)));
    }

    @Override
    public List<ServeLab.Fault> faults(LabRequest request) throws TroubleException {
        return Lab.faultsOf(options(request)).stream().map(f -> new ServeLab.Fault(f.trap(), f.summary())).toList();
    }

    private static LabOptions options(LabRequest request) throws TroubleException {
        LabOptions options = LabOptions.garage(request.dir()).withScene(request.scene()).withFaults(request.faults())
                .withGround(request.bare() ? LabOptions.Ground.BARE : LabOptions.Ground.AS_IT_IS).withSeed(request.seed()).withSpeed(speed(request));
        return request.sized() ? options.withFleet(size(request)) : options;
    }

    private static double speed(LabRequest request) throws TroubleException {
        if (!(request.speed() > 0 && request.speed() <= 1000)) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, "--speed",
                    request.speed() + " is no speed for the lab", "Give a number over 0 and at most 1000."));
        }
        return request.speed();
    }

    private static Fleet.Size size(LabRequest request) {
        int hosts = request.hosts().orElse(Fleet.Size.USUAL.hosts());
        int cards = request.cards().orElse(hosts * 2);
        int nodes = request.nodes().orElse(Math.max(Fleet.Size.USUAL.nodes(), cards + 3));
        return new Fleet.Size(hosts, cards, nodes, request.pods().orElse(nodes * 10));
    }

    @Override
    public synchronized void close() {
        List.copyOf(running.values()).forEach(RunningLab::close);
    }

    private final class RunningLab implements Running {
        private final String scene;
        private final Lab lab;
        private final Site site;

        RunningLab(String scene, Lab lab) throws TroubleException {
            this.scene = scene;
            this.lab = lab;
            SiteFile.Loaded loaded = new SiteFile(lab.siteFile()).read();
            this.site = loaded.site();
            secrets.add(site, loaded.secrets());
        }

        @Override
        public Site site() {
            return site;
        }

        @Override
        public List<PracticeLab.Fault> faults() {
            return lab.possibleFaults().stream().map(f -> new PracticeLab.Fault(f.trap(), f.summary(), f.cards())).toList();
        }

        @Override
        public void breakIt(String trap, String card) throws TroubleException {
            lab.switchOn(trap, card.isBlank() ? Optional.empty() : Optional.of(card));
        }

        @Override
        public void repair(String trap) {
            lab.switchOff(trap);
        }

        @Override
        public void close() {
            synchronized (Labs.this) {
                running.remove(scene, this);
            }
            lab.close();
            LOG.debug("lab {} closed", scene);
        }
    }

    private record ServedLab(Lab lab) implements Served {
        @Override
        public List<Endpoint> endpoints() {
            return lab.endpoints().stream().map(e -> new Endpoint(e.system(), e.name(), e.uri().toString())).toList();
        }

        @Override
        public List<Login> logins() {
            return lab.logins().stream().map(l -> new Login(l.system(), l.user(), l.password(), l.totp())).toList();
        }

        @Override
        public Path siteFile() {
            return lab.siteFile();
        }

        @Override
        public Path kubeconfig() {
            return lab.dir().resolve("kubeconfig");
        }

        @Override
        public void close() {
            lab.close();
        }
    }
}
