package dev.pitwall.lab.ssh;

import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.PassingState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A host's changes take effect when they would on a real one: after the initramfs, the boot loader and a reboot. */
class HostBootTest {
    private static final String HOST = "pve1";
    private static final String GPU = "0000:01:00.0";
    private static final String D3 = "cat /sys/module/vfio_pci/parameters/disable_idle_d3";

    @TempDir
    Path dir;
    private SshLab lab;

    @BeforeEach
    void start() throws Exception {
        lab = new SshLab(dir);
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    private String out(String command) throws Exception {
        return lab.exec(HOST, command).out();
    }

    private String driver(String address) throws Exception {
        return out("basename $(readlink /sys/bus/pci/devices/" + address + "/driver)").strip();
    }

    @Test
    void aVfioOptionActsOnlyAfterTheInitramfsAndAReboot() throws Exception {
        lab.exec(HOST, "echo 'options vfio-pci disable_idle_d3=1' > /etc/modprobe.d/zz-d3.conf");
        lab.reboot(HOST);
        assertThat(out(D3)).isEqualTo("N\n");
        assertThat(out("update-initramfs -u -k all")).contains("Generating /boot/initrd.img-6.8.12-15-pve");
        assertThat(out(D3)).isEqualTo("N\n");
        lab.reboot(HOST);
        assertThat(out(D3)).isEqualTo("Y\n");
        assertThat(driver(GPU)).isEqualTo("vfio-pci");
    }

    @Test
    void withoutItsFilesTheHostsOwnDriversTakeTheCardAtTheNextBoot() throws Exception {
        lab.exec(HOST, "rm /etc/modprobe.d/vfio.conf /etc/modprobe.d/blacklist-gpu.conf && update-initramfs -u");
        assertThat(driver(GPU)).isEqualTo("vfio-pci");
        lab.world().change(w -> w.vms.get(121).config.remove("onboot"));
        lab.reboot(HOST);
        assertThat(driver(GPU)).isEqualTo("nouveau");
        assertThat(driver("0000:01:00.1")).isEqualTo("snd_hda_intel");
        lab.exec(HOST, "echo 'blacklist nouveau' > /etc/modprobe.d/b.conf && update-initramfs -u");
        lab.reboot(HOST);
        assertThat(out("lspci -nnk -s 01:00.0")).doesNotContain("in use");
    }

    @Test
    void grubTakesItsOwnFileAfterUpdateGrubAndNotTheOneOfSystemdBoot() throws Exception {
        lab.exec(HOST, "echo 'root=x quiet intel_iommu=on' > /etc/kernel/cmdline; proxmox-boot-tool refresh");
        lab.reboot(HOST);
        assertThat(out("cat /proc/cmdline")).doesNotContain("intel_iommu");
        lab.exec(HOST, "echo 'GRUB_CMDLINE_LINUX_DEFAULT=\"$GRUB_CMDLINE_LINUX_DEFAULT iommu=pt\"' "
                + "> /etc/default/grub.d/x.cfg");
        lab.reboot(HOST);
        assertThat(out("cat /proc/cmdline")).doesNotContain("iommu=pt");
        lab.exec(HOST, "update-grub");
        assertThat(out("grep -c iommu=pt /boot/grub/grub.cfg")).isEqualTo("1\n");
        assertThat(out("cat /proc/cmdline")).doesNotContain("iommu=pt");
        lab.reboot(HOST);
        assertThat(out("cat /proc/cmdline")).isEqualTo(
                "BOOT_IMAGE=/boot/vmlinuz-6.8.12-15-pve root=/dev/mapper/pve-root ro quiet iommu=pt\n");
        lab.exec(HOST, "rm /etc/default/grub.d/x.cfg; update-grub");
        lab.reboot(HOST);
        assertThat(out("cat /proc/cmdline")).isEqualTo(
                "BOOT_IMAGE=/boot/vmlinuz-6.8.12-15-pve root=/dev/mapper/pve-root ro quiet\n");
    }

    @Test
    void systemdBootTakesTheEspsLineAndGrubsFileChangesNothing() throws Exception {
        String line = "initrd=\\EFI\\proxmox\\6.8.12-15-pve\\initrd.img-6.8.12-15-pve root=ZFS=rpool/ROOT/pve-1 boot=zfs";
        lab.close();
        try (SshLab zfs = SshLab.of(dir.resolve("zfs"), w -> w.hosts.get(HOST).commandLine = line)) {
            zfs.exec(HOST, "sed -i 's/quiet/quiet iommu=pt/' /etc/default/grub && update-grub");
            zfs.reboot(HOST);
            assertThat(zfs.exec(HOST, "cat /proc/cmdline").out()).isEqualTo(line + "\n");
            assertThat(zfs.exec(HOST, "proxmox-boot-tool status").out()).contains("is configured with: uefi");
            zfs.exec(HOST, "sed -i 's/$/ iommu=pt/' /etc/kernel/cmdline");
            zfs.reboot(HOST);
            assertThat(zfs.exec(HOST, "cat /proc/cmdline").out()).isEqualTo(line + "\n");
            zfs.exec(HOST, "proxmox-boot-tool refresh");
            zfs.reboot(HOST);
            assertThat(zfs.exec(HOST, "cat /proc/cmdline").out()).isEqualTo(line + " iommu=pt\n");
        }
    }

    @Test
    void anOldIntelKernelNeedsItsOptionForTheIommu() throws Exception {
        lab.exec(HOST, "sed -i 's/quiet/quiet intel_iommu=off/' /etc/default/grub && update-grub");
        lab.reboot(HOST);
        assertThat(out("ls /sys/class/iommu /sys/kernel/iommu_groups")).doesNotContain("dmar");
        assertThat(driver(GPU)).isNotEqualTo("vfio-pci");
        lab.exec(HOST, "sed -i 's/intel_iommu=off/pcie_acs_override=downstream,multifunction/' /etc/default/grub; "
                + "update-grub");
        lab.reboot(HOST);
        assertThat(driver(GPU)).isEqualTo("vfio-pci");
        assertThat(out("readlink /sys/bus/pci/devices/" + GPU + "/iommu_group")).isNotEqualTo(
                out("readlink /sys/bus/pci/devices/0000:01:00.1/iommu_group"));
        assertThat(out("dmesg")).contains("PCIe ACS overrides enabled");
    }

    @Test
    void aRebootStopsTheVmsAndThoseWithOnbootComeBack() throws Exception {
        lab.world().change(w -> w.vms.get(141).config.remove("onboot"));
        int port = lab.port(HOST);
        String before = out("cat /proc/sys/kernel/random/boot_id");
        try (PassingState down = PassingState.of(lab.world(), SshLab.SPEED, w -> w.hosts.get(HOST).off)) {
            lab.exec(HOST, "touch /tmp/gone /root/kept; reboot");
            down.await();
            await().until(() -> refused(port));
            assertThat(status(121)).isEqualTo("stopped");
        }
        await().until(() -> !refused(port));
        assertThat(out("cat /proc/sys/kernel/random/boot_id")).isNotEqualTo(before);
        assertThat(out("ls /tmp /root")).contains("kept").doesNotContain("gone");
        assertThat(out("last -x | head -3")).contains("still running").contains("system down");
        assertThat(out("journalctl --list-boots").lines()).hasSize(3);
        await().until(() -> lab.world().read(w -> w.vms.get(121).status)
                .equals("running"));
        assertThat(status(141)).isEqualTo("stopped");
    }

    @Test
    void aGuestsRebootLeavesPendingChangesPending() throws Exception {
        LabVm vm = lab.world().read(w -> w.vms.get(121));
        lab.world().change(w -> vm.config.put("cores", "4"));
        lab.reboot("rke2-worker-dc1-gpu-a");
        assertThat(vm.running.get("cores")).isEqualTo("8");
        assertThat(vm.config.get("cores")).isEqualTo("4");
    }

    private String status(int vmid) {
        return lab.world().read(w -> w.vms.get(vmid).status);
    }

    private static boolean refused(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }
}
