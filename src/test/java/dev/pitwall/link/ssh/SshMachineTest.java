package dev.pitwall.link.ssh;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.change.Content;
import dev.pitwall.link.Troubles;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.http.TestLimits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.store.MemorySecrets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A machine's shell on a real socket: what comes, what is lost, and who may write. */
class SshMachineTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final SecretRef PASSWORD = new SecretRef("password");
    private static final String STAT = "env LC_ALL=C stat -L -c '%f %u %g' ";

    private final MemorySecrets secrets = new MemorySecrets("memory");
    private final Limits limits = TestLimits.PATIENT;
    private ScriptedShell shell;
    private SshMachine machine;

    @BeforeEach
    void start() throws Exception {
        shell = ScriptedShell.start();
        secrets.put(PASSWORD, ScriptedShell.PASSWORD);
        machine = new SshMachine(new SshEngine(limits), new ShellAccess("pve1", ShellAccess.Role.PROXMOX_HOST,
                "127.0.0.1", shell.port(), ScriptedShell.USER, new ShellAccess.Password(PASSWORD),
                Optional.of(shell.fingerprint()), Optional.empty()), secrets, new KnownHosts(List.of()),
                Optional.empty(), limits, new NetworkTrouble(new Words()));
    }

    @AfterEach
    void stop() {
        machine.close();
        shell.close();
    }

    @Test
    void linesComeWhileTheCommandRuns() throws Exception {
        CountDownLatch heard = new CountDownLatch(1);
        shell.says("update-initramfs -u -k all", "update-initramfs: Generating /boot/a\npart", heard, "ly\nlast");
        List<String> lines = new CopyOnWriteArrayList<>();
        Ran ran = machine.run(List.of("update-initramfs", "-u", "-k", "all"), LONG, line -> {
            lines.add(line);
            heard.countDown();
        });
        assertThat(lines).containsExactly("update-initramfs: Generating /boot/a", "partly", "last");
        assertThat(ran.ok()).isTrue();
        assertThat(ran.output()).isEqualTo("update-initramfs: Generating /boot/a\npartly\nlast");
    }

    @Test
    void aProgramThatIsNotThereIsNoTrouble() throws Exception {
        assertThat(machine.run("proxmox-boot-tool", "status").notFound()).isTrue();
    }

    @Test
    void aFailureIsToldWithItsLastWords() throws Exception {
        shell.fails("update-grub", 1, "Generating grub configuration file ...\n", "/usr/sbin/grub-probe: error: no root\n");
        Ran ran = machine.run("update-grub");
        assertThat(ran.exit()).hasValue(1);
        assertThat(ran.lastWords()).isEqualTo("/usr/sbin/grub-probe: error: no root");
    }

    @Test
    void aCommandThatDoesNotEndIsATroubleAndTheConnectionStays() throws Exception {
        shell.hangs("sleep 1000").says("uptime", "up\n");
        Trouble trouble = Troubles.of(() -> machine.run(List.of("sleep", "1000"), Duration.ofMillis(200), line -> { }));
        assertThat(trouble.kind()).isEqualTo(Kind.TIMEOUT);
        machine.run("uptime");
        assertThat(shell.passwordsSeen()).isEqualTo(1);
    }

    @Test
    void aConnectionThatIsCutUnderACommandIsMadeAgainByTheNextCall() throws Exception {
        shell.says("uptime", "up\n").says("long", "begun\n", new CountDownLatch(1), "");
        AtomicReference<Trouble> trouble = new AtomicReference<>();
        CountDownLatch begun = new CountDownLatch(1);
        Thread running = Thread.ofVirtual().start(() -> trouble.set(Troubles.of(() ->
                machine.run(List.of("long"), LONG, line -> begun.countDown()))));
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        shell.dropSessions();
        running.join();
        assertThat(trouble.get().kind()).isEqualTo(Kind.CONNECT);
        assertThat(machine.run("uptime").output()).isEqualTo("up\n");
        assertThat(shell.passwordsSeen()).isEqualTo(2);
    }

    @Test
    void aRefusedLoginIsNotTriedAgain() {
        secrets.put(PASSWORD, "wrong");
        assertThat(Troubles.of(() -> machine.run("uptime")).kind()).isEqualTo(Kind.CREDENTIALS);
        assertThat(Troubles.of(() -> machine.read("/etc/modules")).kind()).isEqualTo(Kind.CREDENTIALS);
        assertThat(shell.passwordsSeen()).isEqualTo(1);
    }

    @Test
    void whoIsNotRootReadsAndDoesNotWrite() throws Exception {
        shell.says("id -u", "1000\n").says(STAT + "/etc/modules", "81a4 0 0\n")
                .says("env LC_ALL=C cat /etc/modules", "loop\n");
        assertThat(machine.read("/etc/modules").text()).isEqualTo("loop\n");
        Trouble trouble = Troubles.of(() -> machine.write("/etc/modules", Content.of("vfio\n"), ""));
        assertThat(trouble.kind()).isEqualTo(Kind.RIGHTS);
        assertThat(trouble.sentence()).contains("signed in as root, who is not root");
        assertThat(trouble.next()).contains("Sign in as root");
    }

    @Test
    void withoutSftpAbsentIsToldFromForbidden() throws Exception {
        shell.fails(STAT + "/etc/absent.conf", 1, "", "stat: cannot statx '/etc/absent.conf': No such file or directory\n")
                .fails(STAT + "/root/secret", 1, "", "stat: cannot statx '/root/secret': Permission denied\n")
                .says(STAT + "/etc/modprobe.d", "41ed 0 0\n");
        assertThat(machine.read("/etc/absent.conf")).isEqualTo(Content.ABSENT);
        assertThat(Troubles.of(() -> machine.read("/root/secret")).kind()).isEqualTo(Kind.RIGHTS);
        Trouble folder = Troubles.of(() -> machine.read("/etc/modprobe.d"));
        assertThat(folder.sentence()).contains("/etc/modprobe.d").contains("no plain file");
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        shell.hangs("sleep 1000");
        CountDownLatch ended = new CountDownLatch(1);
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                machine.run(List.of("sleep", "1000"), LONG, line -> { });
            } catch (InterruptedException e) {
                ended.countDown();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        await().until(() -> shell.sessions() == 1);
        waiting.interrupt();
        assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
