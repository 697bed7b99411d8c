package dev.pitwall;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.OpenSite;
import dev.pitwall.doctor.Doctor;
import dev.pitwall.doctor.SiteDoctor;
import dev.pitwall.doctor.live.LiveDoctor;
import dev.pitwall.doctor.live.Practice;
import dev.pitwall.engine.charge.Charge;
import dev.pitwall.engine.charge.LeaseKeeper;
import dev.pitwall.engine.charge.Terms;
import dev.pitwall.engine.figure.FigureHistory;
import dev.pitwall.engine.figure.FigureLog;
import dev.pitwall.engine.live.EnginePace;
import dev.pitwall.engine.live.EngineRecord;
import dev.pitwall.engine.live.LiveEngine;
import dev.pitwall.engine.live.SiteEngine;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.StepTexts;
import dev.pitwall.journey.guest.GuestSteps;
import dev.pitwall.journey.host.HostSteps;
import dev.pitwall.journey.proof.LastProofs;
import dev.pitwall.journey.proof.ProofSteps;
import dev.pitwall.journey.proof.ProofSurveys;
import dev.pitwall.journey.node.NodeSteps;
import dev.pitwall.journey.operator.NodeChoices;
import dev.pitwall.journey.operator.OperatorSteps;
import dev.pitwall.journey.run.Ladder;
import dev.pitwall.journey.run.Patience;
import dev.pitwall.journey.run.SiteJourney;
import dev.pitwall.journey.talos.ExtensionPart;
import dev.pitwall.journey.talos.ToolkitPart;
import dev.pitwall.link.HostLinks;
import dev.pitwall.link.HostReach;
import dev.pitwall.link.SiteDrivers;
import dev.pitwall.link.SiteSystems;
import dev.pitwall.link.SystemLinks;
import dev.pitwall.link.SystemReach;
import dev.pitwall.link.TimeLimits;
import dev.pitwall.link.kube.ClusterReach;
import dev.pitwall.link.kube.KubeconfigFiles;
import dev.pitwall.link.ssh.KnownHosts;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.settings.Preferences;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.KubeconfigCatalog;
import dev.pitwall.site.LastGood;
import dev.pitwall.site.LiveSite;
import dev.pitwall.site.LiveSites;
import dev.pitwall.site.PracticeLab;
import dev.pitwall.site.Reachability;
import dev.pitwall.site.Proofs;
import dev.pitwall.site.ReadIntervals;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.Sessions;
import dev.pitwall.site.Site;
import dev.pitwall.site.Sites;
import dev.pitwall.store.DataFolder;
import dev.pitwall.store.Database;
import dev.pitwall.store.RunLocks;
import dev.pitwall.store.SessionSecrets;
import dev.pitwall.store.SiteFile;
import dev.pitwall.store.SqliteEngine;
import dev.pitwall.store.SqliteFigures;
import dev.pitwall.store.SqliteJournal;
import dev.pitwall.store.SqliteLastGood;
import dev.pitwall.store.SqlitePreferences;
import dev.pitwall.store.SqliteSites;
import dev.pitwall.store.secret.KeptSecrets;
import dev.pitwall.store.secret.Passphrase;
import dev.pitwall.ui.settings.UserSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The one place that knows everybody: it builds the adapters and hands them on by constructor. What a command does not
 * need is not built.
 */
