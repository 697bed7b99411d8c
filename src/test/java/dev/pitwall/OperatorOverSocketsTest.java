package dev.pitwall;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.journey.StepTexts;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.consent.ClusterConsent;
import dev.pitwall.journey.operator.NodeChoices;
import dev.pitwall.journey.operator.OperatorSteps;
import dev.pitwall.journey.run.Ladder;
import dev.pitwall.journey.run.Patience;
import dev.pitwall.journey.run.SiteJourney;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.LabPatience;
import dev.pitwall.lab.client.RealClient;
import dev.pitwall.link.LabSystems;
import dev.pitwall.link.SiteSystems;
import dev.pitwall.link.kube.KubeCluster;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.store.DataFolder;
import dev.pitwall.store.Database;
import dev.pitwall.store.RunLocks;
import dev.pitwall.store.SqliteJournal;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** The operator is adopted, installed and taken back over the lab's sockets: real Helm, and operands that take their time. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OperatorOverSocketsTest {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final Patience PATIENCE = LabPatience.real();
    private static final Subject CARD = Workshop.card("pve1", "0000:01:00");

    @TempDir
    private static Path dir;
    private static LabSystems lab;
    private static Database database;
    private static SiteSystems systems;
    private static Cluster cluster;
    private static Helm helm;
    private static SiteJourney journey;

    @BeforeAll
    static void start() throws Exception {
        lab = LabSystems.start(LabOptions.garage(dir.resolve("lab")).withSpeed(100).withLoginPenalty(Duration.ZERO));
        DataFolder folder = new DataFolder(dir.resolve("home")).create();
        database = Database.open(folder);
        systems = lab.open(lab.site());
        cluster = systems.cluster().orElseThrow();
        helm = systems.helm().orElseThrow();
        journey = new SiteJourney(new SiteJourney.Equipment(lab.site().id(), lab.open(lab.site()),
                new CardSurveys(CLOCK, Map::of), new Ladder(OperatorSteps.all(NodeChoices.NONE), StepTexts.load()),
                new SqliteJournal(database), new RunLocks(folder), PATIENCE));
    }

    @AfterAll
    static void stop() {
        journey.close();
        systems.close();
        database.close();
        lab.close();
    }

    private static String say(RunRecord run) {
        return run.note() + " " + run.changes().stream().map(c -> c.state() + " " + c.change().target() + " "
                + c.message().orElse("")).toList();
    }

    /** What an installation leaves traces in. */
    private static List<String> found() throws Exception {
        List<String> found = new ArrayList<>();
        cluster.names(ObjectType.DEFINITION).forEach(d -> found.add("definition " + d.at("/metadata/name").asText()));
        cluster.list(ObjectType.NAMESPACE, "", "").forEach(n -> found.add("namespace " + n.at("/metadata/name").asText()
                + " " + n.at("/metadata/labels")));
        cluster.list(ObjectType.RUNTIME_CLASS, "", "").forEach(r -> found.add("class " + r.at("/metadata/name").asText()));
        cluster.list(ObjectType.NODE, "", "").forEach(n -> n.at("/metadata/labels").properties().stream()
                .filter(l -> l.getKey().startsWith("nvidia.com/") || l.getKey().startsWith("feature.node"))
                .forEach(l -> found.add("label " + n.at("/metadata/name").asText() + " " + l)));
        cluster.list(ObjectType.NODE, "", "").forEach(n -> n.at("/metadata/annotations").properties().stream()
                .filter(l -> l.getKey().startsWith("nvidia.com/") || l.getKey().startsWith("nfd.node"))
                .forEach(l -> found.add("annotation " + n.at("/metadata/name").asText() + " " + l)));
        helm.releases().stream().filter(r -> r.chart().equals("gpu-operator") && !r.status().equals("uninstalled"))
                .forEach(r -> found.add("release " + r.name()));
        return found.stream().sorted().toList();
    }

    private static long operands() throws Exception {
        return cluster.list(ObjectType.POD, "gpu-operator", "").size();
    }

    private static void declare(String manifest) {
        RealClient.named("kubectl", "--kubeconfig", dir.resolve("lab/kubeconfig").toString()).feed(manifest, "apply",
                "--server-side", "--force-conflicts", "--field-manager=argocd-controller", "-f", "-").ok();
    }

    private static Answer look(Map<String, String> choices, String step) throws Exception {
        return journey.look(CARD, Choices.of(choices), Watcher.NONE).step(step).orElseThrow().answer();
    }

    /** The operator of the scene is there. */
    @Test
    @Order(1)
    void fieldsThatAnotherToolDeclaresAreToldBeforeAndTakenOverOnlyWhenThatIsChosen() throws Exception {
        Map<String, String> shares = Map.of("sharing", "time-slicing:4");
        Answer free = look(shares, "sharing");
        assertThat(free.state()).as(free.why()).isEqualTo(State.READY);
        String node = ((ManifestChange) free.changes().getLast()).object().name();
        declare("{apiVersion: v1, kind: Node, metadata: {name: " + node + ", labels: {nodepool: theirs, "
                + "nvidia.com/device-plugin.config: theirs}}}");
        declare("{apiVersion: nvidia.com/v1, kind: ClusterPolicy, metadata: {name: cluster-policy}, spec: {devicePlugin: "
                + "{config: {name: \"\"}}}}");
        declare("{apiVersion: v1, kind: ConfigMap, metadata: {name: pitwall-sharing, namespace: gpu-operator}, data: "
                + "{pitwall-time-slicing-4: theirs}}");

        Answer label = look(Map.of("node-label", "nodepool=gpu"), "taint");
        assertThat(label.state()).isEqualTo(State.BLOCKED);
        assertThat(label.why()).startsWith("metadata.labels.nodepool of nodes/" + node
                + " is kept by Argo CD (field manager argocd-controller, since 2");
        Answer blocked = look(shares, "sharing");
        assertThat(blocked.state()).isEqualTo(State.BLOCKED);
        assertThat(blocked.why()).startsWith("data.pitwall-time-slicing-4 of configmaps/pitwall-sharing in gpu-operator is kept "
                + "by Argo CD").endsWith("and 2 more");

        Choices taking = Choices.of(Map.of("sharing", "time-slicing:4", "take-over", "yes"));
        Answer taken = journey.look(CARD, taking, Watcher.NONE).step("sharing").orElseThrow().answer();
        assertThat(taken.state()).isEqualTo(State.READY);
        assertThat(taken.notes()).anyMatch(n -> n.startsWith("Taken over: ") && n.contains("spec.devicePlugin.config.name of "
                + "clusterpolicies.nvidia.com/cluster-policy") && n.contains("metadata.labels.nvidia.com/device-plugin.config"));
        RunRecord run = journey.walk(CARD, taking, "sharing", Watcher.NONE, new Stop());
        assertThat(run.state()).as(say(run)).isEqualTo(RunRecord.State.DONE);
        RunRecord undone = journey.undo(run.number(), Watcher.NONE, new Stop());
        assertThat(undone.state()).as(say(undone)).isEqualTo(RunRecord.State.DONE);
        assertThat(cluster.get(ObjectRef.of(ObjectType.NODE, node)).orElseThrow().at("/metadata/labels")
                .path("nvidia.com/device-plugin.config").asText()).isEqualTo("theirs");

        declare("{apiVersion: v1, kind: Node, metadata: {name: " + node + "}}");
        cluster.delete(new ObjectRef(ObjectType.CONFIG_MAP, "gpu-operator", "pitwall-sharing"));
    }

    /** Who may only look is told what is missing, and how it is given. */
    @Test
    @Order(2)
    void rightsThatAreMissingAreToldWithTheCommandsThatGiveThem() throws Exception {
        RealClient kubectl = RealClient.named("kubectl", "--kubeconfig", dir.resolve("lab/kubeconfig").toString());
        Answer may = look(Map.of("sharing", "time-slicing:4"), "sharing");
        Situation site = new CardSurveys(CLOCK, Map::of).whole(systems, CARD, Choices.of(Map.of("sharing", "time-slicing:4")));
        try (Cluster asked = KubeCluster.open(new ClusterAccess(List.of(dir.resolve("lab/kubeconfig")),
                Optional.of("garage-viewer")), new NetworkTrouble(new Words()), CLOCK)) {
            ClusterSurvey seen = site.cluster().orElseThrow();
            Situation limited = site.with(Optional.of(new ClusterSurvey(seen.name(), seen.version(), seen.distribution(),
                    seen.objects(), seen.releases(), seen.charts(), seen.unread(), seen.denied(), seen.shown())), Optional.empty());
            Answer told = new ClusterConsent().judged(may, limited, Optional.of(asked));
            assertThat(told.state()).isEqualTo(State.BLOCKED);
            assertThat(told.why()).contains(" may not create configmaps in gpu-operator", "patch nodes");
            // What it says is what gives the rights.
            Matcher commands = Pattern.compile("run \"(.+?)\", or").matcher(String.join(" ", told.notes()));
            assertThat(commands.find()).isTrue();
            for (String command : commands.group(1).split(" && ")) {
                assertThat(command).startsWith("kubectl ");
                kubectl.run(command.substring("kubectl ".length()).split(" ")).ok();
            }
            assertThat(new ClusterConsent().judged(may, limited, Optional.of(asked)).state()).isEqualTo(State.READY);
        }
    }

    @Test
    @Order(3)
    void theOperatorIsAdoptedInstalledAndTakenBack() throws Exception {
        CardPlan adopted = journey.look(CARD, Choices.NONE, Watcher.NONE);
        assertThat(adopted.steps()).extracting(s -> s.id() + " " + s.answer().state() + ": " + s.answer().why())
                .contains("operator DONE: gpu-operator v26.3.2 in gpu-operator, nothing to change",
                        "taint DONE: nvidia.com/gpu=true:NoSchedule");
        assertThat(adopted.step("operands").orElseThrow().answer().state()).isEqualTo(State.DONE);

        // A driver that pods work with cannot be unloaded.
        for (JsonNode server : cluster.list(ObjectType.DEPLOYMENT, "llm", "")) {
            cluster.delete(new ObjectRef(ObjectType.DEPLOYMENT, "llm", server.at("/metadata/name").asText()));
        }
        Awaitility.await().until(() -> cluster.list(ObjectType.POD, "llm", "").isEmpty());
        helm.uninstall("gpu-operator", "gpu-operator", HelmChange.Past.FORGOTTEN, Duration.ofMinutes(2), line -> { });
        Awaitility.await().until(() -> operands() == 0);
        List<String> before = found();

        RunRecord run = journey.walk(CARD, Choices.NONE, "telemetry", Watcher.NONE, new Stop());

        assertThat(run.state()).as(say(run)).isEqualTo(RunRecord.State.DONE);
        String name = adopted.step("operands").orElseThrow().answer().why().split(" ")[0];
        JsonNode node = cluster.get(ObjectRef.of(ObjectType.NODE, name)).orElseThrow();
        assertThat(node.at("/status/allocatable").path("nvidia.com/gpu").asText()).isEqualTo("1");
        RunRecord again = journey.walk(CARD, Choices.NONE, "telemetry", Watcher.NONE, new Stop());
        assertThat(again.state()).as(say(again)).isEqualTo(RunRecord.State.ALREADY_SO);

        RunRecord undone = journey.undo(run.number(), Watcher.NONE, new Stop());

        assertThat(undone.state()).as(say(undone)).isEqualTo(RunRecord.State.DONE);
        Awaitility.await().untilAsserted(() -> assertThat(found()).isEqualTo(before));
    }
}
