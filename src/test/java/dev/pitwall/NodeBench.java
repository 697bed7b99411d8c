package dev.pitwall;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.PciAddress;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.run.Patience;
import dev.pitwall.journey.proof.ProofSurveys;
import dev.pitwall.journey.run.SiteJourney;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.LabPatience;
import dev.pitwall.lab.world.World;
import dev.pitwall.link.LabSystems;
import dev.pitwall.store.DataFolder;
import dev.pitwall.store.Database;
import dev.pitwall.store.RunLocks;
import dev.pitwall.store.SqliteJournal;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A bare scene, and the wizard on it. */
final class NodeBench implements AutoCloseable {
    private static final double SPEED = 500;
    private static final InstantSource CLOCK = InstantSource.system();
    private static final Patience PATIENCE = LabPatience.real();

    private final LabSystems lab;
    private final Database database;
    private final Systems systems;
    private final SiteJourney journey;

    NodeBench(Path dir, String scene) throws Exception {
        lab = LabSystems.start(LabOptions.garage(dir.resolve("lab")).withScene(scene).withGround(LabOptions.Ground.BARE)
                .withSpeed(SPEED).withLoginPenalty(Duration.ZERO));
        DataFolder folder = new DataFolder(dir.resolve("home")).create();
        database = Database.open(folder);
        Journal journal = new SqliteJournal(database);
        systems = lab.open(lab.site());
        journey = new SiteJourney(new SiteJourney.Equipment(lab.site().id(), systems, 
                new ProofSurveys(new CardSurveys(CLOCK, Map::of), journal, lab.site().id(), CLOCK), Wiring.ladder(), journal,
                new RunLocks(folder), PATIENCE));
    }

    static Situation.Subject card(String host, String slot) {
        return new Situation.Subject(host + "/" + slot, "card", host, PciAddress.parse(slot).orElseThrow());
    }

    static Choices choices(String... pairs) {
        Choices choices = Choices.NONE;
        for (int i = 0; i < pairs.length; i += 2) {
            choices = choices.with(pairs[i], pairs[i + 1]);
        }
        return choices;
    }

    World world() {
        return lab.lab().world();
    }

    CardPlan look(Situation.Subject card, Choices choices) throws Exception {
        return journey.look(card, choices, Watcher.NONE);
    }

    /** What a look up to a step asks, as a system and a call each. */
    List<String> asked(Situation.Subject card, Choices choices, String last) throws Exception {
        List<String> calls = new CopyOnWriteArrayList<>();
        journey.look(card, choices, last, line -> calls.add(line.system() + ": " + line.text()));
        return calls;
    }

    Answer step(CardPlan plan, String id) {
        return plan.steps().stream().filter(s -> s.id().equals(id)).findFirst().orElseThrow().answer();
    }

    RunRecord walk(Situation.Subject card, Choices choices, String last) throws Exception {
        return journey.walk(card, choices, last, Watcher.NONE, new Stop());
    }

    RunRecord undo(long run) throws Exception {
        return journey.undo(run, Watcher.NONE, new Stop());
    }

    Cluster cluster() throws Exception {
        return systems.cluster().orElseThrow();
    }

    /** Makes an object, and waits until its node has it. */
    void create(ObjectRef pod, String manifest) throws Exception {
        cluster().create(pod, new YAMLMapper().readTree(manifest), Cluster.Earnest.MAKE);
        await().until(() -> cluster().get(pod)
                .filter(p -> p.at("/status/phase").asText().equals("Running")).isPresent());
    }

    /** What a shell prints. */
    String run(String machine, String... command) throws Exception {
        Ran ran = systems.machine(machine).run(command);
        return ran.output() + ran.errors();
    }

    /** Packages and files of a machine, a line each. */
    List<String> disk(String machine) throws Exception {
        String packages = run(machine, "dpkg-query", "-W");
        String files = run(machine, "sh", "-c", "find /etc /boot /usr/lib/modprobe.d -type f | xargs sha256sum");
        assertThat(files).contains("/etc/os-release");
        return Stream.concat(packages.lines(), files.lines().sorted()).toList();
    }

    @Override
    public void close() {
        journey.close();
        systems.close();
        database.close();
        lab.close();
    }
}
