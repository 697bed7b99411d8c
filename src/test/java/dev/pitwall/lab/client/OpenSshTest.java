package dev.pitwall.lab.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenSSH's ssh and sftp against the lab's machines, with the ssh_config the lab writes. */
class OpenSshTest {
    @TempDir
    private static Path dir;
    private static Lab lab;

    @BeforeAll
    static void start() throws Exception {
        lab = Lab.start(LabOptions.garage(dir.resolve("lab")).withSpeed(60));
    }

    @AfterAll
    static void stop() {
        lab.close();
    }

    @Test
    void sshRunsACommandAndGivesItsExitCode() {
        assertThat(ssh("pve1", "lspci -nn -d 10de:").ok()).contains("[10de:25b0]");
        assertThat(ssh("pve1", "no-such-command").exit()).isEqualTo(127);
        assertThat(ssh("pve1", "test -e /nowhere").exit()).isEqualTo(1);
    }

    @Test
    void sshFeedsAFileToACommand() {
        RealClient client = RealClient.named("ssh", "-F", config(), "pve2");
        client.feed("options vfio-pci ids=10de:25b0\n", "tee /etc/modprobe.d/pitwall-test.conf > /dev/null").ok();
        assertThat(client.run("cat /etc/modprobe.d/pitwall-test.conf").ok()).isEqualTo("options vfio-pci ids=10de:25b0\n");
    }

    @Test
    void sftpPutsAFileRenamesItGetsItBackAndRemovesIt() throws Exception {
        Path local = dir.resolve("sent.txt");
        Path back = dir.resolve("back.txt");
        Files.writeString(local, "softdep nouveau pre: vfio-pci\n");
        RealClient sftp = RealClient.named("sftp", "-q", "-b", "-", "-F", config(), "pve3");
        sftp.feed("""
                put %s /etc/modprobe.d/.new
                chmod 600 /etc/modprobe.d/.new
                rename /etc/modprobe.d/.new /etc/modprobe.d/order.conf
                get /etc/modprobe.d/order.conf %s
                """.formatted(local, back)).ok();
        assertThat(back).hasSameTextualContentAs(local);
        assertThat(ssh("pve3", "stat -c %a /etc/modprobe.d/order.conf").ok().strip()).isEqualTo("600");
        sftp.feed("rm /etc/modprobe.d/order.conf\n").ok();
        assertThat(ssh("pve3", "cat /etc/modprobe.d/order.conf").err()).contains("No such file or directory");
    }

    private static RealClient.Result ssh(String machine, String command) {
        return RealClient.named("ssh", "-F", config(), machine).run(command);
    }

    private static String config() {
        return lab.dir().resolve("ssh_config").toString();
    }
}
