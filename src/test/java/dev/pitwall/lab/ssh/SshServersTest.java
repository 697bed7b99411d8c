package dev.pitwall.lab.ssh;

import dev.pitwall.lab.world.World;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.digest.BuiltinDigests;
import org.apache.sshd.common.keyprovider.FileKeyPairProvider;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClientFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class SshServersTest {
    private static final String GPU_NODE = "rke2-worker-dc1-gpu-a";
    private static final Duration LONG = Duration.ofSeconds(60);

    private record Answer(int status, String out, String err) {
    }

    @TempDir
    Path dir;
    private World world;
    private SshServers servers;
    private SshClient client;
    private final AtomicReference<String> seenHostKey = new AtomicReference<>("");

    @BeforeEach
    void start() throws Exception {
        world = GarageWorld.fresh();
        servers = new SshServers(world, dir, "secret", Optional.of("jump"));
        client = SshLab.quickClient();
        client.setServerKeyVerifier((session, address, key) -> {
            seenHostKey.set(KeyUtils.getFingerPrint(BuiltinDigests.sha256, key));
            return true;
        });
        client.start();
    }

    @AfterEach
    void stop() {
        client.stop();
        servers.close();
    }

    private SshEntry entry(String machine) {
        return servers.entries().stream().filter(e -> e.name().equals(machine)).findFirst().orElseThrow();
    }

    private ClientSession connect(String machine) throws Exception {
        SshEntry e = entry(machine);
        ClientSession session = client.connect(e.user(), e.host(), e.port()).verify(LONG).getSession();
        session.addPublicKeyIdentity(new FileKeyPairProvider(e.keyFile()).loadKeys(null).iterator().next());
        session.auth().verify(LONG);
        return session;
    }

    private Answer exec(String machine, String command) throws Exception {
        try (ClientSession session = connect(machine); var channel = session.createExecChannel(command)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            channel.setOut(out);
            channel.setErr(err);
            channel.open().verify(LONG);
            channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), LONG);
            return new Answer(channel.getExitStatus(), out.toString(StandardCharsets.UTF_8),
                    err.toString(StandardCharsets.UTF_8));
        }
    }

    @Test
    void eachMachineHasItsOwnHostKeyAndTheLabKeyIsPrivate() throws Exception {
        exec("pve1", "true");
        assertThat(seenHostKey.get()).isEqualTo(entry("pve1").hostKey());
        assertThat(servers.entries()).extracting(SshEntry::hostKey).doesNotHaveDuplicates();
        Path key = entry("pve1").keyFile();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key))).isEqualTo("rw-------");
        assertThat(Files.readString(key)).startsWith("-----BEGIN OPENSSH PRIVATE KEY-----");
    }

    @Test
    void aLabStartedAgainInItsFolderKeepsItsKeys() throws Exception {
        String before = entry("pve2").hostKey();
        servers.close();
        servers = new SshServers(world, dir, "secret", Optional.empty());
        assertThat(entry("pve2").hostKey()).isEqualTo(before);
    }

    @Test
    void onlyRootWithTheRightPasswordSignsIn() throws Exception {
        SshEntry e = entry("pve1");
        ClientSession wrong = client.connect("root", e.host(), e.port()).verify(LONG).getSession();
        wrong.addPasswordIdentity("guess");
        assertThatThrownBy(() -> wrong.auth().verify(LONG)).isInstanceOf(IOException.class);
        ClientSession right = client.connect("root", e.host(), e.port()).verify(LONG).getSession();
        right.addPasswordIdentity("secret");
        right.auth().verify(LONG);
        assertThat(right.isAuthenticated()).isTrue();
    }

    @Test
    void theHostShowsTheCardOnVfioAndTheGuestOnNvidia() throws Exception {
        assertThat(exec("pve1", "lspci -nnk -s 01:00.0").out()).contains("Kernel driver in use: vfio-pci");
        Answer guest = exec(GPU_NODE, "lspci -nnk -d 10de: && cat /proc/driver/nvidia/version");
        assertThat(guest.out()).contains("Kernel driver in use: nvidia").contains("NVRM version: NVIDIA UNIX");
        assertThat(exec("pve1", "readlink /sys/bus/pci/devices/0000:01:00.0/driver").out())
                .isEqualTo("../../../bus/pci/drivers/vfio-pci\n");
        String uuid = world.read(w -> w.nodes.get(GPU_NODE).systemUuid);
        assertThat(exec(GPU_NODE, "cat /sys/class/dmi/id/product_uuid").out()).isEqualTo(uuid + "\n");
    }

    @Test
    void nvidiaSmiIsLiveAndFailsInItsOwnWords() throws Exception {
        world.change(w -> w.cards.get("pve1/0000:01:00").memoryUsedMiB = 4321);
        assertThat(exec(GPU_NODE, "nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits"))
                .isEqualTo(new Answer(0, "4321\n", ""));
        assertThat(exec(GPU_NODE, "nvidia-smi -q -x").out()).contains("<used>4321 MiB</used>")
                .contains("<virtualization_mode>Pass-Through</virtualization_mode>").doesNotContain("${");
        assertThat(exec(GPU_NODE, "nvidia-smi -q").out()).contains("Used                              : 4321 MiB")
                .doesNotContain("${");
        world.change(w -> w.nodes.get(GPU_NODE).driver = "failed");
        Answer failed = exec(GPU_NODE, "nvidia-smi");
        assertThat(failed.status()).isEqualTo(9);
        assertThat(failed.out()).startsWith("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.");
        assertThat(exec("pve1", "nvidia-smi")).isEqualTo(new Answer(127, "", "bash: nvidia-smi: command not found\n"));
    }

    @Test
    void sftpWritesBesideAndRenamesOverWithItsMode() throws Exception {
        try (ClientSession session = connect("pve1"); SftpClient sftp = SftpClientFactory.instance().createSftpClient(session)) {
            try (OutputStream out = sftp.write("/etc/modprobe.d/.vfio.new")) {
                out.write("options vfio-pci ids=10de:25b0\n".getBytes(StandardCharsets.UTF_8));
            }
            sftp.setStat("/etc/modprobe.d/.vfio.new", new SftpClient.Attributes().perms(0640));
            sftp.rename("/etc/modprobe.d/.vfio.new", "/etc/modprobe.d/vfio.conf", SftpClient.CopyMode.Overwrite);
            assertThat(sftp.stat("/etc/modprobe.d/vfio.conf").getPermissions() & 0777).isEqualTo(0640);
            assertThat(sftp.readLink("/sys/bus/pci/devices/0000:01:00.0")).endsWith("0000:01:00.0");
        }
        assertThat(new String(world.read(w -> w.hosts.get("pve1").files.get("/etc/modprobe.d/vfio.conf")),
                StandardCharsets.UTF_8)).isEqualTo("options vfio-pci ids=10de:25b0\n");
        assertThat(exec("pve1", "stat -c '%a %s' /etc/modprobe.d/vfio.conf").out()).isEqualTo("640 31\n");
    }

    @Test
    void aSilentHostAndItsGuestsRefuseConnectionsAndComeBackOnTheSamePort() throws Exception {
        int host = entry("pve1").port();
        int guest = entry(GPU_NODE).port();
        world.change(w -> w.hosts.get("pve1").silent = true);
        await().until(() -> refused(host) && refused(guest));
        assertThat(refused(entry("pve2").port())).isFalse();
        world.change(w -> w.hosts.get("pve1").silent = false);
        await().until(() -> !refused(host));
        assertThat(exec("pve1", "hostname").out()).isEqualTo("pve1\n");
    }

    private static boolean refused(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void theJumpHostForwardsToOtherMachines() throws Exception {
        try (ClientSession session = connect("jump")) {
            var tunnel = session.startLocalPortForwarding(
                    new org.apache.sshd.common.util.net.SshdSocketAddress("127.0.0.1", 0),
                    new org.apache.sshd.common.util.net.SshdSocketAddress("127.0.0.1", entry("pve3").port()));
            ClientSession behind = client.connect("root", "127.0.0.1", tunnel.getPort()).verify(LONG).getSession();
            behind.addPasswordIdentity("secret");
            behind.auth().verify(LONG);
            assertThat(behind.executeRemoteCommand("hostname")).isEqualTo("pve3\n");
        }
    }
}
