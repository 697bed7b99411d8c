package dev.pitwall;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.PciAddress;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.journey.StepTexts;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Talos;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.export.Exports;
import dev.pitwall.journey.node.NodeSteps;
import dev.pitwall.journey.run.Death;
import dev.pitwall.journey.run.Ladder;
import dev.pitwall.journey.run.Patience;
import dev.pitwall.journey.run.SiteJourney;
import dev.pitwall.journey.talos.ExtensionPart;
import dev.pitwall.journey.talos.ToolkitPart;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.LabPatience;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.link.LabSystems;
import dev.pitwall.store.DataFolder;
import dev.pitwall.store.Database;
import dev.pitwall.store.RunLocks;
import dev.pitwall.store.SqliteJournal;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Talos worker without NVIDIA extensions gets its driver over the lab's sockets, and is brought back to the byte. */
class TalosWalkTest {
    private static final String NODE = "talos-gpu-4090";
    private static final Subject CARD = new Subject("ember/0000:01:00", "RTX 4090", "ember",
            PciAddress.parse("0000:01:00").orElseThrow());
    private static final InstantSource CLOCK = InstantSource.system();
    private static final Patience PATIENCE = LabPatience.real();
    private static final int MOST_DEATHS = 60;

    @TempDir
    private static Path dir;
    private static LabSystems lab;
    private static DataFolder folder;
    private static Database database;
    private static Journal journal;

    @BeforeAll
    static void start() throws Exception {
        lab = LabSystems.start(LabOptions.garage(dir.resolve("lab")).withScene("talos").withSpeed(500)
                .withFaults(List.of("talos-extension-not-installed@ember/0000:01:00")));
        folder = new DataFolder(dir.resolve("home")).create();
        database = Database.open(folder);
        journal = new SqliteJournal(database);
        try (Systems systems = lab.open(lab.site())) {
            withoutModules(systems.talos().orElseThrow());
        }
    }

    /** The fault leaves them named; here nobody has begun. */
    private static void withoutModules(Talos talos) throws Exception {
        JsonNode none = new YAMLMapper().readTree("{machine: {kernel: {modules: null}}}");
        String address = node(n -> n.address);
        talos.setConfig(address, talos.config(address, none), none, Earnest.MAKE);
    }

    @AfterAll
    static void stop() {
        database.close();
        lab.close();
    }

    private static <T> T node(Function<LabNode, T> look) {
        return lab.lab().world().read(w -> look.apply(w.nodes.get(NODE)));
    }

    private static Ladder ladder() {
        return new Ladder(NodeSteps.all(new ExtensionPart()::look, new ToolkitPart()::look), StepTexts.load());
    }

    private interface Work<T> {
        T on(SiteJourney engine) throws Exception;
    }

    /** As a process of its own has it. */
    private static <T> T engine(Journal kept, UnaryOperator<Systems> around, Work<T> work) throws Exception {
        try (Systems systems = lab.open(lab.site());
             SiteJourney engine = new SiteJourney(new SiteJourney.Equipment(lab.site().id(), around.apply(systems),
                     new CardSurveys(CLOCK, Map::of),
                     ladder(), kept, new RunLocks(folder), PATIENCE))) {
            return work.on(engine);
        }
    }

    private static <T> T engine(Work<T> work) throws Exception {
        return engine(journal, systems -> systems, work);
    }

    private static RunRecord walk(SiteJourney engine) throws Exception {
        return engine.walk(CARD, Choices.NONE, "runtime", Watcher.NONE, new Stop());
    }

    /** What the node is made of and runs. */
    private record Condition(String version, List<String> extensions, String schematic, String config, boolean loaded) {
        static Condition now() {
            return node(n -> new Condition(n.talos.orElseThrow().version, List.copyOf(n.talos.orElseThrow().extensions),
                    n.talos.orElseThrow().schematic, n.talos.orElseThrow().savedConfig,
                    n.talos.orElseThrow().modules.contains("nvidia")));
        }
    }

