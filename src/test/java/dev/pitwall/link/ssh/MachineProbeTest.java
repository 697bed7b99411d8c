package dev.pitwall.link.ssh;

import dev.pitwall.card.MachineReport;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.ssh.SshServers;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import dev.pitwall.link.ScriptedServer;
import dev.pitwall.link.Troubles;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.http.TestLimits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.site.ShellAccess.Login;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyEncryptionContext;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Reads a machine over SSH on a real socket; a missing tool leaves its reading empty, a bad login is tried once. */
class MachineProbeTest {
    private static final Login PASSWORD = new ShellAccess.Password(new SecretRef("test"));

    @TempDir
    private Path folder;
    private final NetworkTrouble troubles = new NetworkTrouble(new Words());
    private Limits limits = TestLimits.PATIENT;
    private Optional<Path> agentSocket = Optional.empty();
    private Optional<String> secret = Optional.of(ScriptedShell.PASSWORD);
    private ScriptedShell shell;
    private MachineProbe probe;

    @BeforeEach
    void start() throws IOException {
        shell = ScriptedShell.start();
    }

    @AfterEach
    void stop() {
        if (probe != null) {
            probe.close();
        }
        shell.close();
    }

    private ShellAccess access(Login login, Optional<String> pin) {
        return at(shell.port(), login, pin);
    }

    private static ShellAccess at(int port, Login login, Optional<String> pin) {
        return new ShellAccess("pve1", ShellAccess.Role.PROXMOX_HOST, "127.0.0.1", port, ScriptedShell.USER, login, pin,
                Optional.empty());
    }

    private ShellAccess trusted(Login login) {
        return access(login, Optional.of(shell.fingerprint()));
    }

    private MachineProbe open(ShellAccess access) {
        return open(access, limits.answer());
    }

    private MachineProbe open(ShellAccess access, Duration commandLimit) {
        if (probe != null) {
            probe.close();
        }
        KnownHosts hosts = new KnownHosts(List.of(folder.resolve("known_hosts")));
        return probe = new MachineProbe(access, new SshConnector(new SshEngine(limits), hosts, a -> secret, agentSocket,
                limits, troubles), commandLimit, troubles.words());
    }

    private Trouble trouble(ShellAccess access) {
        return Troubles.of(open(access)::read);
    }

