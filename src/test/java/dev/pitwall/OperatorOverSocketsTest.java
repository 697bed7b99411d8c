package dev.pitwall;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.journey.StepTexts;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.operator.NodeChoices;
import dev.pitwall.journey.operator.OperatorSteps;
import dev.pitwall.journey.run.Ladder;
import dev.pitwall.journey.run.Patience;
import dev.pitwall.journey.run.SiteJourney;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.LabPatience;
import dev.pitwall.link.LabSystems;
import dev.pitwall.link.SiteSystems;
import dev.pitwall.store.DataFolder;
import dev.pitwall.store.Database;
import dev.pitwall.store.RunLocks;
import dev.pitwall.store.SqliteJournal;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** The operator is adopted, installed and taken back over the lab's sockets: real Helm, and operands that take their time. */
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
        helm.releases().stream().filter(r -> r.chart().equals("gpu-operator") && !r.status().equals("uninstalled"))
                .forEach(r -> found.add("release " + r.name()));
        return found.stream().sorted().toList();
    }

    private static long operands() throws Exception {
        return cluster.list(ObjectType.POD, "gpu-operator", "").size();
    }

    @Test
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
