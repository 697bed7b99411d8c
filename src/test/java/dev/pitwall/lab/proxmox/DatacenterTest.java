package dev.pitwall.lab.proxmox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.proxmox.PveClient.Answer;
import dev.pitwall.lab.world.LabContainer;
import dev.pitwall.lab.world.PassingState;
import dev.pitwall.lab.world.PowerSwitch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.List;
import java.util.Map;

/** What hosts and cluster do: tasks, backups, HA, reboots of a host, guest agents, access. */
class DatacenterTest {
    @RegisterExtension
    static final FastGarage GARAGE = new FastGarage();
    private static PveClient root;
    private static PveClient desk;

    @BeforeAll
    static void connect() throws Exception {
        root = GARAGE.root("pve1");
        desk = GARAGE.desk("pve1");
    }

    @Test
    void aTaskRunsIsReadPageByPageAndCanBeStopped() throws Exception {
        try (AutoCloseable unhurried = GARAGE.unhurried()) {
            Answer task = desk.post("/nodes/pve1/qemu/141/status/shutdown");
            String path = "/nodes/pve1/tasks/" + PveClient.encoded(task.upid());
            JsonNode status = desk.get(path + "/status").data();
            assertThat(status.path("status").asText()).isEqualTo("running");
            assertThat(status.path("user").asText()).isEqualTo("pitwall@pve");
            assertThat(status.path("tokenid").asText()).isEqualTo("desk");
            assertThat(status.has("exitstatus")).isFalse();
            assertThat(desk.get("/nodes/pve1/tasks?source=active").data().findValuesAsText("upid")).contains(task.upid());
            assertThat(desk.delete(path).status()).isEqualTo(200);
            assertThat(desk.outcome(task)).isEqualTo("received interrupt");
            JsonNode log = desk.get(path + "/log?start=0&limit=1").body();
            assertThat(log.path("data")).hasSize(1);
            assertThat(log.path("total").asInt()).isEqualTo(1);
            assertThat(log.path("data").get(0).path("t").asText()).isEqualTo("TASK ERROR: received interrupt");
            assertThat(root.get("/nodes/pve1/tasks?errors=1").data().findValuesAsText("upid")).contains(task.upid());
        }
        assertThat(root.get("/nodes/pve1/tasks/UPID:x/status").body().path("errors").path("upid").asText())
                .isEqualTo("unable to parse worker upid");
    }

    @Test
    void twoTasksOfOneVmWaitForEachOther() throws Exception {
        try (AutoCloseable unhurried = GARAGE.unhurried()) {
            Answer shutdown = root.post("/nodes/pve1/qemu/142/status/shutdown", "timeout", "30");
            Answer stop = root.post("/nodes/pve1/qemu/142/status/stop", "overrule-shutdown", "1");
            assertThat(root.outcome(stop)).isEqualTo("OK");
            assertThat(root.log(stop).getFirst()).isEqualTo("overruled qmshutdown tasks: " + shutdown.upid());
            assertThat(root.outcome(shutdown)).isEqualTo("received interrupt");
        }
        root.outcome(root.post("/nodes/pve1/qemu/142/status/start"));
    }

    @Test
    void aContainerShowsWhatItHoldsAndCanBeShutDown() throws Exception {
        LabContainer container = new LabContainer(190, "pve3");
        container.runs = true;
        container.config.putAll(Map.of("hostname", "jellyfin", "dev0", "/dev/nvidia0",
                "lxc.mount.entry", "/dev/nvidia0 dev/nvidia0 none bind\n/dev/nvidiactl dev/nvidiactl none bind"));
        GARAGE.lab().world().change(world -> world.containers.put(container.vmid, container));

        assertThat(desk.get("/nodes/pve1/lxc").data()).isEmpty();
        assertThat(desk.get("/nodes/pve3/lxc").data().get(0).path("status").asText()).isEqualTo("running");
        JsonNode config = desk.get("/nodes/pve3/lxc/190/config").data();
        assertThat(config.path("dev0").asText()).isEqualTo("/dev/nvidia0");
        assertThat(config.path("lxc")).hasSize(2);
        assertThat(desk.outcome(desk.post("/nodes/pve3/lxc/190/status/shutdown"))).isEqualTo("OK");
        assertThat(desk.get("/nodes/pve3/lxc/190/status/current").data().path("status").asText()).isEqualTo("stopped");
        assertThat(desk.post("/nodes/pve3/lxc/190/status/stop").reason()).contains("CT 190 not running");
    }

