package dev.pitwall.lab.kube.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.scene.SceneException;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.ssh.Layer;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimelineTest {
    private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");
    private static final String NODE = "rke2-worker-dc1-gpu-a";

    private final Map<String, String> notes = new TreeMap<>();
    private Map<String, String> mounted = Map.of();
    private Inside.Cards cards = Inside.Cards.NONE;
    private World world;
    private InsideMachines machines;

    @BeforeEach
    void garage() throws SceneException {
        world = new World(new LabClock(InstantSource.fixed(START)), 1);
        SceneWorld.fill(world, new SceneFile().bundled("garage"));
        machines = new InsideMachines(world, ImageTools.load());
    }

    private Timeline timeline(String image) {
        return new Timeline(machines, new Inside(NODE, "box", "10.42.1.7", image, Map.of("PATH", "/bin", "COLOUR", "red"),
                "/", 0, mounted, List.of(), path -> path.startsWith("/etc/app"), cards, List.of("sh")), START, notes);
    }

    private static List<String> sh(String text) {
        return List.of("sh", "-c", text);
    }

    private Timeline.Outcome look(String text, Duration after) {
        return timeline("docker.io/library/busybox:latest").look(sh(text), START.plus(after));
    }

    private List<String> log(String text, Duration after) {
        return timeline("docker.io/library/busybox:latest").log(sh(text), START.plus(after)).stream()
                .map(LogSource.Line::text).toList();
    }

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '@', value = {"exit 7@7", "true@0", "false@1", "nope@127", "sleep 1; exit 2@2",
        "sleep x@1", "[ a = b ]@1", "timeout 2 sleep 60@143", "timeout 2 sleep infinity@143", "timeout 9 true@0",
        "wget -qO- http://web@127", "exec sh -c 'exit 6'@6", "test -f /etc/hostname@0", "cat /nothing@1",
        "if [ $COLOUR = red ]; then exit 4; fi@4", "echo a | grep -q b@1", "(exit 5)@5", "if then@2"})
    void aCommandLineEndsAsItsShellWouldEnd(String text, int status) {
        assertThat(look(text, seconds(100))).isInstanceOfSatisfying(Timeline.Outcome.Exited.class,
                exited -> assertThat(exited.status()).isEqualTo(status));
    }

    @Test
    void itsEndIsKnownBeforeItComes() {
        assertThat(look("sleep 90; echo done", seconds(1))).isInstanceOfSatisfying(Timeline.Outcome.Exited.class,
                exited -> assertThat(exited.at()).isBetween(START.plusSeconds(90), START.plusSeconds(91)));
        assertThat(log("sleep 90; echo done", seconds(80))).isEmpty();
        assertThat(log("sleep 90; echo done", seconds(92))).containsExactly("done");
    }

    @Test
    void anEndlessLoopIsLookedAtSeldomAndGoesOnForHours() {
        String loop = "while true; do date; sleep 5; done";
        Instant now = START;
        int looks = 0;
        while (now.isBefore(START.plus(Duration.ofHours(6)))) {
            assertThat(look(loop, Duration.between(START, now))).isInstanceOf(Timeline.Outcome.GoesOn.class);
            now = ((Timeline.Outcome.GoesOn) look(loop, Duration.between(START, now))).again();
            looks++;
        }
        assertThat(looks).isLessThan(10);
        assertThat(log(loop, Duration.ofHours(6)).size()).isBetween(4_310, 4_321);
    }

    @Test
    void aLoopThatNeverWaitsGoesOnAndCostsAnEnd() {
        assertThat(look("while true; do :; done", Duration.ofHours(1))).isEqualTo(
                new Timeline.Outcome.GoesOn(Instant.MAX));
    }

    @Test
    void linesHaveTheirOwnMoments() {
        List<LogSource.Line> lines = timeline("docker.io/library/busybox:latest")
                .log(sh("echo one; sleep 10; printf two; echo three"), START.plusSeconds(60));
        assertThat(lines).extracting(LogSource.Line::text).containsExactly("one", "twothree");
        assertThat(lines.getLast().at()).isBetween(START.plusSeconds(10), START.plusSeconds(11));
    }

    @Test
    void itWaitsForWhatOthersWrite() {
        String wait = "until [ -f /work/go ]; do sleep 5; done; echo gone on";
        assertThat(look(wait, seconds(12))).isInstanceOf(Timeline.Outcome.GoesOn.class);
        mounted = Map.of("/work/go", "");
        assertThat(look(wait, seconds(21))).isInstanceOf(Timeline.Outcome.Exited.class);
        List<String> told = log(wait, seconds(21));
        assertThat(told).containsExactly("gone on");
        mounted = Map.of();
        assertThat(log(wait, seconds(21))).as("its past stays what it was").isEqualTo(told);
    }

    @Test
    void whatItSawOfACardStaysInItsLog() {
        cards = new Inside.Cards(Set.of("all"), "", false);
        String text = "nvidia-smi --query-gpu=memory.used --format=csv,noheader; sleep 10; nvidia-smi -L";
        assertThat(log(text, seconds(5))).as("nobody has looked yet").isEmpty();
        assertThat(look(text, seconds(5))).isInstanceOf(Timeline.Outcome.GoesOn.class);
        List<String> first = log(text, seconds(5));
        assertThat(first).hasSize(1).first().asString().endsWith(" MiB");
        world.change(w -> w.nodes.get(NODE).cards.forEach(id -> w.cards.get(id).memoryUsedMiB = 4321));
        look(text, seconds(20));
        assertThat(log(text, seconds(20))).hasSize(2).startsWith(first.getFirst());
        assertThat(log(text, seconds(20)).getLast()).startsWith("GPU 0: NVIDIA RTX A1000");
    }

    @Test
    void withoutACardThereIsNoProgramForIt() {
        look("nvidia-smi; echo $?", seconds(5));
        assertThat(log("nvidia-smi; echo $?", seconds(5))).containsExactly("sh: nvidia-smi: not found", "127");
    }

    @Test
    void aShareOfACardIsThatCard() {
        String uuid = world.read(w -> w.cards.get(w.nodes.get(NODE).cards.iterator().next()).uuid);
        cards = new Inside.Cards(Set.of(uuid + "::2"), "", false);
        look("nvidia-smi -L", seconds(5));
        assertThat(log("nvidia-smi -L", seconds(5))).singleElement().asString().contains(uuid);
    }

    @Test
    void librariesOfAnotherReleaseThanTheModuleDoNotWork() {
        cards = new Inside.Cards(Set.of("all"), "570.86.15", false);
        look("nvidia-smi", seconds(5));
        assertThat(log("nvidia-smi", seconds(5)).getFirst())
                .isEqualTo("Failed to initialize NVML: Driver/library version mismatch");
    }

    @Test
    void itsFilesAreThereUpToAMoment() {
        List<String> words = sh("echo a > /tmp/x; sleep 10; echo b >> /tmp/x; echo c > /etc/app/x");
        assertThat(text(timeline("docker.io/library/busybox:latest").files(words, START.plusSeconds(5)))).isEqualTo("a\n");
        assertThat(text(timeline("docker.io/library/busybox:latest").files(words, START.plusSeconds(15)))).isEqualTo("a\nb\n");
        assertThat(log(words.getLast(), seconds(15))).containsExactly(
                "sh: can't create /etc/app/x: Read-only file system");
    }

    private static String text(Map<String, byte[]> files) {
        return new String(files.get("/tmp/x"), StandardCharsets.UTF_8);
    }

    @Test
    void eachImageSpeaksAsItsShell() {
        Map.of("docker.io/library/alpine:3.22", "sh: nope: not found", "docker.io/library/debian:13",
                "sh: 1: nope: not found").forEach((image, said) -> assertThat(timeline(image)
                .log(sh("nope"), START.plusSeconds(1)).getFirst().text()).isEqualTo(said));
        assertThat(timeline("docker.io/library/ubuntu:24.04").log(List.of("bash", "-c", "nope"), START.plusSeconds(1))
                .getFirst().text()).isEqualTo("bash: nope: command not found");
    }

    @Test
    void everyProgramOfAnImageIsRunOrSaysThatItIsNot() {
        for (String image : List.of("docker.io/library/busybox:1", "docker.io/library/ubuntu:24.04",
                "docker.io/nvidia/cuda:12.6.0-base-ubuntu24.04", "nvcr.io/nvidia/driver:580.95.05-ubuntu24.04")) {
            Inside inside = new Inside(NODE, "box", "", image, Map.of(), "/", 0, Map.of(), List.of(), path -> false,
                    Inside.Cards.NONE, List.of());
            var machine = machines.machine(inside, new Layer(path -> false), world.clock());
            var commands = machines.commands(inside, machine);
            assertThat(machines.tools(image).programs()).as(image).isNotEmpty().allSatisfy(name ->
                    assertThat(commands.find(name, machine.state())).as(name).isPresent());
        }
    }
}
