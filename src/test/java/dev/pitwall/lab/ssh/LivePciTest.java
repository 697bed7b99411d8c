package dev.pitwall.lab.ssh;

import dev.pitwall.lab.world.PowerSwitch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/** Drivers let go of devices and take others while the host runs. Each test has a host of its own. */
class LivePciTest {
    private static final String GPU = "0000:01:00.0";
    private static final String AUDIO = "0000:01:00.1";

    @TempDir
    static Path dir;
    private static SshLab lab;

    @BeforeAll
    static void start() throws Exception {
        lab = new SshLab(dir);
        lab.world().change(w -> w.vms.values().stream().toList().forEach(vm -> PowerSwitch.stop(w, vm)));
    }

    @AfterAll
    static void stop() {
        lab.close();
    }

    private static String driver(String host, String address) throws Exception {
        return lab.exec(host, "basename $(readlink /sys/bus/pci/devices/" + address + "/driver)").out().strip();
    }

    @Test
    void unbindOverrideAndProbeMoveADevice() throws Exception {
        lab.exec("pve1", "echo " + AUDIO + " > /sys/bus/pci/devices/" + AUDIO + "/driver/unbind");
        assertThat(lab.exec("pve1", "ls /sys/bus/pci/devices/" + AUDIO + "/driver").status()).isEqualTo(2);
        lab.exec("pve1", "echo snd_hda_intel > /sys/bus/pci/devices/" + AUDIO + "/driver_override; "
                + "echo " + AUDIO + " > /sys/bus/pci/drivers_probe");
        assertThat(driver("pve1", AUDIO)).isEqualTo("snd_hda_intel");
        assertThat(lab.exec("pve1", "echo " + AUDIO + " > /sys/bus/pci/drivers/vfio-pci/bind").err())
                .isEqualTo("bash: line 1: echo: write error: Device or resource busy\n");
        assertThat(lab.exec("pve1", "cat /sys/bus/pci/devices/" + AUDIO + "/driver_override").out())
                .isEqualTo("snd_hda_intel\n");
        assertThat(lab.exec("pve1", "echo nothing > /sys/bus/pci/drivers/vfio-pci/unbind").err())
                .endsWith("write error: No such device\n");
    }

    @Test
    void aRemovedFunctionIsGoneUntilTheBusIsScanned() throws Exception {
        lab.exec("pve2", "echo 1 > /sys/bus/pci/devices/" + GPU + "/remove");
        assertThat(lab.exec("pve2", "lspci -s 01:00.0").out()).isEmpty();
        lab.exec("pve2", "echo 1 > /sys/bus/pci/rescan");
        assertThat(driver("pve2", GPU)).isEqualTo("vfio-pci");
    }

    @Test
    void aModuleIsUnloadedOnlyWhenNobodyUsesIt() throws Exception {
        assertThat(lab.exec("pve3", "rmmod i915").err()).isEqualTo("rmmod: ERROR: Module i915 is in use\n");
        assertThat(lab.exec("pve3", "modprobe nosuch").err()).isEqualTo(
                "modprobe: FATAL: Module nosuch not found in directory /lib/modules/6.8.12-15-pve\n");
        assertThat(lab.exec("pve3", "rmmod nosuch").err())
                .isEqualTo("rmmod: ERROR: Module nosuch is not currently loaded\n");
        assertThat(lab.exec("pve3", "modprobe -r vfio-pci && lsmod | grep -c vfio").out()).isEqualTo("0\n");
        assertThat(lab.exec("pve3", "lspci -nnk -s 01:00.0").out()).doesNotContain("in use");
        lab.exec("pve3", "rm /etc/modprobe.d/vfio.conf; modprobe nouveau");
        assertThat(driver("pve3", GPU)).isEqualTo("nouveau");
        lab.exec("pve3", "modprobe -r nouveau; echo 'options vfio-pci ids=10de:25b0 disable_idle_d3=1' > /etc/modprobe.d/y.conf; "
                + "modprobe vfio-pci");
        assertThat(driver("pve3", GPU)).isEqualTo("vfio-pci");
        assertThat(lab.exec("pve3", "cat /sys/module/vfio_pci/parameters/disable_idle_d3").out()).isEqualTo("Y\n");
    }
}