    @Test
    void aBackupOfAStoppedVmNeedsItsCard() throws Exception {
        assertThat(root.outcome(root.post("/nodes/pve2/qemu", "vmid", "212", "memory", "4096", "machine", "q35",
                "hostpci0", "0000:01:00,pcie=1", "scsi0", "local-lvm:1"))).isEqualTo("OK");
        Answer backup = root.post("/nodes/pve2/vzdump", "vmid", "212");
        assertThat(root.outcome(backup)).isEqualTo("job errors");
        assertThat(root.log(backup)).contains("INFO: starting kvm to execute backup task",
                "ERROR: PCI device '0000:01:00.0' already in use by VMID '122'",
                "ERROR: Backup of VM 212 failed - PCI device '0000:01:00.0' already in use by VMID '122'");
        root.outcome(root.post("/nodes/pve2/qemu/122/status/stop"));
        assertThat(root.outcome(root.post("/nodes/pve2/vzdump", "vmid", "212"))).isEqualTo("OK");
        assertThat(root.get("/nodes/pve2/qemu/212/status/current").data().path("status").asText()).isEqualTo("stopped");
        assertThat(root.get("/nodes/pve2/storage/local/content?content=backup").data().get(0).path("vmid").asInt())
                .isEqualTo(212);
        root.outcome(root.delete("/nodes/pve2/qemu/212"));
        root.outcome(root.post("/nodes/pve2/qemu/122/status/start"));
    }

    @Test
    void theHaStackStartsWhatSomebodyStoppedByOtherMeansAndEndsAtOnceWhenAsked() throws Exception {
        assertThat(root.post("/cluster/ha/resources", "sid", "vm:143", "state", "started").status()).isEqualTo(200);
        assertThat(root.get("/nodes/pve1/qemu/143/status/current").data().path("ha").path("managed").asInt()).isEqualTo(1);
        Answer stop = root.post("/nodes/pve1/qemu/143/status/stop");
        assertThat(stop.upid()).contains(":hastop:143:");
        assertThat(root.outcome(stop)).isEqualTo("OK");
        await().until(() -> status(143).equals("stopped"));
        assertThat(root.outcome(root.post("/nodes/pve1/qemu/143/status/start"))).isEqualTo("OK");
        await().until(() -> status(143).equals("running"));
        GARAGE.lab().world().change(w -> PowerSwitch.stop(w, w.vms.get(143)));
        await().until(() -> status(143).equals("running"));
        assertThat(root.delete("/nodes/pve1/qemu/143").reason()).isEqualTo(
                "unable to remove VM 143 - used in HA resources and purge parameter not set.");
        root.delete("/cluster/ha/resources/vm:143");
    }

    @Test
    void aRebootedHostIsSilentForAWhileAndComesBackWithItsVms() throws Exception {
        try (PassingState down = PassingState.of(GARAGE.lab().world(), FastGarage.SPEED, w -> w.hosts.get("pve3").off)) {
            assertThat(root.post("/nodes/pve3/status", "command", "reboot").data().isNull()).isTrue();
            down.await();
            await().until(() -> root.get("/nodes/pve3/status").status() == 595);
            assertThat(root.get("/nodes").data().get(2).path("status").asText()).isEqualTo("offline");
        }
        await().until(() -> root.get("/nodes/pve3/status").status() == 200);
        assertThat(root.get("/nodes/pve3/status").data().path("uptime").asLong()).isLessThan(3600);
        await().until(() -> status(123).equals("running"));
        List<String> types = root.get("/nodes/pve3/tasks?source=all").data().findValuesAsText("type");
        assertThat(types).contains("stopall", "qmshutdown", "startall", "qmstart");
    }

