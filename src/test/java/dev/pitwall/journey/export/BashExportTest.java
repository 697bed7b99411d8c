package dev.pitwall.journey.export;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.change.Content;
import dev.pitwall.lab.client.RealClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** The script is run by bash, with stand-ins for Proxmox's commands. */
@DisabledOnOs(OS.WINDOWS)
class BashExportTest {
    @TempDir
    private Path temp;
    private Path etc;

    @BeforeEach
    void lab() throws IOException {
        etc = ProxmoxStandIn.in(temp);
    }

    @Test
    void everyFormIsGoodBash() throws Exception {
        for (CardPlan plan : Plans.all(etc)) {
            Path script = script(plan);
            assertThat(new ProcessBuilder("bash", "-n", script.toString()).start().waitFor()).isZero();
        }
    }

    @Test
    void writesExactBytesRunsEachCommandOnceAndStopsForTheReboot() throws Exception {
        Outcome first = run(Plans.host(etc));

        assertThat(first.text()).contains("STOP. Everything before the reboot of pve1 is done.")
                .contains("jellyfin's, which does not start again by itself");
        assertThat(first.exit()).isZero();
        assertThat(etc.resolve("zz pitwall.conf")).hasContent(Plans.TRICKY);
        assertThat(Files.readString(etc.resolve("binary"))).isEqualTo("no line end");
        assertThat(Files.readAllBytes(etc.resolve("cmdline"))).containsExactly(0, 1, -1, 10, 39);
        assertThat(etc.resolve("old.conf")).doesNotExist();
        assertThat(log()).containsExactly("initramfs -u -k all");
        assertThat(Files.readString(temp.resolve("keep/before").resolve(etc.toString().substring(1)).resolve("cmdline")))
                .isEqualTo("root=zfs\n");
    }

    @Test
    void goesOnAfterTheRebootAndAThirdRunChangesNothing() throws Exception {
        run(Plans.host(etc));
        assertThat(run(Plans.host(etc)).text()).contains("already so").contains("STOP");

        bootAnew("boot.make.");
        Outcome after = run(Plans.host(etc));

        assertThat(after.text()).contains("Done.").doesNotContain("STOP");
        assertThat(log()).containsExactly("initramfs -u -k all");
    }

    @Test
    void undoPutsBackTheBytesRunsTheCommandAgainAndCanBeMadeAgain() throws Exception {
        assertThat(run(Plans.host(etc), "undo").text()).contains("Nothing of it was made here.");
        run(Plans.host(etc));
        bootAnew("boot.make.");
        run(Plans.host(etc));

        Outcome undo = run(Plans.host(etc), "undo");

        assertThat(undo.exit()).as(undo.text()).isZero();
        assertThat(undo.text()).contains("STOP");
        assertThat(etc.resolve("zz pitwall.conf")).doesNotExist();
        assertThat(Files.readAllBytes(etc.resolve("binary"))).isEqualTo(((Content.Bytes) Plans.BINARY).bytes());
        assertThat(Files.readString(etc.resolve("cmdline"))).isEqualTo("root=zfs\n");
        assertThat(Files.readString(etc.resolve("old.conf"))).isEqualTo("old\n");
        assertThat(log()).containsExactly("initramfs -u -k all", "initramfs -u -k all");
        bootAnew("boot.undo.");
        assertThat(run(Plans.host(etc), "undo").text()).contains("Undone.").doesNotContain("STOP");
        assertThat(log()).hasSize(2);

        assertThat(run(Plans.host(etc)).text()).contains("written: ").contains("STOP");
        assertThat(log()).hasSize(3);
    }

    @Test
    void undoOfWhatWasNotYetBootedNeedsNoReboot() throws Exception {
        run(Plans.host(etc));

        assertThat(run(Plans.host(etc), "undo").text()).contains("Undone.").doesNotContain("STOP");
    }

    @Test
    void undoStopsWhereSomebodyHasChangedTheContentSince() throws Exception {
        run(Plans.host(etc));
        Files.writeString(etc.resolve("zz pitwall.conf"), "someone else\n");

        Outcome undo = run(Plans.host(etc), "undo");

        assertThat(undo.exit()).isEqualTo(1);
        assertThat(undo.text()).contains("zz pitwall.conf is not as it was").contains("Nothing was written");
        assertThat(etc.resolve("old.conf")).doesNotExist();
    }

    @Test
    void undoGivesTheVmAndTheMappingsBack() throws Exception {
        List<String> vm = Files.readAllLines(temp.resolve("122.conf"));
        String mappings = Files.readString(temp.resolve("mappings.json")).replace(",\"description\":\"x\"", "");
        run(Plans.vm());

        Outcome undo = run(Plans.vm(), "undo");

        assertThat(undo.exit()).as(undo.text()).isZero();
        assertThat(Files.readAllLines(temp.resolve("122.conf"))).containsExactlyInAnyOrderElementsOf(vm);
        assertThat(new ObjectMapper().readTree(temp.resolve("mappings.json").toFile()))
                .isEqualTo(new ObjectMapper().readTree(mappings));
        assertThat(log()).filteredOn(line -> line.startsWith("qm shutdown")).hasSize(2);
    }

    @Test
    void undoRemovesANewVmThatIsOffAndNoOther() throws Exception {
        run(Plans.creations());
        Files.writeString(temp.resolve("131.status"), "running\n");
        assertThat(run(Plans.creations(), "undo").text()).contains("VM 131 runs: shut it down first.");
        Files.writeString(temp.resolve("131.status"), "stopped\n");

        assertThat(run(Plans.creations(), "undo").exit()).isZero();

        assertThat(log()).filteredOn(line -> line.startsWith("qm destroy"))
                .containsExactly("qm destroy 131 --purge 1", "qm destroy 130 --purge 1");
    }

