package dev.pitwall.lab.ssh;

import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.world.PassingState;
import dev.pitwall.lab.world.World;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.keyverifier.AcceptAllServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.keyprovider.FileKeyPairProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** qm, pvesh and their like in a shell do what the API does. */
class PveProgramsTest {
    /** Lab seconds a real one. */
    private static final double SPEED = 200;
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    static Path dir;
    private static Lab lab;
    private static SshClient client;

    @BeforeAll
    static void start() throws Exception {
        lab = Lab.start(LabOptions.garage(dir).withSpeed(SPEED));
        client = SshLab.quickClient();
        client.setServerKeyVerifier(AcceptAllServerKeyVerifier.INSTANCE);
        client.start();
    }

    @AfterAll
    static void stop() {
        client.stop();
        lab.close();
    }

    private static ClientSession connect(String machine) throws Exception {
        int port = lab.endpoints().stream().filter(e -> e.system().equals("ssh")
                && e.name().equals(machine)).findFirst()
                .orElseThrow().uri().getPort();
        ClientSession session = client.connect("root", "127.0.0.1", port).verify(LONG).getSession();
        session.addPublicKeyIdentity(new FileKeyPairProvider(dir.resolve("id_ed25519")).loadKeys(null).iterator().next());
        session.auth().verify(LONG);
        return session;
    }

    private static SshLab.Answer exec(String machine, String command) throws Exception {
        try (ClientSession session = connect(machine)) {
            return SshLab.exec(session, command);
        }
    }

    private static String status(int vmid) {
        World world = lab.world();
        return world.read(w -> w.vms.get(vmid).status);
    }

    @Test
    void aChangeOfARunningVmStaysPendingUntilItIsStoppedAndStarted() throws Exception {
        assertThat(exec("pve1", "qm set 121 --cores 4").out()).isEqualTo("update VM 121: -cores 4\n");
        assertThat(exec("pve1", "qm pending 121").out()).contains("cur cores: 8\nnew cores: 4\n");
        assertThat(exec("pve1", "qm stop 121").status()).isZero();
        assertThat(exec("pve1", "qm status 121").out()).isEqualTo("status: stopped\n");
        assertThat(exec("pve1", "qm start 121").status()).isZero();
        assertThat(exec("pve1", "qm pending 121").out()).contains("cur cores: 4\n").doesNotContain("new ");
        assertThat(exec("pve1", "qm list").out()).containsPattern("121 rke2-worker-dc1-gpu-a +running");
    }

    @Test
    void whatProxmoxRefusesIsRefusedInItsWords() throws Exception {
        assertThat(exec("pve1", "qm start 999").err())
                .isEqualTo("Configuration file 'nodes/pve1/qemu-server/999.conf' does not exist\n");
        SshLab.Answer wrong = exec("pve1", "qm set 141 --cores none");
        assertThat(wrong.status()).isEqualTo(255);
        assertThat(wrong.err()).startsWith("400 Parameter verification failed.\ncores: ");
        assertThat(exec("pve1", "qm nonsense").err()).startsWith("ERROR: unknown command 'qm nonsense'");
        assertThat(exec("pve1", "qm start 141").err()).contains("VM 141 already running");
    }

    @Test
    void pveshAnswersInTheFormatThatIsAsked() throws Exception {
        assertThat(exec("pve2", "pvesh get /nodes/pve2/qemu/122/status/current --output-format json").out())
                .contains("\"status\":\"running\"");
        assertThat(exec("pve2", "pvesh get /version").out()).contains("\u2502 release");
        assertThat(exec("pve2", "pvesh get /nonsense").err()).isEqualTo("No 'get' handler defined for '/nonsense'\n");
        assertThat(exec("pve2", "pvesm status").out()).contains("local");
    }

    @Test
    void aRebootOfAHostShutsItsVmsDownAndStartsThoseWithOnboot() throws Exception {
        String before = exec("pve3", "cat /proc/sys/kernel/random/boot_id").out();
        try (PassingState down = PassingState.of(lab.world(), SPEED, w -> w.hosts.get("pve3").off)) {
            exec("pve3", "systemctl reboot");
            down.await();
            assertThat(status(123)).isEqualTo("stopped");
        }
        await().ignoreExceptions().until(() -> {
            String now = exec("pve3", "cat /proc/sys/kernel/random/boot_id").out();
            return !now.isEmpty() && !now.equals(before);
        });
        await().until(() -> status(123).equals("running"));
    }
}
