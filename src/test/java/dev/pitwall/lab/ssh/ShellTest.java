package dev.pitwall.lab.ssh;

import dev.pitwall.lab.ssh.command.LabCommands;
import dev.pitwall.lab.ssh.shell.Shell;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

class ShellTest {
    private record Outcome(int status, String out, String err) {
    }

    private Machine machine;
    private Shell shell;

    @BeforeEach
    void startShell() throws Exception {
        machine = new Machine("pve1", GarageWorld.fresh(), new LabTexts());
        shell = new Shell(machine, LabCommands.all());
    }

    private Outcome run(String text) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = shell.run(text, InputStream.nullInputStream(), out, err);
        return new Outcome(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '\0', value = {
        "echo a  b~a b",
        "echo 'a  b' \"c $HOME\"~a  b c /root",
        "echo 'it'\\''s'~it's",
        "false || echo no; true && echo yes~no|yes",
        "x=1; echo $x${x}~11",
        "echo $(hostname)-`whoami`~pve1-root",
        "printf 'b\\na\\n' | sort | head -1~a",
        "echo /proc/c*o~/proc/cpuinfo",
        "echo '/proc/c*'~/proc/c*",
        "echo /sys/class/iommu/*~/sys/class/iommu/dmar0 /sys/class/iommu/dmar1",
        "for i in 1 2 3; do echo -n $i; done~123",
        "if [ -e /proc/cmdline ]; then echo there; else echo not; fi~there",
        "p=/a/b/c.txt; echo ${p##*/} ${p%/*} ${nope:-d}~c.txt /a/b d",
        "echo a > /tmp/f; echo b >> /tmp/f; cat /tmp/f~a|b",
        "ls /nowhere 2>/dev/null; echo $?~2",
        "foo 2>&1~bash: foo: command not found",
        "echo 2 > /tmp/two; cat /tmp/two~2",
        "(cd /etc; pwd); pwd~/etc|/root",
        "! false; echo $?~0",
        "grep -c processor /proc/cpuinfo~20",
        "sh -c 'echo \"$0 $1\"' a b~a b",
        "printf 'a=1\\nb=2\\n' | sed -n 's/^b=//p'~2",
        "printf 'one two\\nthree four\\n' | awk '{print $2}'~two|four",
        "printf 'x:1\\ny:2\\n' | awk -F: '$1 == \"y\" {print $2}'~2",
        "echo a > /tmp/s; sed -i -e 's/a/b/' -e '$a c' /tmp/s; cat /tmp/s~b|c",
        "mkdir -p /opt/a/b; touch /opt/a/b/c; mv /opt/a /opt/z; ls /opt/z/b~c",
        "install -m 600 /etc/hostname /tmp/h; stat -c %a /tmp/h~600",
        "d=$(mktemp -d); echo x > $d/f; cp -r $d /tmp/copy; cat /tmp/copy/f~x",
        "echo 1 | tee -a /tmp/t > /dev/null; echo 2 | tee -a /tmp/t >/dev/null; cat /tmp/t~1|2",
    })
    void readsCommandLinesAsAPosixShellDoes(String line, String expected) throws Exception {
        assertThat(run(line).out()).isEqualTo(expected.replace("|", "\n") + (line.contains("-n $i") ? "" : "\n"));
    }

    @Test
    void aRecursiveGrepBelowAFolderThatIsNotThereEndsAtOnce() throws Exception {
        assertThat(run("grep -rsH . /sys/module/nothing_here/parameters").status()).isEqualTo(2);
    }

    @Test
    void aHereDocumentIsWrittenToAFile() throws Exception {
        run("cat > /etc/modprobe.d/x.conf <<'EOF'\noptions a b=$c\nEOF\n");
        assertThat(run("cat /etc/modprobe.d/x.conf").out()).isEqualTo("options a b=$c\n");
    }