final class Wiring implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);

    /** After that, "was" says nothing about a homelab any more. */
    private static final Duration KEPT_FOR = Duration.ofDays(90);

    private final InstantSource clock = InstantSource.system();
    private final DataFolder folder;
    private final SessionSecrets secrets;
    private final NetworkTrouble troubles = new NetworkTrouble(new Words());
    private final Labs labs;
    private Optional<Database> database = Optional.empty();
    private Optional<SqlitePreferences> preferences = Optional.empty();

    /** @throws TroubleException if there is no folder to keep anything in */
    Wiring() throws TroubleException {
        this.folder = DataFolder.ofThisProcess().create();
        this.secrets = new SessionSecrets(KeptSecrets.of(folder, Passphrase.FROM_ENVIRONMENT));
        this.labs = new Labs(folder.path().resolve("lab"), secrets);
    }

    InstantSource clock() {
        return clock;
    }

    DataFolder folder() {
        return folder;
    }

    SessionSecrets secrets() {
        return secrets;
    }

    NetworkTrouble troubles() {
        return troubles;
    }

    Labs labs() {
        return labs;
    }

    synchronized Database database() throws TroubleException {
        if (database.isEmpty()) {
            database = Optional.of(Database.open(folder));
        }
        return database.get();
    }

    Sites sites() throws TroubleException {
        return new SqliteSites(database(), secrets);
    }

    synchronized Preferences preferences() throws TroubleException {
        if (preferences.isEmpty()) {
            preferences = Optional.of(SqlitePreferences.load(database(), Runnable::run));
        }
        return preferences.get();
    }

    KubeconfigCatalog kubeconfigs() {
        return new KubeconfigFiles();
    }

    Optional<Path> agentSocket() {
        return Optional.ofNullable(System.getenv("SSH_AUTH_SOCK")).filter(s -> !s.isBlank()).map(Path::of);
    }

    KnownHosts knownHosts() {
        return new KnownHosts(List.of(Path.of(System.getProperty("user.home"), ".ssh", "known_hosts"),
                Path.of("/etc/ssh/ssh_known_hosts")));
    }

    /** @param tested the secrets that tests go with */
    Reachability reachability(Secrets tested) {
        HostReach hosts = new HostReach(tested, clock, TimeLimits.usual(), troubles, knownHosts(), agentSocket());
        return new SystemReach(hosts, new ClusterReach(TimeLimits.usual(), troubles, clock));
    }

    /** @param secondFactor asks the person, where one is there */
    LiveSites liveSites(SecondFactor secondFactor) {
        return new Sessions(new SystemLinks(hostLinks(secondFactor), TimeLimits.usual(), troubles, clock),
                this::intervals, clock, this::memory, this::proofs);
    }

    private HostLinks hostLinks(SecondFactor secondFactor) {
        return new HostLinks(secrets, secondFactor, clock, TimeLimits.usual(), troubles, knownHosts(), agentSocket());
    }

    Journal journal() throws TroubleException {
        return new SqliteJournal(database());
    }

    /** The steps of all cards, from the host up. */
    static Ladder ladder() {
        List<Step> node = NodeSteps.all(new ExtensionPart()::look, new ToolkitPart()::look);
        return new Ladder(Stream.of(HostSteps.all(), GuestSteps.all(), node, OperatorSteps.all(new NodeChoices(node)),
                ProofSteps.all()).flatMap(List::stream).toList(), StepTexts.load());
    }

    /**
     * The wizard of a site.
     *
     * @param secondFactor asks the person, where one is there
     * @param nodes        the cluster's nodes by SMBIOS UUID, as they are known now
     */
    Journey journey(Site site, SecondFactor secondFactor, Supplier<Map<String, String>> nodes) throws TroubleException {
        return journey(site, secondFactor, nodes, ladder(), journal());
    }

    /** The same without reading anything, for a thread that must not block. */
    Journey journey(Site site, SecondFactor secondFactor, Supplier<Map<String, String>> nodes, Ladder ladder,
                    Journal journal) {
        return new SiteJourney(new SiteJourney.Equipment(site.id(),
                new SiteSystems(site, hostLinks(secondFactor), troubles, clock),
                new ProofSurveys(new CardSurveys(clock, nodes), journal, site.id(), clock), ladder, journal,
                new RunLocks(folder), Patience.usual(clock)));
    }

    /** The Doctor of a connected site. It reads what the site's wizard reads, on connections of its own. */
    SiteDoctor doctor(LiveSite live, SecondFactor secondFactor) throws TroubleException {
        return doctor(live, secondFactor, Doctor.withCatalogue(), ladder(), journal());
    }

    /** The same without reading anything, for a thread that must not block. */
    SiteDoctor doctor(LiveSite live, SecondFactor secondFactor, Doctor doctor, Ladder ladder, Journal journal) {
        Site site = live.site();
        return new LiveDoctor(new Practice(doctor, live, new SiteSystems(site, hostLinks(secondFactor), troubles, clock),
                new ProofSurveys(new CardSurveys(clock, live::nodes), journal, site.id(), clock), ladder, journal,
                new RunLocks(folder), Patience.usual(clock)));
    }

    /**
     * The engine of a connected site, started. It only watches until there is something to decide, and contacts nobody on the
     * thread that calls this.
     */
    LiveEngine engine(LiveSite live) {
        return engine(live, Optional.empty(), _ -> { });
    }

    /** The same that decides from the start. @param namespace of the engines' Lease; empty takes that of one that is there */
    LiveEngine engine(LiveSite live, Optional<String> namespace) {
        return engine(live, namespace, Charge::claim);
    }

    private LiveEngine engine(LiveSite live, Optional<String> namespace, Consumer<Charge> begin) {
        Site site = live.site();
        SiteDrivers drivers = new SiteDrivers(site, TimeLimits.usual(), troubles, clock);
        Charge charge = drivers.leases(namespace).<Charge>map(leases ->
                new LeaseKeeper(leases, EngineName::ofThisProcess, Terms.usual(), clock)).orElse(Charge.ALONE);
        begin.accept(charge);
        SiteEngine engine = new SiteEngine(live, drivers, () -> engineRecord(site),
                new FigureLog(site.name(), () -> figureHistory(site), clock), charge, clock, EnginePace.usual());
        engine.start();
        return engine;
    }

    private EngineRecord engineRecord(Site site) {
        try {
            return isSaved(site) ? new SqliteEngine(database(), site.id()) : EngineRecord.NONE;
        } catch (TroubleException e) {
            LOG.warn("{}", e.trouble().sentence());
            return EngineRecord.NONE;
        }
    }

    private FigureHistory figureHistory(Site site) {
        try {
            return isSaved(site) ? new SqliteFigures(database(), site.id()) : FigureHistory.NONE;
        } catch (TroubleException e) {
            LOG.warn("{}", e.trouble().sentence());
            return FigureHistory.NONE;
        }
    }

    private boolean isSaved(Site site) throws TroubleException {
        return sites().all().stream().anyMatch(s -> s.id().equals(site.id()));
    }

    /** Only a saved site can be opened again, so only its answers are kept: those of labs and files end with the run. */
    private Optional<LastGood> memory(Site site) {
        try {
            if (!isSaved(site)) {
                return Optional.empty();
            }
            LastGood kept = new SqliteLastGood(database());
            kept.forgetBefore(clock.instant().minus(KEPT_FOR));
            return Optional.of(kept);
        } catch (TroubleException e) {
            LOG.warn("{}", e.trouble().sentence());
            return Optional.empty();
        }
    }

    private Proofs proofs(Site site) {
        try {
            return new LastProofs(journal(), site.id());
        } catch (TroubleException e) {
            LOG.warn("{}", e.trouble().sentence());
            return Proofs.NONE;
        }
    }

    /** A settings store that cannot be read must not keep a site from being read. */
    private ReadIntervals intervals() {
        try {
            return ReadIntervals.every((int) new UserSettings(preferences()).refresh().toSeconds());
        } catch (TroubleException e) {
            LOG.warn("{}", e.trouble().sentence());
            return ReadIntervals.usual();
        }
    }

    /** Opens what {@code --site} names; without a name, a fresh lab. */
    OpenSite open(String nameOrFile) throws TroubleException {
        LiveSites live = liveSites(SecondFactor.NONE);
        if (nameOrFile == null) {
            PracticeLab.Running lab = labs.start("garage");
            return new OpenSite(live.open(lab.site(), view -> { }), lab);
        }
        return new OpenSite(live.open(site(nameOrFile), view -> { }), () -> { });
    }

    /**
     * The site of this name, or in this file: a site file, or a kubeconfig, which makes a site of one cluster.
     *
     * @throws TroubleException if there is neither, or the file is not understood
     */
    Site site(String nameOrFile) throws TroubleException {
        if (nameOrFile.isBlank()) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, "--site", "the name is empty", savedNames()));
        }
        Path file = Path.of(nameOrFile);
        if (Files.exists(file)) {
            return looksLikeKubeconfig(file) ? clusterSite(file) : siteFile(file);
        }
        Optional<Site> saved = sites().byName(nameOrFile);
        if (saved.isEmpty()) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, "--site " + nameOrFile,
                    "there is no saved site and no file of this name", savedNames()));
        }
        return saved.get();
    }

    private String savedNames() throws TroubleException {
        List<String> names = sites().all().stream().map(Site::name).toList();
        return names.isEmpty() ? "No site is saved yet; give a site file, or add a site in the window."
                : "Saved sites: " + String.join(", ", names) + ".";
    }

    Site siteFile(Path file) throws TroubleException {
        SiteFile.Loaded loaded = new SiteFile(file).read();
        secrets.add(loaded.site(), loaded.secrets());
        return loaded.site();
    }

    private static boolean looksLikeKubeconfig(Path file) {
        String name = file.getFileName().toString();
        return !name.endsWith(".json") && Files.isRegularFile(file) && KubeconfigSniff.isKubeconfig(file);
    }

    private Site clusterSite(Path file) throws TroubleException {
        KubeconfigCatalog.Found found = kubeconfigs().read(List.of(file));
        if (found.trouble().isPresent()) {
            throw new TroubleException(found.trouble().get());
        }
        String name = found.current().orElse(file.getFileName().toString());
        return new Site("kubeconfig " + file.toAbsolutePath(), name, List.of(), List.of(),
                Optional.of(new ClusterAccess(List.of(file), Optional.empty())), Optional.empty(), List.of(), false);
    }

    @Override
    public void close() {
        labs.close();
        preferences.ifPresent(SqlitePreferences::close);
        database.ifPresent(Database::close);
    }
}
