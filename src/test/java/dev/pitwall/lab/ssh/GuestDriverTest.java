package dev.pitwall.lab.ssh;

import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabSystem;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/** The NVIDIA driver as a guest's own packages bring it. */
class GuestDriverTest {
    private static final String NODE = "rke2-worker-dc1-gpu-a";
    private static final String INSTALL = "apt-get install -y ";
    private static final String DRIVER = "nvidia-driver-580-server-open";

    @TempDir
    Path dir;
    private SshLab lab;

    @BeforeEach
    void start() throws Exception {
        lab = SshLab.of(dir, GuestDriverTest::withoutDriver);
    }

    /** A fresh guest: the operator was never here, and nouveau has the card. */
    private static void withoutDriver(World w) {
        LabNode node = w.nodes.get(NODE);
        GuestDriver.unload(w, node, w.clock().instant());
        node.files.clear();
        node.toolkitReady = false;
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    private SshLab.Answer run(String command) throws Exception {
        return lab.exec(NODE, command);
    }

    private String driver() {
        return lab.world().read(w -> w.nodes.get(NODE).driver + " " + w.nodes.get(NODE).driverSource);
    }

    private boolean ready() {
        return lab.world().read(w -> w.nodes.get(NODE).toolkitReady);
    }

    @Test
    void withoutHeadersTheModuleIsNotBuilt() throws Exception {
        assertThat(run(INSTALL + DRIVER).out()).contains("kernel headers for this kernel do not seem to be installed");
        assertThat(run("dkms status").out()).isEqualTo("nvidia/580.178.04: added\n");
        assertThat(run("nvidia-smi").status()).isEqualTo(9);
        assertThat(run("modprobe nvidia").err()).isEqualTo(
                "modprobe: FATAL: Module nvidia not found in directory /lib/modules/6.8.0-90-generic\n");
        run(INSTALL + "linux-headers-$(uname -r)");
        assertThat(run("dkms status").out()).isEqualTo("nvidia/580.178.04, 6.8.0-90-generic, x86_64: installed\n");
    }

    @Test
    void nouveauHoldsTheCardUntilTheRebootThatFollowsItsBlacklist() throws Exception {
        assertThat(run("lspci -nnk -d 10de:").out()).contains("Kernel driver in use: nouveau");
        run(INSTALL + "linux-headers-$(uname -r) " + DRIVER);
        assertThat(run("modprobe nvidia").err())
                .isEqualTo("modprobe: ERROR: could not insert 'nvidia': No such device\n");
        assertThat(run("dmesg").out()).contains("is already bound to nouveau");
        lab.reboot(NODE);
        assertThat(driver()).isEqualTo("loaded HOST");
        assertThat(run("nvidia-smi -L").out()).startsWith("GPU 0: NVIDIA RTX A1000 (UUID: GPU-");
        assertThat(run("cat /proc/driver/nvidia/version").out()).contains("580.178.04");
        assertThat(run("modinfo -F license nvidia").out()).isEqualTo("Dual MIT/GPL\n");
        assertThat(run("lsmod").out()).contains("nvidia_uvm");
    }

    @Test
    void anotherLibraryThanTheModuleIsAMismatchUntilTheModuleIsLoadedAnew() throws Exception {
        run(INSTALL + "linux-headers-$(uname -r) " + DRIVER);
        lab.reboot(NODE);
        run(INSTALL + "nvidia-driver-595-server-open");
        assertThat(run("nvidia-smi").out()).startsWith("Failed to initialize NVML: Driver/library version mismatch")
                .contains("NVML library version: 595.91");
        lab.reboot(NODE);
        assertThat(run("nvidia-smi --query-gpu=driver_version --format=csv,noheader").out()).isEqualTo("595.91.07\n");
    }

    @Test
    void anewKernelHasNoModuleUntilItsHeadersAreThere() throws Exception {
        run(INSTALL + "linux-headers-$(uname -r) " + DRIVER);
        lab.reboot(NODE);
        assertThat(run("apt-get dist-upgrade -y").out()).contains("linux-image-6.8.0-101-generic");
        lab.reboot(NODE);
        assertThat(run("uname -r").out()).isEqualTo("6.8.0-101-generic\n");
        assertThat(run("nvidia-smi").status()).isEqualTo(9);
        run(INSTALL + "linux-headers-$(uname -r)");
        assertThat(run("nvidia-smi").status()).isZero();
    }

    @Test
    void secureBootTakesTheArchivesSignedModuleAndNotOneThatWasBuiltHere() throws Exception {
        lab.world().change(w -> {
            LabVm vm = w.vms.get(121);
            vm.config.put("bios", "ovmf");
            vm.config.put("efidisk0", "local-lvm:vm-121-disk-1,efitype=4m,pre-enrolled-keys=1,size=4M");
            vm.running.putAll(vm.config);
        });
        assertThat(run("mokutil --sb-state").out()).isEqualTo("SecureBoot enabled\n");
        run(INSTALL + "linux-headers-$(uname -r) " + DRIVER);
        lab.reboot(NODE);
        assertThat(run("modprobe nvidia").err())
                .isEqualTo("modprobe: ERROR: could not insert 'nvidia': Key was rejected by service\n");
        assertThat(run("dmesg").out()).contains("Loading of module with unavailable key is rejected");
        run(INSTALL + "linux-modules-nvidia-580-server-open-$(uname -r)");
        run("apt-get remove -y nvidia-dkms-580-server-open");
        run(INSTALL + "linux-modules-nvidia-580-server-open-$(uname -r) nvidia-utils-580-server");
        assertThat(run("modinfo -F signer nvidia").out()).startsWith("Canonical");
        assertThat(run("modprobe nvidia").status()).isZero();
        assertThat(driver()).isEqualTo("loaded HOST");
    }

    @Test
    void theToolkitNeedsItsSourceAndKeyAndTheRuntimeARestart() throws Exception {
        assertThat(run(INSTALL + "nvidia-container-toolkit").err())
                .isEqualTo("E: Unable to locate package nvidia-container-toolkit\n");
        run("curl -fsSL https://nvidia.github.io/libnvidia-container/stable/deb/nvidia-container-toolkit.list | "
                + "sed 's#deb https://#deb [signed-by=/usr/share/keyrings/nvidia.gpg] https://#g' | "
                + "tee /etc/apt/sources.list.d/nvidia-container-toolkit.list");
        assertThat(run("apt-get update").err()).contains("NO_PUBKEY");
        run("mkdir -p /usr/share/keyrings; curl -fsSL https://nvidia.github.io/libnvidia-container/gpgkey | "
                + "gpg --dearmor -o /usr/share/keyrings/nvidia.gpg");
        assertThat(run("apt-get update").status()).isZero();
        assertThat(run(INSTALL + "nvidia-container-toolkit").status()).isZero();
        assertThat(ready()).isFalse();
        run("systemctl restart rke2-agent");
        assertThat(ready()).isTrue();
        assertThat(run("grep -c \"runtimes.'nvidia'\" /var/lib/rancher/rke2/agent/etc/containerd/config.toml").out())
                .isEqualTo("2\n");
    }

    @Test
    void plainContainerdTakesTheDropInAtItsRestart() throws Exception {
        lab.world().change(w -> {
            w.nodes.get(NODE).kubelet = "v1.33.5";
            w.nodes.get(NODE).files.put("/usr/bin/nvidia-container-runtime", new byte[] {1});
            w.nodes.get(NODE).system.packages.put("nvidia-container-toolkit-base",
                    new LabSystem.InstalledPackage("1.18.1-1", false, false));
        });
        assertThat(run("nvidia-ctk runtime configure --runtime=containerd").err())
                .contains("Wrote updated config to /etc/containerd/conf.d/99-nvidia.toml");
        assertThat(run("containerd config dump").out()).contains("runtimes.nvidia.options");
        assertThat(ready()).isFalse();
        run("systemctl restart containerd");
        assertThat(ready()).isTrue();
    }
}
