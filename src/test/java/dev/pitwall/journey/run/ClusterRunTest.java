package dev.pitwall.journey.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.Floor;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.StepTexts;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HelmChange.Traces;
import dev.pitwall.journey.change.HelmChange.Wanted;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.change.Tree;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.LabPatience;
import dev.pitwall.lab.client.RealClient;
import dev.pitwall.lab.helm.RealHelm;
import dev.pitwall.link.LabSystems;
import dev.pitwall.link.SiteSystems;
import dev.pitwall.site.Supply;
import dev.pitwall.store.DataFolder;
import dev.pitwall.store.Database;
import dev.pitwall.store.SqliteJournal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Runs that change a cluster, on the lab's over its sockets: guarded, killed anywhere and gone on with, taken back. */
class ClusterRunTest {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Patience PATIENCE = LabPatience.real();
    private static final List<Logger> PITWALLS = Stream.of("dev.pitwall.journey", "dev.pitwall.link", "dev.pitwall.store")
            .map(name -> (Logger) LoggerFactory.getLogger(name)).toList();
    private static final String SPACE = "proving";
    private static final ObjectRef NAMESPACE = ObjectRef.of(ObjectType.NAMESPACE, SPACE);
    private static final ObjectRef MAP = new ObjectRef(ObjectType.CONFIG_MAP, SPACE, "sharing");
    private static final ObjectRef POD = new ObjectRef(ObjectType.POD, SPACE, "hello");

