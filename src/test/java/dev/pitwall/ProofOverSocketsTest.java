package dev.pitwall;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.journey.StepTexts;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.proof.ProofSteps;
import dev.pitwall.journey.proof.ProofSurveys;
import dev.pitwall.journey.run.Ladder;
import dev.pitwall.journey.run.Patience;
import dev.pitwall.journey.run.SiteJourney;
import dev.pitwall.lab.LabOptions;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Cards are proved and served over the lab's sockets, in a cluster whose operator has done its work. */
class ProofOverSocketsTest {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final Patience PATIENCE = new Patience(CLOCK, time -> TimeUnit.NANOSECONDS.sleep(time.toNanos()),
            Duration.ofMillis(50), Duration.ofSeconds(30), Duration.ofSeconds(10));
    private static final Choices PAUSE = Choices.of(Map.of("proof-held", "pause"));
    private static final Choices OBJECTS = Choices.of(Map.of("server", "ollama-manifests", "model", "smollm2:135m"));

    @TempDir
    private static Path dir;
    private static LabSystems lab;
    private static Database database;
    private static DataFolder folder;
    private static Journal journal;
    private static SiteSystems systems;
    private static Cluster cluster;
    private static SiteJourney journey;

    @BeforeAll
    static void start() throws Exception {
        lab = LabSystems.start(LabOptions.garage(dir.resolve("lab")).withSpeed(60).withLoginPenalty(Duration.ZERO));
        folder = new DataFolder(dir.resolve("home")).create();
        database = Database.open(folder);
        journal = new SqliteJournal(database);
        systems = lab.open(lab.site());
        cluster = systems.cluster().orElseThrow();
        journey = journey();
    }

    private static SiteJourney journey() {
        String site = lab.site().id();
        return new SiteJourney(new SiteJourney.Equipment(site, lab.open(lab.site()),
                new ProofSurveys(new CardSurveys(CLOCK, Map::of), journal, site, CLOCK),
                new Ladder(ProofSteps.all(), StepTexts.load()), journal, new RunLocks(folder), PATIENCE));
    }

    @AfterAll
    static void stop() {
        journey.close();
        systems.close();
        database.close();
        lab.close();
    }

    private static List<String> objects() throws Exception {
        return Stream.of(ObjectType.NAMESPACE, ObjectType.POD, ObjectType.DEPLOYMENT, ObjectType.SERVICE, ObjectType.VOLUME_CLAIM)
                .flatMap(type -> list(type).stream().map(o -> type.kind() + " " + o.at("/metadata/namespace").asText()
                        + "/" + o.at("/metadata/name").asText())).filter(n -> n.contains("pitwall") || n.contains("ollama"))
                .filter(n -> !n.startsWith("Pod ") || !n.contains("/ollama")).toList();
    }

    private static List<JsonNode> list(ObjectType type) {
        try {
            return cluster.list(type, "", "");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> messages(RunRecord run) {
        return run.changes().stream().map(c -> c.state() + " " + c.change().target() + " " + c.message().orElse("")).toList();
    }

    @Test
    void aCardThatServesIsProvedWhileItsServerPauses() throws Exception {
        Subject card = Workshop.card("pve1", "0000:01:00");
        CardPlan plan = journey.look(card, Choices.NONE, Watcher.NONE);
        assertThat(plan.step("proof").orElseThrow().answer().state()).isEqualTo(State.BLOCKED);
        assertThat(plan.step("proof").orElseThrow().answer().why()).contains("held by llm/ollama-a", "proof-held=pause");
        assertThat(plan.step("server").orElseThrow().answer().state()).isEqualTo(State.DONE);

        RunRecord run = journey.walk(card, PAUSE, "server", Watcher.NONE, new Stop());

        assertThat(run.state()).as("%s %s", run.note(), messages(run)).isEqualTo(RunRecord.State.DONE);
        assertThat(messages(run)).anyMatch(m -> m.contains("Test PASSED")).anyMatch(m -> m.contains("GPU-5f3c2a91"));
        assertThat(cluster.get(new ObjectRef(ObjectType.DEPLOYMENT, "llm", "ollama-a")).orElseThrow()
                .at("/spec/replicas").asInt()).isEqualTo(1);
        assertThat(list(ObjectType.POD)).noneMatch(p -> p.at("/metadata/name").asText().startsWith("pitwall"));
        RunRecord again = journey.walk(card, PAUSE, "proof", Watcher.NONE, new Stop());
        assertThat(again.state()).isEqualTo(RunRecord.State.ALREADY_SO);
    }

    @Test
    void aFreeCardIsProvedAndGetsAServerWhoseModelAnswersAndUndoLeavesNothing() throws Exception {
        for (ObjectType type : List.of(ObjectType.DEPLOYMENT, ObjectType.SERVICE, ObjectType.VOLUME_CLAIM)) {
            cluster.delete(new ObjectRef(type, "llm", "ollama-c"));
        }
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> list(ObjectType.POD).stream()
                .noneMatch(p -> p.at("/metadata/name").asText().startsWith("ollama-c")));
        List<String> before = objects();
        Subject card = Workshop.card("pve3", "0000:01:00");

        RunRecord run = journey.walk(card, OBJECTS, "server", Watcher.NONE, new Stop());

        assertThat(run.state()).as("%s %s", run.note(), messages(run)).isEqualTo(RunRecord.State.DONE);
        assertThat(messages(run)).anyMatch(m -> m.contains("Test PASSED")).anyMatch(m -> m.contains("all of it on the card"));
        RunRecord again = journey.walk(card, OBJECTS, "server", Watcher.NONE, new Stop());
        assertThat(again.state()).as("%s", again.note()).isEqualTo(RunRecord.State.ALREADY_SO);
        RunRecord undone = journey.undo(run.number(), Watcher.NONE, new Stop());
        assertThat(undone.state()).as("%s %s", undone.note(), messages(undone)).isEqualTo(RunRecord.State.DONE);
        assertThat(objects()).isEqualTo(before);
    }
}