    private static boolean takesPods() throws Exception {
        try (Systems systems = lab.open(lab.site())) {
            return systems.cluster().orElseThrow().get(ObjectRef.of(
                    ObjectType.NODE, NODE)).orElseThrow().at("/spec/unschedulable").isMissingNode();
        }
    }

    @Test
    void fromNoExtensionsToADriverThatHasTheCardAndBackWhoeverDiesMeanwhile() throws Exception {
        Condition before = Condition.now();
        assertThat(before.extensions).noneMatch(name -> name.contains("nvidia"));
        CardPlan plan = engine(engine -> engine.look(CARD, Choices.NONE, Watcher.NONE));
        assertThat(plan.steps()).extracting(s -> s.answer().state()).as("%s", plan.steps())
                .containsExactly(State.READY, State.WAITING);
        assertThat(plan.changes()).hasExactlyElementsOfTypes(TalosUpgrade.class, TalosConfigChange.class);
        String export = Exports.all().stream().filter(e -> e.kind().equals("talos-patch")).findFirst().orElseThrow().render(plan);
        assertThat(export).contains("siderolabs/nvidia-open-gpu-kernel-modules-production", "talosctl -n " + node(n -> n.address)
                + " upgrade --image ", "- name: nvidia_uvm", "patch machineconfig --mode=no-reboot");

        RunRecord run = engine(TalosWalkTest::walk);

        assertThat(run.state()).as("%s", run.note()).isEqualTo(RunRecord.State.DONE);
        Condition reached = Condition.now();
        assertThat(reached.loaded).isTrue();
        assertThat(reached.extensions).containsExactly("siderolabs/nvidia-container-toolkit-production",
                "siderolabs/nvidia-open-gpu-kernel-modules-production", "siderolabs/qemu-guest-agent");
        assertThat(reached.version).isEqualTo(before.version);
        assertThat(takesPods()).isTrue();
        assertThat(engine(TalosWalkTest::walk).state()).isEqualTo(RunRecord.State.ALREADY_SO);

        RunRecord undo = engine(engine -> engine.undo(run.number(), Watcher.NONE, new Stop()));

        assertThat(undo.state()).as("%s", undo.note()).isEqualTo(RunRecord.State.DONE);
        assertThat(Condition.now()).isEqualTo(before);
        assertThat(takesPods()).isTrue();
        diesEverywhere(before, reached);
    }

    private void diesEverywhere(Condition before, Condition reached) throws Exception {
        Set<String> deaths = new LinkedHashSet<>();
        RunRecord run = dying(deaths, TalosWalkTest::walk);
        assertThat(run.state()).as("%s", run.note()).isIn(RunRecord.State.DONE, RunRecord.State.ALREADY_SO);
        assertThat(deaths).as("%s", deaths).anyMatch(d -> d.startsWith("after upgrade")).anyMatch(d -> d.startsWith("after reboot"))
                .anyMatch(d -> d.startsWith("after setConfig")).anyMatch(d -> d.startsWith("after post"));
        assertThat(Condition.now()).isEqualTo(reached);
        assertThat(takesPods()).isTrue();

        RunRecord made = journal.runs(lab.site().id(), 50).stream().filter(r -> r.changes().stream()
                .anyMatch(c -> c.state() == ChangeRecord.State.DONE) && r.undoes().isEmpty()).findFirst().orElseThrow();
        dying(new LinkedHashSet<>(), engine -> journal.run(made.number()).orElseThrow().state() == RunRecord.State.UNDONE
                && journal.unfinished(lab.site().id()).isEmpty() ? made
                : engine.undo(made.number(), Watcher.NONE, new Stop()));
        assertThat(Condition.now()).isEqualTo(before);
        assertThat(takesPods()).isTrue();
    }

    private static RunRecord dying(Set<String> deaths, Work<RunRecord> work) throws Exception {
        for (int processes = 0; processes < MOST_DEATHS; processes++) {
            Death death = Death.afterAnyBut(deaths);
            try {
                return engine(death.of(journal), death::of, work);
            } catch (Death.Killed e) {
                assertThat(deaths).hasSize(processes + 1);
            }
        }
        throw new AssertionError("it never ends: " + deaths);
    }
}
