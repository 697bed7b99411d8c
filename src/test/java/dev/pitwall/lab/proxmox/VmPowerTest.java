package dev.pitwall.lab.proxmox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pitwall.lab.proxmox.PveClient.Answer;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.List;
import java.util.function.Consumer;

/** Power of VMs, and every reason why one with a card does not start. Each test has a host's worker to itself. */
class VmPowerTest {
    private static final String WORKER = "/nodes/pve1/qemu/121";

    @RegisterExtension
    static final FastGarage GARAGE = new FastGarage();
    private static PveClient root;
    private Consumer<World> undo = w -> { };

    @BeforeAll
    static void connect() throws Exception {
        root = GARAGE.root("pve1");
    }

    @AfterEach
    void asItWas() throws Exception {
        GARAGE.lab().world().change(undo);
        if (root.get(WORKER + "/status/current").data().path("status").asText().equals("stopped")) {
            root.outcome(root.post(WORKER + "/status/start"));
        }
    }

    @Test
    void aShutdownAsksTheGuestAndAStartWaitsForItToBoot() throws Exception {
        assertThat(root.outcome(root.post(WORKER + "/status/shutdown"))).isEqualTo("OK");
        assertThat(root.get(WORKER + "/status/current").data().path("status").asText()).isEqualTo("stopped");
        assertThat(nodeIsReady()).isFalse();
        Answer start = root.post(WORKER + "/status/start");
        assertThat(start.upid()).matches("UPID:pve1:[0-9A-F]{8}:[0-9A-F]{8,9}:[0-9A-F]{8}:qmstart:121:root@pam:");
        assertThat(root.outcome(start)).isEqualTo("OK");
        assertThat(root.get(WORKER + "/status/current").data().path("qmpstatus").asText()).isEqualTo("running");
        await().until(VmPowerTest::nodeIsReady);
    }

    @Test
    void anAudioFunctionWithoutAResetOfItsOwnIsNamedAndTheStartSucceeds() throws Exception {
        root.outcome(root.post(WORKER + "/status/stop"));
        Answer start = root.post(WORKER + "/status/start");
        assertThat(root.outcome(start)).isEqualTo("OK");
        assertThat(root.log(start)).containsExactly(
                "error writing '1' to '/sys/bus/pci/devices/0000:01:00.1/reset': Inappropriate ioctl for device",
                "failed to reset PCI device '0000:01:00.1', but trying to continue as not all devices need a reset", "TASK OK");
    }

    @Test
    void aStartTakesTheWholeGroupFromTheHostsDrivers() throws Exception {
        root.outcome(root.post(WORKER + "/status/stop"));
        GARAGE.lab().world().change(w -> w.hosts.get("pve1").pci.forEach(f -> {
            if (f.iommuGroup == 14) {
                f.driver = f.defaultDriver;
            }
        }));
        root.outcome(root.post(WORKER + "/status/start"));
        assertThat(GARAGE.lab().world().<List<String>>read(w -> w.hosts.get("pve1").pci.stream().filter(f -> f.iommuGroup == 14)
                .map(f -> f.address + " " + f.driver).toList()))
                .containsExactly("0000:00:01.0 pcieport", "0000:01:00.0 vfio-pci", "0000:01:00.1 vfio-pci");
    }

    @Test
    void aCardThatAnotherVmHasStopsTheStart() throws Exception {
        LabVm other = new LabVm(210, "pve1");
        other.config.put("hostpci0", "0000:01:00");
        GARAGE.lab().world().change(w -> w.vms.put(210, other));
        undo = w -> w.vms.remove(210);
        assertThat(root.outcome(root.post("/nodes/pve1/qemu/210/status/start")))
                .isEqualTo("PCI device '0000:01:00.0' already in use by VMID '121'");
    }

