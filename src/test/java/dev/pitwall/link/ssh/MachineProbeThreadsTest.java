package dev.pitwall.link.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pitwall.link.http.Limits;
import dev.pitwall.link.http.TestLimits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.ShellAccess;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class MachineProbeThreadsTest {
    private ScriptedShell shell;
    private MachineProbe probe;

    @BeforeEach
    void start() throws IOException {
        shell = ScriptedShell.start();
        ShellAccess access = new ShellAccess("pve1", ShellAccess.Role.PROXMOX_HOST, "127.0.0.1", shell.port(),
                ScriptedShell.USER, new ShellAccess.Password(new SecretRef("test")), Optional.of(shell.fingerprint()),
                Optional.empty());
        NetworkTrouble troubles = new NetworkTrouble(new Words());
        Limits limits = TestLimits.PATIENT;
        probe = new MachineProbe(access, new SshConnector(new SshEngine(limits), new KnownHosts(List.of()),
                a -> Optional.of(ScriptedShell.PASSWORD), Optional.empty(), limits, troubles), limits.answer(),
                troubles.words());
    }

    @AfterEach
    void stop() {
        probe.close();
        shell.close();
    }

    @Test
    void closingTheProbeEndsTheSession() throws Exception {
        probe.read();
        assertThat(libraryThreads()).isNotEmpty();
        probe.close();
        await().until(() -> shell.sessions() == 0);
        await().untilAsserted(() -> assertThat(libraryThreads()).isEmpty());
    }

    private static List<String> libraryThreads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
                .filter(name -> name.startsWith("sshd-SshClient")).toList();
    }
}