    @Test
    void whatIsOfAClusterIsToldAndTheRestIsMade() throws Exception {
        assertThat(run(Plans.cluster(etc)).text()).contains("Not on this host: nodes/gpu-a in k3s.").contains("Done.");
        assertThat(etc.resolve("new.conf")).content().isEqualTo("new\n");
        assertThat(run(Plans.cluster(etc), "undo").text()).contains("Undone.");
        assertThat(etc.resolve("new.conf")).doesNotExist();
    }

    @Test
    void anythingElseSaidToItIsRefused() throws Exception {
        assertThat(run(Plans.host(etc), "--help").text()).contains("Only \"undo\" can be added");
        assertThat(etc.resolve("zz pitwall.conf")).doesNotExist();
    }

    @Test
    void aVmThatCannotBeReadStopsItWithASentence() throws Exception {
        Files.delete(temp.resolve("122.conf"));

        assertThat(run(Plans.vm()).text()).contains("VM 122 cannot be read. Nothing was written.");
    }

    @Test
    void aPlanThatChangesNothingSaysSo() throws Exception {
        assertThat(new BashExport().render(Plans.plan(List.of()))).contains("\n# Nothing is to be changed now.\n");
        assertThat(run(Plans.plan(List.of())).text()).isEqualTo("Nothing is to be changed now.\n");
    }

    @Test
    void shellcheckFindsNothing() throws Exception {
        RealClient shellcheck = RealClient.named("shellcheck", "--severity=style", "--shell=bash");
        for (CardPlan plan : Plans.all(etc)) {
            shellcheck.run(script(plan).toString()).ok();
        }
    }

    private void bootAnew(String note) throws IOException {
        try (Stream<Path> notes = Files.list(temp.resolve("keep"))) {
            Path boot = notes.filter(p -> p.getFileName().toString().startsWith(note)).findFirst().orElseThrow();
            Files.writeString(boot, "an earlier boot\n");
        }
    }

    @Test
    void aFileThatHasChangedStopsItBeforeAnythingIsWritten() throws Exception {
        Files.writeString(etc.resolve("old.conf"), "someone else\n");

        Outcome outcome = run(Plans.host(etc));

        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.text()).contains("old.conf is not as it was").contains("Nothing was written");
        assertThat(etc.resolve("zz pitwall.conf")).doesNotExist();
        assertThat(Files.readString(etc.resolve("cmdline"))).isEqualTo("root=zfs\n");
        assertThat(temp.resolve("keep")).doesNotExist();
    }

    @Test
    void setsTheVmAndItsMappingsAndPowerCyclesIt() throws Exception {
        Outcome outcome = run(Plans.vm());

        assertThat(outcome.exit()).as(outcome.text()).isZero();
        assertThat(Files.readAllLines(temp.resolve("122.conf"))).containsExactlyInAnyOrder("balloon: 0",
                "cpu: host,flags=+aes", "hostpci0: mapping=gpu-pve1-01-00,pcie=1", "hostpci10: 09:00");
        assertThat(Files.readString(temp.resolve("mappings.json"))).contains("gpu-pve1-01-00").contains("subsystem-id=10de:1878");
        assertThat(log()).contains("qm shutdown 122 --timeout 20").contains("qm start 122 --timeout 20");
        assertThat(temp.resolve("keep/vm-122.before")).content().contains("hostpci1: 01:00.1");

        long calls = log().size();
        Outcome again = run(Plans.vm());
        assertThat(again.exit()).isZero();
        assertThat(log().subList((int) calls, log().size())).noneMatch(line -> line.matches(
                "(qm (set|shutdown|start)|pvesh (set|create)).*"));
    }

    @Test
    void aVmOrMappingThatHasChangedStopsIt() throws Exception {
        Files.writeString(temp.resolve("122.conf"), "cpu: host\n");
        assertThat(run(Plans.vm()).text()).contains("cpu of VM 122 is not as it was").contains("Nothing was written");

        lab();
        Files.writeString(temp.resolve("mappings.json"), "[{\"id\":\"gpu-pve1-01-00\",\"map\":[\"node=pve3\"]}]");
        assertThat(run(Plans.vm()).text()).contains("Mapping gpu-pve1-01-00 is not as it was");
        assertThat(log()).noneMatch(line -> line.startsWith("qm set"));
    }

    @Test
    void makesNewVmsOnceAndNeverTakesAnothersId() throws Exception {
        assertThat(run(Plans.creations()).exit()).isZero();
        assertThat(run(Plans.creations()).exit()).isZero();
        assertThat(log()).filteredOn(line -> line.startsWith("qm clone")).hasSize(1);
        assertThat(log()).filteredOn(line -> line.startsWith("qm create")).hasSize(1);

        Files.writeString(temp.resolve("130.conf"), "smbios1: uuid=another\n");
        assertThat(run(Plans.creations()).text()).contains("Another VM 130 is there already");
    }

    @Test
    void saysWhatItLeavesOut() {
        assertThat(new BashExport().render(Plans.raw()))
                .contains("# Not in it, needs a plan of its own later: See the card in the guest: waits for the rest\n");
    }

    private record Outcome(int exit, String text) {
    }

    private Outcome run(CardPlan plan, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("bash", script(plan).toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PATH", temp.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("LAB", temp.toString());
        builder.environment().put("KEEP", temp.resolve("keep").toString());
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Outcome(process.exitValue(), text);
    }

    private Path script(CardPlan plan) throws IOException {
        return Files.writeString(temp.resolve("runbook.sh"), new BashExport().render(plan));
    }

    private List<String> log() throws IOException {
        return ProxmoxStandIn.log(temp);
    }
}