    @Test
    void aMappingThatLacksWhatTheDeviceHasStopsTheStart() throws Exception {
        stopWith("hostpci0", "mapping=half,pcie=1");
        assertThat(tryToStart()).isEqualTo("PCI device mapping not found for 'half'");
        assertThat(root.post("/cluster/mapping/pci", "id", "half", "map", "id=10de:25b0,node=pve1,path=0000:01:00").status())
                .isEqualTo(200);
        assertThat(tryToStart()).isEqualTo("PCI device mapping invalid (hardware probably changed): missing expected property "
                + "'iommugroup' for device '0000:01:00.0'");
        root.put("/cluster/mapping/pci/half", "map", "id=10de:25b0,iommugroup=13,node=pve1,path=0000:01:00");
        assertThat(tryToStart()).isEqualTo("PCI device mapping invalid (hardware probably changed): 'iommugroup' does not match "
                + "for 'half' (14 != 13)");
        root.put("/cluster/mapping/pci/half", "map", "id=10de:25b0,iommugroup=14,node=pve1,path=0000:01:00,"
                + "subsystem-id=10de:1878");
        assertThat(tryToStart()).isEqualTo("OK");
        assertThat(root.delete("/cluster/mapping/pci/half").status()).isEqualTo(200);
    }

    @Test
    void whatTheHardwareRefusesIsSaidInItsOwnWords() throws Exception {
        root.outcome(root.post(WORKER + "/status/stop"));
        withWorld(w -> w.hosts.get("pve1").iommuActive = false, w -> w.hosts.get("pve1").iommuActive = true,
                "cannot prepare PCI pass-through, IOMMU not present");
        withWorld(w -> w.hosts.get("pve1").virtualization = false, w -> w.hosts.get("pve1").virtualization = true,
                "KVM virtualisation configured, but not available. Either disable in VM configuration or enable in BIOS.");
        withWorld(w -> w.vms.get(121).config.remove("machine"), w -> w.vms.get(121).config.put("machine", "q35"),
                "q35 machine model is not enabled");
        withWorld(w -> w.vms.get(121).config.put("hostpci0", "0000:05:00,pcie=1"),
                w -> w.vms.get(121).config.put("hostpci0", "0000:01:00,pcie=1"), "no PCI device found for '0000:05:00'");
        withWorld(w -> w.vms.get(121).config.put("hostpci1", "0000:01:00.1"), w -> w.vms.get(121).config.remove("hostpci1"),
                "device '0000:01:00.1' assigned more than once");
        withWorld(w -> w.vms.get(121).lock = "backup", w -> w.vms.get(121).lock = "", "VM is locked (backup)");
        withWorld(w -> w.hosts.get("pve1").pci.forEach(f -> power(f.address, "D3cold", f, "ff")),
                w -> w.hosts.get("pve1").pci.forEach(f -> power(f.address, "D0", f, "a1")),
                "start failed: QEMU exited with code 1");
    }

    @Test
    void aDeadCardIsNamedInTheTasksLog() throws Exception {
        root.outcome(root.post(WORKER + "/status/stop"));
        GARAGE.lab().world().change(w -> w.hosts.get("pve1").pci.forEach(f -> power(f.address, "D3cold", f, "ff")));
        undo = w -> w.hosts.get("pve1").pci.forEach(f -> power(f.address, "D0", f, "a1"));
        Answer start = root.post(WORKER + "/status/start");
        root.outcome(start);
        assertThat(root.log(start)).contains("kvm: vfio: Unable to power on device, stuck in D3",
                "TASK ERROR: start failed: QEMU exited with code 1");
    }