    @Test
    void theAgentAnswersOnlyWhereItIsAndRunsTheMachinesOwnCommands() throws Exception {
        String agent = "/nodes/pve1/qemu/121/agent/";
        assertThat(root.post(agent + "ping").status()).isEqualTo(200);
        assertThat(root.get(agent + "get-host-name").data().path("result").path("host-name").asText())
                .isEqualTo("rke2-worker-dc1-gpu-a");
        assertThat(root.get(agent + "network-get-interfaces").data().path("result").get(1).path("ip-addresses").get(0)
                .path("ip-address").asText()).isEqualTo("10.0.20.21");
        assertThat(desk.post(agent + "file-write", "file", "/root/note", "content", "by the agent\n").status()).isEqualTo(200);
        assertThat(desk.get(agent + "file-read?file=/root/note").data().path("content").asText()).isEqualTo("by the agent\n");
        JsonNode pid = PveClient.call(desk.base(), "POST", "/api2/json" + agent + "exec",
                "command=cat&command=%2Froot%2Fnote", desk.identity()).data().path("pid");
        String status = agent + "exec-status?pid=" + pid.asInt();
        JsonNode[] last = new JsonNode[1];
        await().until(() -> (last[0] = desk.get(status).data()).path("exited").asInt() == 1);
        assertThat(last[0].path("out-data").asText()).isEqualTo("by the agent\n");
        assertThat(desk.get(status).reason()).startsWith("Agent error: PID");
        root.outcome(root.post("/nodes/pve1/qemu/144/status/stop"));
        assertThat(root.post("/nodes/pve1/qemu/144/agent/ping").reason()).isEqualTo("VM 144 is not running");
        root.outcome(root.post("/nodes/pve1/qemu/144/status/start"));
    }

    @Test
    void aNewTokenMayNothingUntilTheListSaysSo() throws Exception {
        JsonNode made = root.post("/access/users/root@pam/token/app").data();
        assertThat(made.path("full-tokenid").asText()).isEqualTo("root@pam!app");
        PveClient app = new PveClient(root.base(), PveClient.token("root@pam!app=" + made.path("value").asText()));
        assertThat(app.get("/nodes/pve1/qemu/121/config").reason())
                .isEqualTo("Permission check failed (/vms/121, VM.Audit)");
        assertThat(root.post("/access/roles", "roleid", "Looker", "privs", "VM.Audit,VM.Fly").reason())
                .isEqualTo("create role failed: invalid privilege 'VM.Fly'");
        assertThat(root.post("/access/roles", "roleid", "Looker", "privs", "VM.Audit").status()).isEqualTo(200);
        root.put("/access/acl", "path", "/vms/121", "roles", "Looker", "tokens", "root@pam!app");
        assertThat(app.get("/nodes/pve1/qemu/121/config").status()).isEqualTo(200);
        assertThat(app.get("/nodes/pve1/qemu").data().findValuesAsText("vmid")).containsExactly("121");
        assertThat(app.put("/access/acl", "path", "/", "roles", "Administrator", "tokens", "root@pam!app").status())
                .isEqualTo(403);
        assertThat(root.get("/access/users/root@pam/token").data().toString()).doesNotContain(made.path("value").asText());
        root.delete("/access/users/root@pam/token/app");
        assertThat(app.get("/version").status()).isEqualTo(401);
    }

    private static String status(int vmid) {
        return GARAGE.lab().world().<String>read(w -> w.vms.get(vmid).status);
    }
}
