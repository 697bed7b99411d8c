package dev.pitwall;

import dev.pitwall.Workshop.Engine;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.journey.export.Exports;
import dev.pitwall.lab.client.RealClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static dev.pitwall.lab.fault.LabPicture.difference;
import static org.assertj.core.api.Assertions.assertThat;

/** Runbooks as a person uses them: sent to the host by OpenSSH and run there, one for the host and then one for its VM. */
class RunbookOnLabTest {
    private static final Subject CARD = Workshop.card("pve1", "0000:01:00");
    private static final Choices CHOICES = Choices.of(Map.of("vm", "110"));
    private static final String STOP = "STOP. Everything before the reboot of pve1 is done.";

    @TempDir
    private static Path dir;
    private static Workshop workshop;
    private static RealClient ssh;

    @BeforeAll
    static void start() throws Exception {
        RealClient.named("ssh");
        workshop = new Workshop(dir);
        ssh = RealClient.named("ssh", "-F", config().toString(), "pve1");
    }

    @AfterAll
    static void stop() {
        if (workshop != null) {
            workshop.close();
        }
    }

    @Test
    void bringTheCardToTheVmAndBackToTheSameBytes() throws Exception {
        try (Engine engine = workshop.engine(workshop.lab.site())) {
            List<String> disks = workshop.disks(engine, "pve1");

            ssh.feed(runbook(engine), "cat > /root/host.sh").ok();
            ssh.run("bash -n /root/host.sh").ok();
            assertThat(ssh.run("bash /root/host.sh").ok()).contains("written: ").contains(STOP);
            assertThat(ssh.run("bash /root/host.sh").ok()).doesNotContain("written: ").contains(STOP);
            reboot();
            assertThat(ssh.run("bash /root/host.sh").ok()).contains("Done.").doesNotContain("written: ");
            assertThat(state(engine, "bind")).isEqualTo(State.DONE);

            Path vm = Files.writeString(dir.resolve("vm.sh"), runbook(engine));
            RealClient here = withCommandsOfTheHost();
            assertThat(here.run(vm.toString()).ok()).contains("Done.");
            assertThat(state(engine, "attach")).isEqualTo(State.DONE);

            assertThat(here.run(vm.toString(), "undo").ok()).contains("Undone.");
            assertThat(ssh.run("bash /root/host.sh undo").ok()).contains(STOP);
            reboot();
            assertThat(ssh.run("bash /root/host.sh undo").ok()).contains("Undone.");
            assertThat(difference(disks, workshop.disks(engine, "pve1"))).isEmpty();
        }
    }

    private static String runbook(Engine engine) throws Exception {
        CardPlan plan = engine.look(CARD, CHOICES);
        return Exports.all().stream().filter(e -> e.kind().equals("bash")).findFirst().orElseThrow().render(plan);
    }

    private static State state(Engine engine, String step) throws Exception {
        return engine.look(CARD, CHOICES).step(step).orElseThrow().answer().state();
    }

    private static void reboot() {
        String boot = boot().out();
        ssh.run("systemctl reboot");
        Awaitility.await().until(RunbookOnLabTest::boot,
                now -> now.exit() == 0 && !now.out().equals(boot));
    }

    private static RealClient.Result boot() {
        return ssh.run("cat /proc/sys/kernel/random/boot_id");
    }

    /** The lab's hosts have no Perl; so bash runs here, and calls the host's {@code qm} and {@code pvesh}. */
    private static RealClient withCommandsOfTheHost() throws IOException {
        Path bin = Files.createDirectories(dir.resolve("bin"));
        for (String name : List.of("qm", "pvesh")) {
            program(bin.resolve(name), "exec ssh -F '" + config() + "' pve1 \"" + name + " $(printf '%q ' \"$@\")\"");
        }
        program(bin.resolve("hostname"), "echo pve1");
        program(bin.resolve("id"), "echo 0");
        return RealClient.named("bash").with("PATH", bin + ":" + System.getenv("PATH"))
                .with("KEEP", dir.resolve("keep").toString());
    }

    private static void program(Path file, String line) throws IOException {
        assertThat(Files.writeString(file, "#!/usr/bin/env bash\n" + line + "\n").toFile().setExecutable(true)).isTrue();
    }

    private static Path config() {
        return workshop.lab.lab().dir().resolve("ssh_config");
    }
}