    @TempDir
    private static Path dir;
    private static LabSystems lab;
    private static SiteSystems open;
    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        lab = LabSystems.start(LabOptions.garage(dir).withScene("metal").withSpeed(200));
        open = lab.open(lab.site());
        cluster = open.cluster().orElseThrow();
    }

    @AfterAll
    static void stop() {
        open.close();
        lab.close();
    }

    private static JsonNode yaml(String text) {
        try {
            return YAML.readTree(text);
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A host that nothing is done to, and the lab's cluster. */
    private static Systems systems(Rig rig) {
        return systems(rig, FakeHost.NAME);
    }

    private static Systems systems(Rig rig, String host) {
        return new Systems() {
            @Override
            public String identity(String name) {
                return host;
            }

            @Override
            public Machine machine(String name) throws TroubleException {
                return rig.host.machine;
            }

            @Override
            public Proxmox proxmox(String node) {
                return rig.host.proxmox;
            }

            @Override
            public Optional<Cluster> cluster() throws TroubleException {
                return open.cluster();
            }

            @Override
            public Optional<Helm> helm() throws TroubleException {
                return open.helm();
            }

            @Override
            public String address(Supply supply) {
                return open.address(supply);
            }

            @Override
            public void close() {
            }
        };
    }

    private static SiteJourney engine(Rig rig, String site, Systems systems, Journal journal, Supplier<List<Change>> changes) {
        Step step = new Step() {
            @Override
            public String id() {
                return "operator";
            }

            @Override
            public Floor floor() {
                return Floor.DISCOVERY;
            }

            @Override
            public Answer look(Situation situation) {
                return isDone() ? Answer.of(Answer.State.DONE, "there", List.of())
                        : Answer.ready("not there", List.of(), changes.get());
            }
        };
        return new SiteJourney(new SiteJourney.Equipment(site, systems, rig.surveys(), new Ladder(List.of(step),
                StepTexts.load()), journal, rig.locks, PATIENCE));
    }

    private static boolean isDone() {
        try {
            return cluster.get(MAP).filter(map -> Tree.holds(map, yaml("data: {replicas: \"4\"}"))).isPresent();
        } catch (TroubleException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Change> changes() {
        return List.of(
                ManifestChange.making(cluster.name(), NAMESPACE, yaml("metadata: {labels: {a: b}}"), "namespace"),
                ManifestChange.making(cluster.name(), MAP, yaml("data: {replicas: \"4\"}"), "configuration"),
                new ManifestChange(cluster.name(), node(), Optional.of(yaml("metadata: {labels: {proving/a: null}}")),
                        Optional.of(yaml("metadata: {labels: {proving/a: x}}")), Risk.NONE, "label"),
                new PodRun(cluster.name(), POD, yaml("""
                        spec:
                          restartPolicy: Never
                          activeDeadlineSeconds: 300
                          containers: [{name: main, image: "docker.io/library/hello-world:latest"}]
                        """), "card", "Hello from Docker!", LIMIT, LIMIT, "a pod that says hello"));
    }

    private static ObjectRef node() {
        return ObjectRef.of(ObjectType.NODE, "anvil");
    }

    private static String label() throws Exception {
        return cluster.get(node()).orElseThrow().at("/metadata/labels").path("proving/a").asText();
    }

    private static void nothingIsLeft() {
        await().untilAsserted(() -> {
            assertThat(cluster.get(NAMESPACE)).isEmpty();
            assertThat(label()).isEmpty();
        });
    }

    private static RunRecord walk(SiteJourney engine) throws Exception {
        return engine.walk(Rig.CARD, Choices.NONE, "operator", Watcher.NONE, new Stop());
    }

    @Test
    void aRunThatDiesAnywhereIsGoneOnWithAndTakenBack() throws Exception {
        int points = 0;
        for (boolean died = true; died; points++) {
            Rig rig = new Rig();
            Systems systems = systems(rig);
            // Every second point is one after something: what is before the next is the same state.
            Death death = Death.at(2 * points + 2);
            SiteJourney dying = engine(rig, Rig.SITE, death.of(systems), death.of(rig.journal), ClusterRunTest::changes);
            Death.Killed killed = catchThrowableOfType(Death.Killed.class, () -> walk(dying));
            died = killed != null;
            SiteJourney next = engine(rig, Rig.SITE, systems, rig.journal, ClusterRunTest::changes);
            RunRecord run = died ? walk(next) : rig.journal.runs(Rig.SITE, 1).getFirst();
            assertThat(run.state()).as("%d: %s", points, run).isIn(RunRecord.State.DONE, RunRecord.State.ALREADY_SO);
            assertThat(label()).isEqualTo("x");
            assertThat(isDone()).isTrue();
            assertThat(cluster.get(POD)).as("%d", points).isEmpty();
            for (RunRecord made : rig.journal.runs(Rig.SITE, 9)) {
                if (made.changes().stream().anyMatch(c -> c.started().isPresent())) {
                    RunRecord undone = next.undo(made.number(), Watcher.NONE, new Stop());
                    assertThat(undone.state()).as("%d: %s", points, undone).isEqualTo(RunRecord.State.DONE);
                }
            }
            await().untilAsserted(() -> assertThat(cluster.get(NAMESPACE)).as("%s", rig.journal.runs(Rig.SITE, 9))
                    .isEmpty());
            nothingIsLeft();
        }
        assertThat(points).isGreaterThan(8);
    }

    /** What another tool declares, by real kubectl. */
    private static RealClient kubectl() {
        Path kubeconfig = dir.resolve("lab/kubeconfig").toFile().exists() ? dir.resolve("lab/kubeconfig")
                : dir.resolve("kubeconfig");
        return RealClient.named("kubectl", "--kubeconfig", kubeconfig.toString());
    }

    private static void declare(String manifest) {
        kubectl().feed(manifest, "apply", "--server-side", "--force-conflicts", "--field-manager=argocd-controller", "-f",
                "-").ok();
    }

    private static ManifestChange on(ObjectRef object, String before, String after) {
        return new ManifestChange(cluster.name(), object, Optional.of(yaml(before)), Optional.of(yaml(after)), Risk.NONE, "set");
    }

    private static void refused(ManifestChange change, String field) throws Exception {
        ManifestMaking making = new ManifestMaking(change, cluster, PATIENCE);
        assertThat(making.standing(Optional.empty())).isInstanceOfSatisfying(Standing.Other.class, other ->
                assertThat(other.what()).startsWith(field + " of " + change.object()
                        + " is kept by Argo CD (field manager argocd-controller, since 2"));
        TroubleException refused = catchThrowableOfType(TroubleException.class, () -> making.make(Optional.empty()));
        assertThat(refused.trouble().sentence()).contains(field + " of ", "which would write it back");
    }

    @Test
    void aFieldThatAnotherManagerDeclaresIsRefusedAndTakenOverOnlyWhenThatIsChosen() throws Exception {
        declare("{apiVersion: v1, kind: Node, metadata: {name: anvil, labels: {proving/kept: theirs}}, spec: {taints: "
                + "[{key: proving, value: theirs, effect: PreferNoSchedule}]}}");
        declare("{apiVersion: v1, kind: Namespace, metadata: {name: kept, labels: {proving/kept: theirs}}}");
        declare("{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: kept}, data: {a: theirs}}");
        ObjectRef space = ObjectRef.of(ObjectType.NAMESPACE, "kept");
        String label = "metadata: {labels: {proving/kept: %s}}";
        refused(on(node(), label.formatted("theirs"), label.formatted("ours")), "metadata.labels.proving/kept");
        refused(on(node(), label.formatted("theirs"), label.formatted("null")), "metadata.labels.proving/kept");
        refused(on(node(), "spec: {taints: [{key: proving, value: theirs, effect: PreferNoSchedule}]}",
                "spec: {taints: [{key: proving, value: theirs, effect: PreferNoSchedule}, {key: a, effect: PreferNoSchedule}]}"),
                "spec.taints");
        refused(on(space, label.formatted("theirs"), label.formatted("ours")), "metadata.labels.proving/kept");
        refused(on(new ObjectRef(ObjectType.CONFIG_MAP, "kept", "one"), "data: {a: theirs}", "data: {a: ours}"), "data.a");
        assertThat(catchThrowableOfType(TroubleException.class, () -> new ManifestMaking(new ManifestChange(cluster.name(),
                space, Optional.of(yaml("{}")), Optional.empty(), Risk.NONE, "away"), cluster, PATIENCE).make(Optional.empty()))
                .trouble().what()).startsWith("others have something in it");

        // A field beside it is nobody's; one that only was set is followed.
        kubectl().run("label", "node", "anvil", "proving/set=theirs").ok();
        new ManifestMaking(on(node(), "metadata: {labels: {proving/set: theirs, proving/new: null}}",
                "metadata: {labels: {proving/set: ours, proving/new: x}}"), cluster, PATIENCE).make(Optional.empty());

        ManifestChange taken = on(node(), label.formatted("theirs"), label.formatted("ours")).takingOver();
        new ManifestMaking(taken, cluster, PATIENCE).make(Optional.empty());
        assertThat(cluster.get(node()).orElseThrow().at("/metadata/labels").path("proving/kept").asText()).isEqualTo("ours");
        new ManifestMaking(taken.inverse(), cluster, PATIENCE).make(Optional.empty());
        assertThat(cluster.get(node()).orElseThrow().at("/metadata/labels").path("proving/kept").asText()).isEqualTo("theirs");
        declare("{apiVersion: v1, kind: Node, metadata: {name: anvil}}");
        cluster.patch(node(), yaml("{metadata: {labels: {proving/set: null, proving/new: null, proving/kept: null}}, spec: "
                + "{taints: null}}"), "", Earnest.MAKE);
        cluster.delete(space);
    }

    @Test
    void whatHasChangedSinceThePreviewStopsTheRunBeforeItWrites() throws Exception {
        Rig rig = new Rig();
        SiteJourney engine = engine(rig, Rig.SITE, systems(rig), rig.journal, ClusterRunTest::changes);
        var plan = engine.look(Rig.CARD, Choices.NONE, Watcher.NONE);
        cluster.create(NAMESPACE, yaml("metadata: {labels: {theirs: \"yes\"}}"), Earnest.MAKE);
        RunRecord run = engine.apply(plan, List.of("operator"), Watcher.NONE, new Stop());
        assertThat(run.state()).isEqualTo(RunRecord.State.STOPPED);
        assertThat(run.note().orElseThrow()).contains("namespaces/proving is there already, and is another one");
        assertThat(cluster.get(MAP)).isEmpty();
        cluster.delete(NAMESPACE);
        nothingIsLeft();
    }

    @Test
    void aPodThatDoesNotSayItIsRemovedAndItsLastLineIsTold() throws Exception {
        cluster.create(NAMESPACE, yaml("{}"), Earnest.MAKE);
        PodRun other = new PodRun(cluster.name(), POD, ((PodRun) changes().getLast()).manifest(), "card", "Test PASSED", LIMIT,
                LIMIT, "a proof");
        TroubleException failed = catchThrowableOfType(TroubleException.class,
                () -> new PodRunMaking(other, cluster, PATIENCE).make(Optional.of("begun")));
        assertThat(failed.trouble().what()).contains("without \"Test PASSED\"").contains("Hello from Docker!");
        await().untilAsserted(() -> assertThat(cluster.get(POD)).isEmpty());
        PodRun nowhere = new PodRun(cluster.name(), POD, yaml("""
                spec:
                  restartPolicy: Never
                  nodeSelector: {no: where}
                  containers: [{name: main, image: "docker.io/library/hello-world:latest"}]
                """), "card", "x", Duration.ofSeconds(1), Duration.ofSeconds(1), "a proof");
        TroubleException late = catchThrowableOfType(TroubleException.class,
                () -> new PodRunMaking(nowhere, cluster, PATIENCE).make(Optional.of("begun")));
        assertThat(late.trouble().what()).startsWith("it did not end within 1 s: 0/1 nodes are available");
        await().untilAsserted(() -> assertThat(cluster.get(POD)).isEmpty());
        cluster.delete(NAMESPACE);
        nothingIsLeft();
    }

    @Test
    void aNamespaceThatOthersUseOrThatAFinalizerHoldsIsTold() throws Exception {
        ManifestChange making = (ManifestChange) changes().getFirst();
        new ManifestMaking(making, cluster, PATIENCE).make(Optional.empty());
        cluster.create(new ObjectRef(ObjectType.CONFIG_MAP, SPACE, "theirs"), yaml("{}"), Earnest.MAKE);
        ManifestMaking away = new ManifestMaking(making.inverse(), cluster, PATIENCE);
        Trouble used = catchThrowableOfType(TroubleException.class, () -> away.make(Optional.empty())).trouble();
        assertThat(used.what()).isEqualTo("others have something in it, which would go with it: configmaps/theirs");
        cluster.delete(new ObjectRef(ObjectType.CONFIG_MAP, SPACE, "theirs"));

        ObjectRef held = new ObjectRef(ObjectType.namespaced("", "v1", "serviceaccounts", "ServiceAccount"), SPACE, "held");
        cluster.create(held, yaml("metadata: {finalizers: [example.org/keep]}"), Earnest.MAKE);
        // Each look at its clock is some minutes later.
        AtomicInteger minutes = new AtomicInteger();
        Patience hurried = new Patience(() -> Instant.EPOCH.plus(Duration.ofMinutes(minutes.addAndGet(2))),
                PATIENCE.pause(), PATIENCE.poll(), Duration.ZERO, Duration.ZERO);
        await().untilAsserted(() -> {
            Trouble stuck = catchThrowableOfType(TroubleException.class, () -> new ManifestMaking(making.inverse(), cluster,
                    hurried).make(Optional.empty())).trouble();
            assertThat(stuck.what()).startsWith("it is deleted and does not go since 3 min: ").contains("serviceaccounts")
                    .contains("example.org/keep");
        });
        cluster.patch(held, yaml("metadata: {finalizers: null}"), "", Earnest.MAKE);
        nothingIsLeft();
    }

    @Test
    void twoSitesDoNotChangeOneClusterAtOnceAndTheOtherRunIsNamed() throws Exception {
        Rig rig = new Rig();
        Systems systems = systems(rig);
        SiteJourney first = engine(rig, "one", systems, rig.journal, ClusterRunTest::changes);
        SiteJourney second = engine(rig, "two", systems(rig, "another host"), rig.journal, ClusterRunTest::changes);
        List<Trouble> refused = new ArrayList<>();
        Watcher meanwhile = line -> {
            if (line.text().startsWith("change 1 of")) {
                refused.add(catchThrowableOfType(TroubleException.class, () -> walk(second)).trouble());
            }
        };
        RunRecord run = first.walk(Rig.CARD, Choices.NONE, "operator", meanwhile, new Stop());
        assertThat(run.state()).isEqualTo(RunRecord.State.DONE);
        assertThat(refused).singleElement().satisfies(trouble -> {
            assertThat(trouble.kind()).isEqualTo(Trouble.Kind.BUSY);
            assertThat(trouble.sentence()).isEqualTo(cluster.name() + ": run 1 (" + run.title() + ") changes it since "
                    + run.started());
        });
        assertThat(rig.journal.runs("two", 1).getFirst().state()).isEqualTo(RunRecord.State.STOPPED);
        assertThat(first.undo(1, Watcher.NONE, new Stop()).state()).isEqualTo(RunRecord.State.DONE);
        nothingIsLeft();
    }

    /** Of Helm's part only the ends: before its work and after it. */
    @Test
    void aRunThatDiesBeforeOrAfterHelmsWorkIsGoneOnWithAndTakenBack() throws Exception {
        RealHelm.require();
        String charts = open.address(Supply.OLLAMA_CHARTS);
        String version = open.helm().orElseThrow().versions(charts, "ollama").getFirst();
        Supplier<List<Change>> changes = () -> List.of(changes().get(0), new HelmChange(cluster.name(), SPACE, "o",
                Optional.empty(), Optional.of(new Wanted("ollama", version, charts, Optional.empty(), yaml("{a: null}"))),
                List.of(), Traces.NONE, LIMIT, LIMIT), changes().get(1));
        for (String point : List.of("before install", "after install")) {
            Rig rig = new Rig();
            Systems systems = systems(rig);
            Death death = Death.when(what -> what.startsWith(point));
            SiteJourney dying = engine(rig, Rig.SITE, death.of(systems), death.of(rig.journal), changes);
            assertThat(catchThrowableOfType(Death.Killed.class, () -> walk(dying))).as(point).isNotNull();
            SiteJourney next = engine(rig, Rig.SITE, systems, rig.journal, changes);
            assertThat(walk(next).state()).as(point).isEqualTo(RunRecord.State.DONE);
            assertThat(open.helm().orElseThrow().releases()).anyMatch(r -> r.name().equals("o") && r.revision() == 1
                    && r.status().equals("deployed"));
            assertThat(next.undo(1, Watcher.NONE, new Stop()).state()).as(point).isEqualTo(RunRecord.State.DONE);
            nothingIsLeft();

            Rig second = new Rig();
            Systems same = systems(second);
            Death again = Death.when(what -> what.startsWith(point));
            SiteJourney dies = engine(second, Rig.SITE, again.of(same), again.of(second.journal), changes);
            assertThat(catchThrowableOfType(Death.Killed.class, () -> walk(dies))).as(point).isNotNull();
            RunRecord undone = engine(second, Rig.SITE, same, second.journal, changes).undo(1, Watcher.NONE, new Stop());
            assertThat(undone.state()).as("%s", undone).isEqualTo(RunRecord.State.DONE);
            nothingIsLeft();
        }
    }

    /** As somebody has installed it, with a password among its values. */
    @Test
    void aPasswordInAReleaseStaysInTheCluster() throws Exception {
        RealHelm.require();
        String secret = "correct-horse-battery";
        Helm helm = open.helm().orElseThrow();
        String charts = open.address(Supply.OLLAMA_CHARTS);
        String version = helm.versions(charts, "ollama").getFirst();
        cluster.create(NAMESPACE, yaml("{}"), Earnest.MAKE);
        helm.install(new Helm.Order(SPACE, "o", charts, "ollama", version, yaml("{extraEnv: [{name: API_PASSWORD, value: "
                + secret + "}], auth: {password: " + secret + "}}")), LIMIT, line -> { });
        Supplier<List<Change>> changes = () -> List.of(new HelmChange(cluster.name(), SPACE, "o",
                Optional.of(new HelmChange.Revision(1, "ollama", version)), Optional.of(new Wanted("ollama", version, charts,
                Optional.of(1), yaml("{replicaCount: 0}"))), List.of(), Traces.NONE, LIMIT, LIMIT), changes().get(1));
        StringBuilder seen = new StringBuilder();
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        PITWALLS.forEach(logger -> {
            logger.addAppender(log);
            logger.setAdditive(false);
            logger.setLevel(Level.TRACE);
        });
        Path home = dir.resolve("home");
        try (Database database = Database.open(new DataFolder(home).create())) {
            Rig rig = new Rig();
            Watcher watcher = line -> seen.append(line).append('\n');
            Journal journal = new SqliteJournal(database);
            SiteJourney engine = engine(rig, Rig.SITE, systems(rig), journal, changes);
            RunRecord run = engine.walk(Rig.CARD, Choices.NONE, "operator", watcher, new Stop());
            assertThat(run.state()).as("%s", run).isEqualTo(RunRecord.State.DONE);
            assertThat(helm.values(SPACE, "o", 2).orElseThrow().at("/auth/password").asText()).isEqualTo(secret);
            assertThat(engine.undo(run.number(), watcher, new Stop()).state()).isEqualTo(RunRecord.State.DONE);
            seen.append(journal.runs(Rig.SITE, 9));
        } finally {
            PITWALLS.forEach(logger -> {
                logger.detachAppender(log);
                logger.setAdditive(true);
                logger.setLevel(null);
            });
        }
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                seen.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        synchronized (log) {
            log.list.forEach(e -> seen.append(e.getFormattedMessage()).append('\n'));
        }
        seen.append(Files.readString(Path.of("/proc/self/cmdline"), StandardCharsets.ISO_8859_1));
        assertThat(seen.toString()).contains("helm upgrade o ollama").doesNotContain(secret);
        helm.uninstall(SPACE, "o", HelmChange.Past.FORGOTTEN, LIMIT, line -> { });
        cluster.delete(NAMESPACE);
        nothingIsLeft();
    }
}