    @Test
    void aMachineIsReadWithAllItsTools() throws Exception {
        shell.says("lspci -nnkD", """
                        0000:01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA107GL [RTX A1000] [10de:25b0] (rev a1)
                        \tSubsystem: NVIDIA Corporation Device [10de:1878]
                        \tKernel driver in use: vfio-pci
                        \tKernel modules: nouveau
                        """)
                .says("find /sys/kernel/iommu_groups -type l", "/sys/kernel/iommu_groups/13/devices/0000:01:00.0\n")
                .says("cat /sys/class/dmi/id/product_uuid", "4C4C4544-0051-3610-8051-B4C04F4E3332\n")
                .says("cat /proc/cmdline", "BOOT_IMAGE=/boot/vmlinuz root=/dev/sda1 intel_iommu=on\n")
                .says("cat /proc/uptime", "86400.55 1000.00\n")
                .says("mokutil --sb-state", "SecureBoot enabled\n")
                .says("ls /sys/class/iommu", "dmar0\ndmar1\n")
                .says("ls /sys/firmware/acpi/tables", "APIC\nDMAR\nDSDT\ndata\n")
                .says("cat /proc/driver/nvidia/version",
                        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.126.20  Release Build  (x)  Mon\n")
                .fails("find /var/run/cdi/ /etc/cdi/ -maxdepth 1 -type f", 1, "/var/run/cdi/nvidia.yaml\n",
                        "find: '/etc/cdi/': No such file or directory\n");
        MachineReport report = open(trusted(PASSWORD)).read();
        PciAddress gpu = PciAddress.parse("0000:01:00.0").orElseThrow();
        assertThat(report.hostname()).isEqualTo("pve1");
        assertThat(report.kernel()).isEqualTo("6.8.12-15-pve");
        assertThat(report.systemUuid()).contains("4c4c4544-0051-3610-8051-b4c04f4e3332");
        assertThat(report.commandLine()).endsWith("intel_iommu=on");
        assertThat(report.uptimeSeconds()).hasValue(86400);
        assertThat(report.secureBoot()).contains(true);
        assertThat(report.iommuUnits()).containsExactly("dmar0", "dmar1");
        assertThat(report.acpiTables()).containsExactly("DMAR");
        assertThat(report.groups()).containsEntry(gpu, 13);
        assertThat(report.functions().getFirst().driver()).contains("vfio-pci");
        assertThat(report.functions().getFirst().iommuGroup()).hasValue(13);
        assertThat(report.driverVersion()).contains("580.126.20");
        assertThat(report.cdiSpecs()).containsExactly("/var/run/cdi/nvidia.yaml");
    }

    @Test
    void aMachineWithoutAnyToolIsStillRead() throws Exception {
        MachineReport report = open(trusted(PASSWORD)).read();
        assertThat(report.hostname()).isEqualTo("pve1");
        assertThat(report.functions()).isEmpty();
        assertThat(report.secureBoot()).isEmpty();
        assertThat(report.systemUuid()).isEmpty();
        assertThat(report.nvidiaSmiError()).isEmpty();
        assertThat(report.containerd()).isEmpty();
    }

    @Test
    void withoutLspciTheFunctionsAreReadFromTheKernelItself() throws Exception {
        World world = new World(new LabClock(InstantSource.system()), 1);
        SceneWorld.fill(world, new SceneFile().bundled("garage"));
        try (SshServers lab = new SshServers(world, folder.resolve("lab"), "secret", Optional.empty())) {
            for (String name : List.of("pve1", "rke2-worker-dc1-gpu-a")) {
                ShellAccess access = lab.entries().stream().filter(e -> e.name().equals(name)).map(e -> new ShellAccess(name,
                        ShellAccess.Role.NODE, e.host(), e.port(), e.user(), new ShellAccess.KeyFile(e.keyFile(),
                        Optional.empty()), Optional.of(e.hostKey()), Optional.empty())).findFirst().orElseThrow();
                List<PciFunction> byLspci = open(access).read().functions();
                assertThat(open(access).read().systemUuid()).isPresent();
                Command lspci = lab.commands().find("lspci", lab.machine(name).orElseThrow().state()).orElseThrow();
                lab.commands().add("lspci", machine -> false, lspci);
                List<PciFunction> byKernel = open(access).read().functions();
                lab.commands().add("lspci", lspci);
                assertThat(byKernel).extracting(PciFunction::address, PciFunction::classCode, PciFunction::vendorDevice,
                                PciFunction::driver, PciFunction::iommuGroup)
                        .isNotEmpty().containsExactlyElementsOf(byLspci.stream().map(f -> org.assertj.core.groups.Tuple
                                .tuple(f.address(), f.classCode(), f.vendorDevice(), f.driver(), f.iommuGroup()))
                                .toList());
                assertThat(byKernel).anyMatch(PciFunction::isNvidiaGpu);
            }
        }
    }

    @Test
    void aTruncatedListingGivesWhatIsThere() throws Exception {
        shell.says("lspci -nnkD", "0000:01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA107GL [10de:25b0] (rev a1)\n"
                + "\tKernel driver in use: vfio-pci\n0000:01:00.1 Audio dev");
        assertThat(open(trusted(PASSWORD)).read().functions().getFirst().driver()).contains("vfio-pci");
    }

    @Test
    void theWordsOfAFailingNvidiaSmiAreKept() throws Exception {
        shell.fails("nvidia-smi -q -x", 9, "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. "
                + "Make sure that the latest NVIDIA driver is installed and running.\n\n", "");
        assertThat(open(trusted(PASSWORD)).read().nvidiaSmiError().orElseThrow())
                .startsWith("NVIDIA-SMI has failed because it couldn't communicate");
    }

    @Test
    void aHangingNvidiaSmiDoesNotHideTheRest() throws Exception {
        shell.hangs("nvidia-smi -q -x");
        MachineReport report = open(trusted(PASSWORD), Duration.ofSeconds(2)).read();
        assertThat(report.hostname()).isEqualTo("pve1");
        assertThat(report.nvidiaSmiError().orElseThrow()).contains("nvidia-smi -q -x", "did not end");
    }

    /** As one whose plug was pulled: the connection still stands. */
    @Test
    void aMachineThatDoesNothingAnyMoreFailsAndIsNotAskedEverythingElse() throws Exception {
        shell.hangsOnAll();
        Trouble trouble = Troubles.of(open(trusted(PASSWORD), Duration.ofMillis(500))::read);
        assertThat(trouble.kind()).isEqualTo(Kind.TIMEOUT);
        assertThat(shell.asked()).as("six at once, and whether anybody is there").isLessThanOrEqualTo(12);
    }

    @Test
    void containerdOfTheDistributionComesFirstAndItsImportsWin() throws Exception {
        String rke2 = "/var/lib/rancher/rke2/agent/etc/containerd/config.toml";
        shell.fails("ls -d " + rke2 + " /var/lib/rancher/k3s/agent/etc/containerd/config.toml "
                        + "/var/snap/microk8s/current/args/containerd.toml /etc/containerd/config.toml", 2,
                        "/etc/containerd/config.toml\n" + rke2 + "\n", "ls: cannot access\n")
                .says("cat " + rke2, """
                        version = 3
                        imports = ["/etc/containerd/conf.d/*.toml"]
                        [plugins.'io.containerd.cri.v1.runtime']
                          enable_cdi = false
                        [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
                          runtime_type = "io.containerd.runc.v2"
                        """)
                .says("find /etc/containerd/conf.d -maxdepth 1 -name '*.toml'", "/etc/containerd/conf.d/99-nvidia.toml\n")
                .says("cat /etc/containerd/conf.d/99-nvidia.toml", """
                        version = 3
                        [plugins.'io.containerd.cri.v1.runtime']
                          enable_cdi = true
                        [plugins.'io.containerd.cri.v1.runtime'.containerd]
                          default_runtime_name = "nvidia"
                        [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.nvidia]
                          runtime_type = "io.containerd.runc.v2"
                        """);
        MachineReport.ContainerdSettings settings = open(trusted(PASSWORD)).read().containerd().orElseThrow();
        assertThat(settings.runtimes()).containsExactly("runc", "nvidia");
        assertThat(settings.defaultRuntime()).contains("nvidia");
        assertThat(settings.cdiEnabled()).contains(true);
    }

    @Test
    void theSessionStaysBetweenReadsAndIsMadeAnewWhenItEnds() throws Exception {
        MachineProbe machine = open(trusted(PASSWORD));
        machine.read();
        machine.read();
        assertThat(shell.passwordsSeen()).isEqualTo(1);
        shell.dropSessions();
        await().until(() -> shell.sessions() == 0);
        await().ignoreExceptions().until(() -> machine.read().hostname().equals("pve1"));
        assertThat(shell.passwordsSeen()).isEqualTo(2);
    }

    @Test
    void aWrongPasswordIsSentOnceAndNotAgain() {
        secret = Optional.of("wrong");
        MachineProbe machine = open(trusted(PASSWORD));
        Trouble trouble = Troubles.of(machine::read);
        assertThat(trouble.kind()).isEqualTo(Kind.CREDENTIALS);
        assertThat(trouble.sentence()).contains("127.0.0.1:" + shell.port(), "root").doesNotContain("wrong");
        assertThat(Troubles.of(machine::read)).isEqualTo(trouble);
        assertThat(shell.passwordsSeen()).isEqualTo(1);
    }

    @Test
    void aServerThatOnlyPromptsGetsThePassword() throws Exception {
        shell.close();
        shell = ScriptedShell.startWithPromptsOnly();
        assertThat(open(trusted(PASSWORD)).read().hostname()).isEqualTo("pve1");
    }

    @Test
    void aPromptForAWrongPasswordIsAnsweredOnce() throws Exception {
        shell.close();
        shell = ScriptedShell.startWithPromptsOnly();
        secret = Optional.of("wrong");
        assertThat(trouble(trusted(PASSWORD)).kind()).isEqualTo(Kind.CREDENTIALS);
        assertThat(shell.passwordsSeen()).isEqualTo(1);
    }

    @Test
    void anEncryptedKeyFileSignsIn() throws Exception {
        KeyPair pair = allowedKey();
        secret = Optional.of("open sesame");
        assertThat(open(trusted(keyFile(pair, "open sesame"))).read().hostname()).isEqualTo("pve1");
    }

    @Test
    void aKeyFileWithoutItsPassphraseSaysSo() throws Exception {
        KeyPair pair = allowedKey();
        secret = Optional.empty();
        Trouble missing = trouble(trusted(keyFile(pair, "open sesame")));
        assertThat(missing.kind()).isEqualTo(Kind.CREDENTIALS);
        assertThat(missing.what()).contains("needs a passphrase");
        secret = Optional.of("wrong");
        assertThat(trouble(trusted(keyFile(pair, "open sesame"))).what()).contains("the passphrase of", "is wrong");
        assertThat(shell.keysSeen()).isZero();
    }

    @Test
    void aKeyTheMachineDoesNotKnowIsRefused() throws Exception {
        secret = Optional.empty();
        Trouble trouble = trouble(trusted(keyFile(ScriptedShell.newKey(), "")));
        assertThat(trouble.kind()).isEqualTo(Kind.CREDENTIALS);
        assertThat(trouble.next()).contains("authorized_keys");
    }

    @Test
    void aFileThatIsNoKeyAndOneThatIsNotThereAreTold() throws Exception {
        secret = Optional.empty();
        Path text = Files.writeString(folder.resolve("notes.txt"), "not a key\n");
        assertThat(trouble(trusted(new ShellAccess.KeyFile(text, Optional.empty()))).kind()).isEqualTo(Kind.UNREADABLE);
        assertThat(trouble(trusted(new ShellAccess.KeyFile(folder.resolve("none"), Optional.empty()))).kind())
                .isEqualTo(Kind.MISSING);
    }

    @Test
    void theAgentSignsIn() throws Exception {
        KeyPair pair = allowedKey();
        try (TestAgent agent = new TestAgent(folder.resolve("a"), pair)) {
            agentSocket = Optional.of(agent.socket());
            assertThat(open(trusted(new ShellAccess.Agent())).read().hostname()).isEqualTo("pve1");
        }
    }

    @Test
    void anAgentThatIsNotThereOrEmptyIsTold() throws Exception {
        assertThat(trouble(trusted(new ShellAccess.Agent())).kind()).isEqualTo(Kind.MISSING);
        try (TestAgent agent = new TestAgent(folder.resolve("b"))) {
            agentSocket = Optional.of(agent.socket());
            assertThat(trouble(trusted(new ShellAccess.Agent())).what()).contains("holds no key");
        }
    }

    @Test
    void anUnknownHostKeyGetsNoLogin() {
        Trouble trouble = trouble(access(PASSWORD, Optional.empty()));
        assertThat(trouble.kind()).isEqualTo(Kind.TRUST);
        assertThat(trouble.what()).contains(shell.fingerprint());
        assertThat(shell.passwordsSeen()).isZero();
    }

    @Test
    void aChangedHostKeyShowsBothFingerprintsAndGetsNoLogin() {
        Trouble trouble = trouble(access(PASSWORD, Optional.of("SHA256:oldoldoldoldoldoldoldoldoldoldoldoldoldoldo")));
        assertThat(trouble.kind()).isEqualTo(Kind.TRUST);
        assertThat(trouble.what()).contains("SHA256:oldold", shell.fingerprint());
        assertThat(shell.passwordsSeen()).isZero();
    }

    @Test
    void knownHostsIsEnoughToTrust() throws Exception {
        knownHosts("", shell.hostKey());
        assertThat(open(access(PASSWORD, Optional.empty())).read().hostname()).isEqualTo("pve1");
    }

    @Test
    void anotherKeyInKnownHostsIsAChange() throws Exception {
        knownHosts("", ScriptedShell.newKey().getPublic());
        assertThat(trouble(access(PASSWORD, Optional.empty())).what()).contains("has changed");
    }

    @Test
    void aRevokedKeyIsRefusedThoughItIsPinned() throws Exception {
        knownHosts("@revoked ", shell.hostKey());
        assertThat(trouble(trusted(PASSWORD)).what()).contains("revoked");
    }

    private void knownHosts(String marker, PublicKey key) throws IOException {
        Files.writeString(folder.resolve("known_hosts"),
                marker + "[127.0.0.1]:" + shell.port() + " " + PublicKeyEntry.toString(key) + "\n");
    }

    @Test
    void aMachineBehindAJumpHostIsRead() throws Exception {
        try (ScriptedShell target = ScriptedShell.start()) {
            target.says("uname -nr", "worker 6.1.0\n");
            ShellAccess behind = behind(target.port(), target.fingerprint());
            assertThat(open(behind).read().hostname()).isEqualTo("worker");
            probe.close();
            await().until(() -> shell.sessions() == 0 && target.sessions() == 0);
        }
    }

    @Test
    void aJumpHostThatCannotReachTheMachineIsNamed() {
        Trouble trouble = trouble(behind(ScriptedServer.closedPort(), "SHA256:x"));
        assertThat(trouble.kind()).isEqualTo(Kind.CONNECT);
        assertThat(trouble.what()).contains("jump host pve1");
    }

    private ShellAccess behind(int port, String hostKey) {
        return new ShellAccess("worker", ShellAccess.Role.NODE, "127.0.0.1", port, ScriptedShell.USER, PASSWORD,
                Optional.of(hostKey), Optional.of(trusted(PASSWORD)));
    }

    @Test
    void anUnknownNameIsSaid() {
        ShellAccess access = new ShellAccess("pve1", ShellAccess.Role.PROXMOX_HOST, "pve1.invalid", 22, "root", PASSWORD,
                Optional.of("SHA256:x"), Optional.empty());
        Trouble trouble = trouble(access);
        assertThat(trouble.kind()).isEqualTo(Kind.NAME);
        assertThat(trouble.where()).isEqualTo("pve1.invalid:22");
    }

    @Test
    void aClosedPortNamesTheService() {
        Trouble trouble = trouble(at(ScriptedServer.closedPort(), PASSWORD, Optional.of("SHA256:x")));
        assertThat(trouble.kind()).isEqualTo(Kind.CONNECT);
        assertThat(trouble.what()).contains("sshd does not listen");
    }

    @Test
    void anotherServiceOnThePortIsRecognised() throws Exception {
        limits = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(2));
        try (ServerSocket ftp = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> greet(ftp, "220 ProFTPD Server ready\r\n"));
            Trouble trouble = trouble(at(ftp.getLocalPort(), PASSWORD, Optional.of("SHA256:x")));
            assertThat(trouble.kind()).isEqualTo(Kind.PROTOCOL);
            assertThat(trouble.what()).contains("not an SSH server", "220 ProFTPD Server ready");
        }
    }

    private static void greet(ServerSocket server, String greeting) {
        try (Socket client = server.accept()) {
            client.getOutputStream().write(greeting.getBytes(StandardCharsets.UTF_8));
            client.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // The client hung up.
        }
    }

    @Test
    void aMuteServerEndsAtTheTimeLimit() throws IOException {
        limits = TestLimits.BRIEF;
        // The kernel accepts the connection; nobody ever reads from it or answers.
        try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertThat(trouble(at(mute.getLocalPort(), PASSWORD, Optional.of("SHA256:x"))).kind()).isEqualTo(Kind.TIMEOUT);
        }
    }

    private KeyPair allowedKey() throws IOException {
        KeyPair pair = ScriptedShell.newKey();
        shell.close();
        shell = ScriptedShell.start(pair.getPublic());
        return pair;
    }

    private ShellAccess.KeyFile keyFile(KeyPair pair, String passphrase) throws Exception {
        Path file = folder.resolve("id_test");
        OpenSSHKeyEncryptionContext encryption = null;
        if (!passphrase.isEmpty()) {
            encryption = new OpenSSHKeyEncryptionContext();
            encryption.setPassword(passphrase);
            encryption.setCipherName("AES");
            encryption.setCipherMode("CTR");
            encryption.setCipherType("256");
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(pair, "test", encryption, out);
        }
        return new ShellAccess.KeyFile(file, Optional.empty());
    }
}
