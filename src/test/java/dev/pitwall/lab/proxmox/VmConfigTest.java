package dev.pitwall.lab.proxmox;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.proxmox.PveClient.Answer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Writing a VM's configuration: who may, what is refused, what stays pending; making, copying and removing VMs. */
class VmConfigTest {
    private static final String WORKER = "/nodes/pve2/qemu/122";
    private static final String PLAIN = "/nodes/pve2/qemu/145";

    @RegisterExtension
    static final FastGarage GARAGE = new FastGarage();
    private static PveClient root;
    private static PveClient desk;

    @BeforeAll
    static void connect() throws Exception {
        root = GARAGE.root("pve2");
        desk = GARAGE.desk("pve2");
    }

    @Test
    void aRawDeviceIsRootsAloneAlsoToReplaceOrDelete() throws Exception {
        String refusal = "only root can set 'hostpci0' config for non-mapped devices";
        assertThat(desk.put(WORKER + "/config", "hostpci0", "0000:01:00,pcie=1").reason()).isEqualTo(refusal);
        assertThat(desk.put(WORKER + "/config", "hostpci0", "mapping=rtx-a1000,pcie=1").reason()).isEqualTo(refusal);
        assertThat(desk.put(WORKER + "/config", "delete", "hostpci0").reason()).isEqualTo(refusal);
        Answer inTask = desk.post(WORKER + "/config", "hostpci0", "0000:01:00");
        assertThat(inTask.status()).isEqualTo(200);
        assertThat(desk.outcome(inTask)).isEqualTo(refusal);
        assertThat(desk.post(WORKER + "/config", "delete", "hostpci0", "background_delay", "5").reason())
                .isEqualTo("failed to update VM 122: " + refusal);
    }

    @Test
    void aMappedDeviceNeedsMappingUseAndHardwareType() throws Exception {
        assertThat(desk.put(PLAIN + "/config", "hostpci0", "mapping=rtx-a1000").status()).isEqualTo(200);
        assertThat(entry(PLAIN, "hostpci0").path("pending").asText()).isEqualTo("mapping=rtx-a1000");
        assertThat(desk.put(PLAIN + "/config", "revert", "hostpci0").status()).isEqualTo(200);
        assertThat(root.get(PLAIN + "/config").data().has("hostpci0")).isFalse();
        PveClient reader = PveClient.withToken(GARAGE.lab(), "pve2", "root@pam!ro");
        assertThat(reader.put(PLAIN + "/config", "hostpci0", "mapping=rtx-a1000").status()).isEqualTo(403);
    }

    @Test
    void privilegesAreByOptionAndTheRestIsRoots() throws Exception {
        assertThat(desk.put(PLAIN + "/config", "net0", "virtio,bridge=vmbr0").reason())
                .isEqualTo("Permission check failed (/vms/145, VM.Config.Network)");
        assertThat(desk.put(PLAIN + "/config", "hugepages", "2").reason()).isEqualTo("only root can set 'hugepages' config");
        assertThat(desk.put(PLAIN + "/config", "startup", "order=1").reason())
                .isEqualTo("Permission check failed (/, Sys.Modify)");
        assertThat(desk.put(PLAIN + "/config", "onboot", "0").status()).isEqualTo(200);
        assertThat(root.put(PLAIN + "/config", "onboot", "1").status()).isEqualTo(200);
    }

    @Test
    void anOldDigestIsRefusedAndTheNewOneTaken() throws Exception {
        String digest = root.get(PLAIN + "/config").data().path("digest").asText();
        assertThat(root.put(PLAIN + "/config", "description", "one", "digest", digest).status()).isEqualTo(200);
        Answer stale = root.put(PLAIN + "/config", "description", "two", "digest", digest);
        assertThat(stale.status()).isEqualTo(500);
        assertThat(stale.reason()).isEqualTo("checksum mismatch (file change by other user?)");
        root.put(PLAIN + "/config", "delete", "description");
    }

    @Test
    void someOptionsTakeEffectAtOnceAndOthersWaitForAPowerCycle() throws Exception {
        root.put(PLAIN + "/config", "description", "at once", "cores", "8");
        assertThat(root.get(PLAIN + "/config?current=1").data().path("description").asText()).isEqualTo("at once");
        assertThat(root.get(PLAIN + "/config?current=1").data().path("cores").asInt()).isEqualTo(6);
        assertThat(root.get(PLAIN + "/config").data().path("cores").asInt()).isEqualTo(8);
        assertThat(entry(PLAIN, "cores").path("pending").asInt()).isEqualTo(8);
        root.put(PLAIN + "/config", "delete", "balloon");
        assertThat(entry(PLAIN, "balloon").path("delete").asInt()).isEqualTo(1);
        root.put(PLAIN + "/config", "revert", "cores,balloon");
        assertThat(root.get(PLAIN + "/pending").data().valueStream().noneMatch(e -> e.has("pending") || e.has("delete")))
                .isTrue();
    }

