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
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.export.Exports;
import dev.pitwall.journey.proof.ProofSteps;
import dev.pitwall.journey.proof.ProofSurveys;
import dev.pitwall.journey.run.Ladder;
import dev.pitwall.journey.run.Patience;
import dev.pitwall.journey.run.SiteJourney;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.LabPatience;
import dev.pitwall.lab.client.RealClient;
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

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Cards are proved and served over the lab's sockets, in a cluster whose operator has done its work. */
class ProofOverSocketsTest {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final Patience PATIENCE = LabPatience.real();
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
        lab = LabSystems.start(LabOptions.garage(dir.resolve("lab")).withSpeed(300).withLoginPenalty(Duration.ZERO));
        folder = new DataFolder(dir.resolve("home")).create();
        database = Database.open(folder);
        journal = new SqliteJournal(database);
        systems = lab.open(lab.site());
        cluster = systems.cluster().orElseThrow();
        journey = journey();
    }

    private static SiteJourney journey() {
        return journey(systems -> systems);
    }

    private static SiteJourney journey(UnaryOperator<Systems> around) {
        String site = lab.site().id();
        return new SiteJourney(new SiteJourney.Equipment(site, around.apply(lab.open(lab.site())),
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

    private static void kubectlTakesTheManifests(CardPlan plan) throws Exception {
        String manifests = Exports.all().stream().filter(e -> e.kind().equals("manifests")).findFirst().orElseThrow()
                .render(plan);
        Path file = Files.writeString(dir.resolve("manifests.yaml"), manifests);
        RealClient kubectl = RealClient.orSkip("kubectl", "--kubeconfig", lab.lab().kubeconfig().toString());
        String said = kubectl.run("apply", "--server-side", "--dry-run=server", "-f", file.toString()).ok();
        assertThat(said.lines()).hasSize(5).allMatch(line -> line.endsWith("serverside-applied (server dry run)"));
    }

    /** A process that is killed right after it has made a pod: nothing that it would do then reaches the cluster. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private static Systems dyingAfter(Systems systems, String pod) {
        AtomicBoolean dead = new AtomicBoolean();
        return proxy(Systems.class, systems, dead, method -> false, found -> found instanceof Optional<?> o
                && o.orElse(null) instanceof Cluster c ? Optional.of(proxy(Cluster.class, c, dead, call -> call.startsWith("create")
                && call.contains(pod) && call.contains("MAKE"), answer -> answer)) : found);
    }

    private static <T> T proxy(Class<T> type, T real, AtomicBoolean dead, Predicate<String> last,
                               UnaryOperator<Object> around) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            if (dead.get() && !method.getName().equals("close")) {
                throw new Killed();
            }
            try {
                Object found = around.apply(method.invoke(real, arguments));
                if (last.test(method.getName() + Arrays.toString(arguments))) {
                    dead.set(true);
                    throw new Killed();
                }
                return found;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    @Test
    void aRunThatIsKilledWhileItsPodRunsIsGoneOnWithAndLeavesNothing() throws Exception {
        Subject card = Workshop.card("pve2", "0000:01:00");
        ObjectRef server = new ObjectRef(ObjectType.DEPLOYMENT, "llm", "ollama-b");
        try (SiteJourney dying = journey(systems -> dyingAfter(systems, "pitwall-vectoradd"))) {
            assertThatThrownBy(() -> dying.walk(card, PAUSE, "proof", Watcher.NONE, new Stop())).isInstanceOf(Killed.class);
        }
        assertThat(list(ObjectType.POD)).anyMatch(p -> p.at("/metadata/name").asText().startsWith("pitwall-vectoradd-pve2"));
        assertThat(cluster.get(server).orElseThrow().at("/spec/replicas").asInt()).isZero();

        RunRecord run = journey.walk(card, PAUSE, "proof", Watcher.NONE, new Stop());

        assertThat(run.state()).as("%s %s", run.note(), messages(run)).isEqualTo(RunRecord.State.DONE);
        assertThat(list(ObjectType.POD)).noneMatch(p -> p.at("/metadata/name").asText().startsWith("pitwall"));
        assertThat(cluster.get(server).orElseThrow().at("/spec/replicas").asInt()).isEqualTo(1);
    }

    @Test
    void aFreeCardIsProvedAndGetsAServerWhoseModelAnswersAndUndoLeavesNothing() throws Exception {
        for (ObjectType type : List.of(ObjectType.DEPLOYMENT, ObjectType.SERVICE, ObjectType.VOLUME_CLAIM)) {
            cluster.delete(new ObjectRef(type, "llm", "ollama-c"));
        }
        Awaitility.await().until(() -> list(ObjectType.POD).stream()
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

        Choices chart = Choices.of(Map.of("model", "smollm2:135m"));
        RunRecord byHelm = journey.walk(card, chart, "server", Watcher.NONE, new Stop());
        assertThat(byHelm.state()).as("%s %s", byHelm.note(), messages(byHelm)).isEqualTo(RunRecord.State.DONE);
        assertThat(messages(byHelm)).anyMatch(m -> m.contains("release ollama-pve3-01-00"));
        assertThat(journey.walk(card, chart, "server", Watcher.NONE, new Stop()).state())
                .isEqualTo(RunRecord.State.ALREADY_SO);
        RunRecord back = journey.undo(byHelm.number(), Watcher.NONE, new Stop());
        assertThat(back.state()).as("%s %s", back.note(), messages(back)).isEqualTo(RunRecord.State.DONE);
        assertThat(objects()).isEqualTo(before);

        // Last, as it is left out where there is no kubectl.
        kubectlTakesTheManifests(journey.look(card, OBJECTS.with("server-namespace", "llm")
                .with("proof-since", CLOCK.instant().toString()), Watcher.NONE));
    }
}