    @Test
    void setMinusEEndsTheShellAtTheFirstFailureThatNobodyAskedFor() throws Exception {
        assertThat(run("set -e; false || true; ! true; if false; then :; fi; false && true; echo on; false; echo off"))
                .isEqualTo(new Outcome(1, "on\n", ""));
        shell = new Shell(machine, LabCommands.all());
        assertThat(run("set -e; true && false; echo off").out()).isEmpty();
        shell = new Shell(machine, LabCommands.all());
        assertThat(run("set -e; set +e; false; echo on").out()).isEqualTo("on\n");
    }

    @Test
    void anOptionThatAProgramDoesNotHaveIsRefusedInItsWords() throws Exception {
        assertThat(run("ls --nope").err()).startsWith("ls: unrecognized option '--nope'\n");
        assertThat(run("ls --nope").status()).isEqualTo(2);
        assertThat(run("uname -q").err()).startsWith("uname: invalid option -- 'q'\n");
    }

    @Test
    void freeSaysWhatTheKernelSays() throws Exception {
        String total = run("grep MemTotal /proc/meminfo").out();
        String kib = total.replaceAll("\\D", "");
        assertThat(run("free").out().lines().toList().get(1)).matches("Mem: +" + kib + "( +\\d+){5}");
        assertThat(run("free -h").out()).containsPattern("Mem: +\\d+(\\.\\d)?Gi ");
    }

    @Test
    void aGuestsDiskIsTheDriveOfItsVm() throws Exception {
        shell = new Shell(new Machine("rke2-worker-dc1-gpu-a", GarageWorld.fresh(), new LabTexts()), LabCommands.all());
        assertThat(run("lsblk").out().lines().toList().get(1)).matches("sda +8:0 +0 +160G +0 disk *");
        String root = run("df").out().lines().toList().get(1).split(" +")[1];
        assertThat(Long.parseLong(root)).isEqualTo(160L << 20);
    }

    @Test
    void theLoadIsThatOfTheVms() throws Exception {
        String load = run("cut -d' ' -f1 /proc/loadavg").out().strip();
        assertThat(Double.parseDouble(load)).isPositive();
        assertThat(run("uptime").out()).contains("load average: " + load + ", ");
    }

    @Test
    void anUnknownCommandIs127AndASyntaxErrorIs2() throws Exception {
        assertThat(run("foo").status()).isEqualTo(127);
        assertThat(run("foo").err()).isEqualTo("bash: foo: command not found\n");
        assertThat(run("echo )")).isEqualTo(new Outcome(2, "", "bash: syntax error near unexpected token `)'\n"));
    }

    @Test
    void theIommuLinesFollowFirmwareAndNotTheWordOnTheCommandLine() throws Exception {
        machine.world().change(w -> {
            w.hosts.get("pve1").iommuInFirmware = false;
            w.hosts.get("pve1").iommuActive = false;
            w.hosts.get("pve1").commandLine += " intel_iommu=on";
        });
        assertThat(run("dmesg | grep -e DMAR -e IOMMU").out()).isEqualTo("[    0.033133] DMAR: IOMMU enabled\n");
        assertThat(run("ls /sys/class/iommu /sys/kernel/iommu_groups /sys/firmware/acpi/tables").out())
                .doesNotContain("dmar").doesNotContain("DMAR");
    }

    @Test
    void aCardThatIsGoneShowsRevisionFf() throws Exception {
        machine.world().change(w -> w.cards.get("pve1/0000:01:00").lost = true);
        assertThat(run("lspci -nn -s 01:00.0").out())
                .isEqualTo("01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA107GL [RTX A1000] "
                        + "[10de:25b0] (rev ff)\n");
        assertThat(run("dmesg | tail -1").out()).contains("device inaccessible");
    }

    @Test
    void kernelFilesCannotBeChanged() throws Exception {
        assertThat(run("echo x > /proc/cmdline").err()).isEqualTo("bash: /proc/cmdline: Permission denied\n");
        assertThat(run("rm /sys/class/dmi/id/board_name").status()).isEqualTo(1);
    }
}