    @Test
    void aWrongValueIsExplainedParameterByParameter() throws Exception {
        Answer wrong = root.put(WORKER + "/config", "hostpci0", "0000:01:00,pci=1", "cores", "none", "machine", "i386",
                "hostpci16", "0000:01:00", "delete", "nothing-like-it");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.reason()).isEqualTo("Parameter verification failed.");
        JsonNode errors = wrong.body().path("errors");
        assertThat(errors.path("hostpci0").asText()).isEqualTo("invalid format - format error\nhostpci0.pci: property is not "
                + "defined in schema and the schema does not allow additional properties\n");
        assertThat(errors.path("cores").asText()).isEqualTo("type check ('integer') failed - got 'none'");
        assertThat(errors.path("machine").asText()).contains("machine.type: value does not match the regex pattern");
        assertThat(errors.has("hostpci16")).isTrue();
        assertThat(root.put(PLAIN + "/config", "delete", "nothing-like-it").body().path("errors").path("delete").asText())
                .isEqualTo("unknown option 'nothing-like-it'");
        assertThat(root.put(PLAIN + "/config").reason()).isEqualTo("no options specified");
        assertThat(root.put(PLAIN + "/config", "args", "-device x").status()).isEqualTo(501);
    }

    @Test
    void anEfiDiskIsAllocatedInATaskAndStaysPending() throws Exception {
        Answer answer = root.post(PLAIN + "/config", "bios", "ovmf", "efidisk0",
                "local-lvm:1,efitype=4m,pre-enrolled-keys=0");
        assertThat(root.outcome(answer)).isEqualTo("OK");
        String disk = "local-lvm:vm-145-disk-1,efitype=4m,pre-enrolled-keys=0,size=4M";
        assertThat(root.log(answer)).contains("efidisk0: successfully created disk '" + disk + "'");
        assertThat(entry(PLAIN, "efidisk0").path("pending").asText()).isEqualTo(disk);
        assertThat(root.get("/nodes/pve2/storage/local-lvm/content").data().findValuesAsText("volid"))
                .contains("local-lvm:vm-145-disk-1");
        root.put(PLAIN + "/config", "revert", "bios", "delete", "efidisk0", "force", "1");
    }

    @Test
    void aVmIsMadeCopiedGrownAndRemoved() throws Exception {
        String free = root.get("/cluster/nextid").data().asText();
        Answer made = root.post("/nodes/pve2/qemu", "vmid", free, "name", "scratch", "memory", "2048", "cores", "2",
                "scsihw", "virtio-scsi-single", "scsi0", "local-lvm:8", "net0", "virtio,bridge=vmbr0", "ostype", "l26");
        assertThat(root.outcome(made)).isEqualTo("OK");
        String vm = "/nodes/pve2/qemu/" + free;
        JsonNode config = root.get(vm + "/config").data();
        assertThat(config.path("scsi0").asText()).isEqualTo("local-lvm:vm-" + free + "-disk-0,size=8G");
        assertThat(config.path("net0").asText()).matches("virtio=BC:24:11(:[0-9A-F]{2}){3},bridge=vmbr0");
        assertThat(root.outcome(root.put(vm + "/resize", "disk", "scsi0", "size", "+2G"))).isEqualTo("OK");
        assertThat(root.get(vm + "/config").data().path("scsi0").asText()).endsWith("size=10G");
        assertThat(root.put(vm + "/resize", "disk", "scsi0", "size", "4G").reason())
                .isEqualTo("shrinking disks is not supported");
        assertThat(root.outcome(root.post(vm + "/template"))).isEqualTo("OK");
        assertThat(root.outcome(root.post(vm + "/status/start"))).isEqualTo("you can't start a vm if it's a template");
        assertThat(root.outcome(root.post(vm + "/clone", "newid", "900", "name", "copy"))).isEqualTo("OK");
        assertThat(root.get("/nodes/pve2/qemu/900/config").data().has("template")).isFalse();
        assertThat(root.outcome(root.post("/nodes/pve2/qemu/900/status/start"))).isEqualTo("OK");
        assertThat(root.delete("/nodes/pve2/qemu/900").reason()).isEqualTo("VM 900 is running - destroy failed");
        root.outcome(root.post("/nodes/pve2/qemu/900/status/stop"));
        assertThat(root.outcome(root.delete("/nodes/pve2/qemu/900"))).isEqualTo("OK");
        assertThat(root.outcome(root.delete(vm))).isEqualTo("OK");
        assertThat(root.get("/cluster/nextid?vmid=" + free).data().asText()).isEqualTo(free);
    }

    @Test
    void aSnapshotBringsTheOldConfigurationBack() throws Exception {
        assertThat(root.outcome(root.post(WORKER + "/snapshot", "snapname", "before", "vmstate", "1")))
                .contains("VFIO migration is not supported in kernel");
        assertThat(root.outcome(root.post(WORKER + "/snapshot", "snapname", "before"))).isEqualTo("OK");
        root.put(WORKER + "/config", "memory", "16384");
        assertThat(root.outcome(root.post(WORKER + "/snapshot/before/rollback", "start", "1"))).isEqualTo("OK");
        assertThat(root.get(WORKER + "/config").data().path("memory").asText()).isEqualTo("20480");
        assertThat(root.get(WORKER + "/snapshot").data().findValuesAsText("name")).containsExactly("before", "current");
        assertThat(root.outcome(root.delete(WORKER + "/snapshot/before"))).isEqualTo("OK");
    }

    @Test
    void aRawDeviceKeepsAVmOnItsHost() throws Exception {
        Answer live = root.post(WORKER + "/migrate", "target", "pve1", "online", "1");
        assertThat(root.outcome(live)).isEqualTo("migration aborted");
        assertThat(root.log(live)).anyMatch(line -> line.endsWith("can't migrate VM which uses local devices: hostpci0"));
        assertThat(root.post(PLAIN + "/migrate", "target", "pve1").reason())
                .isEqualTo("can't migrate running VM without --online");
    }

    private static JsonNode entry(String vm, String key) throws Exception {
        return root.get(vm + "/pending").data().valueStream().filter(e -> e.path("key").asText().equals(key)).findFirst()
                .orElseThrow();
    }
}
