package dev.pitwall.lab.ssh;

import dev.pitwall.lab.fault.FaultBoard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** A fault of the host is still there after a reboot, and can be repaired over SSH. */
class BootFaultTest {
    private static final Optional<String> CARD = Optional.of("pve1/0000:01:00");

    @TempDir
    Path dir;

    @Test
    void theHostsDriversHoldTheCardUntilVfioIsBroughtBack() throws Exception {
        try (SshLab lab = new SshLab(dir)) {
            new FaultBoard(lab.world()).on("host-driver-holds-passthrough-gpu", CARD);
            lab.world().change(w -> w.vms.get(121).config.remove("onboot"));
            lab.reboot("pve1");
            assertThat(lab.exec("pve1", "lspci -nnk -s 01:00.0").out()).contains("Kernel driver in use: nouveau");
            lab.exec("pve1", "printf 'options vfio-pci ids=10de:25b0,10de:2291\\nsoftdep nouveau pre: vfio-pci\\n"
                    + "softdep snd_hda_intel pre: vfio-pci\\n' > /etc/modprobe.d/zz.conf; update-initramfs -u -k all");
            lab.reboot("pve1");
            assertThat(lab.exec("pve1", "lspci -nnk -s 01:00").out()).contains("Kernel driver in use: vfio-pci")
                    .doesNotContain("in use: nouveau").doesNotContain("in use: snd_hda_intel");
        }
    }

    @Test
    void anIommuThatIsOffInFirmwareStaysOffWhateverTheCommandLineSays() throws Exception {
        try (SshLab lab = new SshLab(dir)) {
            new FaultBoard(lab.world()).on("iommu-off", CARD);
            lab.exec("pve1", "sed -i 's/quiet/quiet intel_iommu=on/' /etc/default/grub; update-grub");
            lab.reboot("pve1");
            assertThat(lab.exec("pve1", "dmesg").out()).contains("DMAR: IOMMU enabled").doesNotContain("DRHD base");
            assertThat(lab.exec("pve1", "ls /sys/class/iommu /sys/kernel/iommu_groups").out()).doesNotContain("dmar");
        }
    }
}
