package dev.pitwall;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabLogin;
import dev.pitwall.lab.LabOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import static org.assertj.core.api.Assertions.assertThat;

/** The wizard's commands against a lab in which nothing is set up, over its sockets, as a person would call them. */
class JourneyCommandsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** No pod is waited for: how nodes are drained is no matter of the commands. */
    private static final String[] CARD = {"--card", "pve1", "--set", "vm=110", "--set", "drain=skip", "--to", "vm"};

    @TempDir
    private static Path dir;
    private static Lab lab;

    @BeforeAll
    static void startLab() throws Exception {
        lab = Lab.start(LabOptions.garage(dir.resolve("lab")).withScene("workshop").withSpeed(500));
    }

    @AfterAll
    static void stopLab() {
        lab.close();
    }

    private record Answer(int exit, String out, String err) {
        JsonNode json() throws IOException {
            return JSON.readTree(out);
        }
    }

    private static Answer pitwall(String command, String... more) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = new Commands(new PrintWriter(out), new PrintWriter(err)).run(Stream.concat(
                Stream.of(command, "--site", lab.siteFile().toString()), Stream.of(more)).toArray(String[]::new));
        assertThat(err.toString()).doesNotContain("Exception").doesNotContain("\tat ");
        return new Answer(exit, out.toString(), err.toString());
    }

    private static Answer onCard(String command, String... more) {
        return pitwall(command, Stream.concat(Stream.of(CARD), Stream.of(more)).toArray(String[]::new));
    }

    private static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    private static List<String> results(JsonNode run) {
        return list(run.path("steps")).stream().map(s -> s.path("step").asText() + " " + s.path("result").asText()).toList();
    }

    @Test
    void aCardGoesFromNothingIntoTheGuestAndBackAgain() throws Exception {
        Answer before = onCard("plan", "--json");
        assertThat(before.exit()).as(before.err()).isZero();
        assertThat(before.json().path("card").asText()).isEqualTo("pve1/0000:01:00");

        assertThat(list(before.json().path("steps"))).filteredOn(s -> s.path("step").asText().equals("attach")).singleElement()
                .satisfies(s -> {
                    assertThat(s.path("state").asText()).isEqualTo("waiting");
                    assertThat(s.path("changes")).isEmpty();
                    assertThat(list(s.path("foreseen"))).extracting(c -> c.path("target").asText()).containsExactly(
                            "/cluster/mapping/pci/gpu-pve1-01-00", "/nodes/pve1/qemu/110/config");
                });

        Answer unasked = onCard("apply");
        assertThat(unasked.exit()).isEqualTo(2);
        assertThat(unasked.err()).contains("--yes");
        assertThat(unasked.out()).contains("GRUB_CMDLINE_LINUX_DEFAULT").contains("once that is done:")
                .contains("hostpci0: mapping=gpu-pve1-01-00").contains("Power-cycle VM 110");

        Answer applied = onCard("apply", "--yes", "--json");
        assertThat(applied.exit()).as(applied.out() + applied.err()).isZero();
        assertThat(results(applied.json())).contains("iommu done", "bind done", "attach done", "power-cycle done",
                "guest done");
        assertThat(applied.err()).contains("update-grub").contains("systemctl reboot");
        assertThat(applied.err().indexOf("once that is done:")).as("the plan comes first").isPositive()
                .isLessThan(applied.err().indexOf("systemctl reboot"));
        String run = applied.json().path("run").asText();

        Answer again = onCard("apply", "--yes", "--json");
        assertThat(again.exit()).isZero();
        assertThat(results(again.json())).contains("iommu already-so", "guest already-so").noneMatch(r -> r.endsWith(" done"));

        Answer undone = pitwall("undo", "--run", run, "--yes", "--json");
        assertThat(undone.exit()).as(undone.out() + undone.err()).isZero();
        assertThat(results(undone.json())).contains("iommu undone", "bind undone", "attach undone");

        assertThat(changes(onCard("plan", "--json").json())).as("the same bytes as before")
                .isEqualTo(changes(before.json()));
        Answer journal = pitwall("journal", "--json");
        assertThat(list(journal.json().path("runs"))).filteredOn(r -> r.path("run").asText().equals(run)).singleElement()
                .satisfies(r -> assertThat(r.path("state").asText()).isEqualTo("undone"));
        assertThat(pitwall("journal", "--run", run).out()).contains("/etc/modprobe.d/zz-pitwall.conf").contains("+blacklist");
        nothingHoldsASecret(applied, undone, journal, pitwall("journal", "--run", run, "--json"));
    }

    /** What the plan would change, which tells what is there; pods come and go. */
    private static List<String> changes(JsonNode plan) {
        return list(plan.path("steps")).stream().flatMap(s -> list(s.path("changes")).stream())
                .map(c -> c.path("target") + "\n" + c.path("before") + "\n" + c.path("after")).toList();
    }

    private static void nothingHoldsASecret(Answer... answers) throws IOException {
        List<String> secrets = Stream.concat(lab.logins().stream().map(LabLogin::password),
                Stream.of(JSON.readTree(lab.siteFile().toFile()).at("/proxmox/0/secret").asText())).toList();
        assertThat(secrets).doesNotContain("");
        for (Answer answer : answers) {
            assertThat(answer.out() + answer.err()).doesNotContain(secrets);
        }
        try (Stream<Path> kept = Files.list(Path.of(System.getProperty("pitwall.home")))) {
            for (Path file : kept.filter(f -> f.getFileName().toString().startsWith("pitwall.db")).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)).doesNotContain(secrets);
            }
        }
    }

    @Test
    void badUseNamesWhatThereIs() {
        assertThat(pitwall("plan", "--card", " ")).satisfies(a -> {
            assertThat(a.exit()).isEqualTo(2);
            assertThat(a.err()).contains("--card: name a card");
        });
        assertThat(pitwall("plan", "--card", "pve9")).satisfies(a -> {
            assertThat(a.exit()).isEqualTo(2);
            assertThat(a.err()).contains("pve1/0000:01:00", "pve2/0000:03:00");
        });
        assertThat(pitwall("plan", "--card", "pve2").err()).contains("2 cards fit").contains("pve2/0000:01:00");
        assertThat(pitwall("plan", "--card", "pve1", "--to", "roof").err()).contains("firmware, vfio, vm");
        assertThat(pitwall("plan", "--card", "pve1", "--to", "bind").err()).contains("this is a step, not a floor", "--step bind");
        assertThat(pitwall("plan", "--card", "pve1", "--step", "dance").err()).contains("iommu, group, bind");
        assertThat(pitwall("plan", "--card", "pve1", "--to", "vm", "--step", "bind").exit()).isEqualTo(2);
        assertThat(pitwall("plan", "--card", "pve1", "--export", "cobol").err()).contains("bash");
        assertThat(pitwall("undo", "--run", "99999").exit()).isEqualTo(2);
        assertThat(pitwall("journal", "--run", "99999").exit()).isEqualTo(2);
    }

    @Test
    void aCommandLineThatCannotBeUnderstoodGetsOneSentence() {
        assertThat(pitwall("undo", "--run", "x").err()).startsWith("pitwall: --run: \"x\" is no whole number\n");
        assertThat(pitwall("undo", "--run").err()).startsWith("pitwall: --run: its value is missing, RUN\n");
        assertThat(pitwall("plan").err()).startsWith("pitwall: --card is missing: give ID\n");
        assertThat(pitwall("plan", "--card", "pve1", "--set", "vm").err())
                .startsWith("pitwall: --set: \"vm\" has not the form KEY=VALUE\n");
        assertThat(pitwall("plan", "--card", "pve1", "--card", "pve2").err()).startsWith("pitwall: --card: give it only once\n");
        assertThat(pitwall("plan", "--card", "pve1", "--to", "vm", "--step", "bind").err())
                .startsWith("pitwall: --to and --step: give only one of them\n");
        assertThat(pitwall("plan", "--card", "pve1", "--dance").err())
                .startsWith("pitwall: --dance: pitwall plan has no such option\n");
    }

    @Test
    void whatIsInTheWayIsToldBeforeAnythingIsWritten() throws Exception {
        Answer refused = pitwall("apply", "--card", "pve2/0000:03:00", "--set", "vm=999", "--yes", "--json");

        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).contains("blocked: pve2 has no VM 999").contains("or end before it: --step bind");
        assertThat(list(pitwall("journal", "--json").json().path("runs"))).as("a refusal is no run")
                .noneMatch(r -> r.path("card").asText().equals("pve2/0000:03:00"));
    }

    @Test
    void aPlanIsWrittenForOtherTools() {
        Answer bash = pitwall("plan", "--card", "pve1", "--to", "vfio", "--export", "bash");

        assertThat(bash.exit()).isZero();
        assertThat(bash.out()).startsWith("#!").contains("update-initramfs");
    }
}