    @Test
    void aChangedCardStaysPendingUntilThePowerCycleAndNotOverAReset() throws Exception {
        root.put(WORKER + "/config", "hostpci0", "0000:01:00,pcie=1,rombar=0");
        root.outcome(root.post(WORKER + "/status/reset"));
        await().until(VmPowerTest::nodeIsReady);
        assertThat(pending()).contains("0000:01:00,pcie=1,rombar=0");
        Answer reboot = root.post(WORKER + "/status/reboot");
        assertThat(root.outcome(reboot)).isEqualTo("OK");
        await().until(() -> pending().isEmpty());
        assertThat(root.get(WORKER + "/config?current=1").data().path("hostpci0").asText())
                .isEqualTo("0000:01:00,pcie=1,rombar=0");
        assertThat(root.get("/nodes/pve1/tasks?source=all&typefilter=qmstart&vmid=121").data().get(0).path("user").asText())
                .isEqualTo("root@pam");
        root.put(WORKER + "/config", "hostpci0", "0000:01:00,pcie=1");
    }

    @Test
    void aGuestThatIsGivenTooLittleTimeGoesDownLater() throws Exception {
        assertThat(root.outcome(root.post(WORKER + "/status/shutdown", "timeout", "2")))
                .isEqualTo("VM quit/powerdown failed - got timeout");
        await().until(() -> root.get(WORKER + "/status/current").data().path("status")
                .asText().equals("stopped"));
    }

    @Test
    void aPausedVmKeepsItsCardAndCannotBeShutDown() throws Exception {
        assertThat(root.outcome(root.post(WORKER + "/status/suspend"))).isEqualTo("OK");
        assertThat(root.get(WORKER + "/status/current").data().path("qmpstatus").asText()).isEqualTo("paused");
        assertThat(root.post(WORKER + "/status/shutdown").reason()).isEqualTo("VM is paused - cannot shutdown");
        assertThat(root.post(WORKER + "/status/suspend", "todisk", "1").reason()).startsWith(
                "cannot suspend VM to disk due to passed-through PCI device(s)");
        assertThat(root.outcome(root.post(WORKER + "/status/resume"))).isEqualTo("OK");
        assertThat(root.get(WORKER + "/status/current").data().path("qmpstatus").asText()).isEqualTo("running");
    }

    @Test
    void whoMayNotIsToldAndATokenCannotSkipLocks() throws Exception {
        PveClient reader = PveClient.withToken(GARAGE.lab(), "pve1", "root@pam!ro");
        assertThat(reader.post(WORKER + "/status/start").reason())
                .isEqualTo("Permission check failed (/vms/121, VM.PowerMgmt)");
        Answer skip = GARAGE.desk("pve1").post(WORKER + "/status/start", "skiplock", "1");
        assertThat(skip.status()).isEqualTo(400);
        assertThat(skip.body().path("errors").path("skiplock").asText()).isEqualTo("Only root may use this option.");
        assertThat(root.post("/nodes/pve1/qemu/999/status/start").reason())
                .isEqualTo("Configuration file 'nodes/pve1/qemu-server/999.conf' does not exist");
    }

    private void withWorld(Consumer<World> change, Consumer<World> back, String outcome) throws Exception {
        GARAGE.lab().world().change(change);
        try {
            assertThat(tryToStart()).isEqualTo(outcome);
        } finally {
            GARAGE.lab().world().change(back);
        }
    }

    private static String tryToStart() throws Exception {
        return root.outcome(root.post(WORKER + "/status/start"));
    }

    private void stopWith(String option, String value) throws Exception {
        root.outcome(root.post(WORKER + "/status/stop"));
        String was = GARAGE.lab().world().<String>read(w -> w.vms.get(121).config.get(option));
        undo = w -> w.vms.get(121).config.put(option, was);
        root.put(WORKER + "/config", option, value);
    }

    private static void power(String address, String state, LabPci function, String revision) {
        if (address.startsWith("0000:01:00")) {
            function.powerState = state;
            function.revision = revision;
        }
    }

    private static List<String> pending() throws Exception {
        return root.get(WORKER + "/pending").data().findValuesAsText("pending");
    }

    private static boolean nodeIsReady() {
        return GARAGE.lab().world().<Boolean>read(w -> w.nodes.values().stream().filter(n -> n.vmid == 121).findFirst().orElseThrow().ready);
    }
}
