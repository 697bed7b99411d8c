package dev.pitwall.lab.proxmox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.proxmox.PveClient.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/** What a release has, and has not: one host each of 7.4, 8.4 and 9.1. */
class VersionsTest {
    @TempDir
    private static Path dir;
    private static Lab lab;
    private static PveClient seven;
    private static PveClient eight;
    private static PveClient nine;

    @BeforeAll
    static void start() throws Exception {
        lab = Lab.start(LabOptions.garage(dir).withLoginPenalty(Duration.ZERO).withSpeed(100));
        lab.world().change(w -> {
            w.hosts.get("pve1").pveVersion = "7.4-17";
            w.hosts.get("pve3").pveVersion = "9.1.1";
        });
        seven = PveClient.root(lab, "pve1");
        eight = PveClient.root(lab, "pve2");
        nine = PveClient.root(lab, "pve3");
    }

    @AfterAll
    static void stop() {
        lab.close();
    }

    @Test
    void sevenHasNoMappingsAndKeepsEveryDeviceForRoot() throws Exception {
        Answer mapping = seven.get("/cluster/mapping/pci");
        assertThat(mapping.status()).isEqualTo(501);
        assertThat(mapping.reason()).isEqualTo("Method 'GET /cluster/mapping/pci' not implemented");
        assertThat(PveClient.desk(lab, "pve1").put("/nodes/pve1/qemu/141/config", "hostpci0", "mapping=a").status())
                .isEqualTo(400);
        assertThat(PveClient.desk(lab, "pve1").put("/nodes/pve1/qemu/141/config", "hostpci0", "0000:01:00").reason())
                .isEqualTo("only root can set 'hostpci0' config");
    }

    @Test
    void errorsAreInTheBodyFromEightFourOn() throws Exception {
        assertThat(seven.get("/nodes/pve1/qemu/999/config").body().has("message")).isFalse();
        assertThat(seven.get("/nodes/pve1/qemu/999/config").reason()).contains("does not exist");
        assertThat(eight.get("/nodes/pve2/qemu/999/config").body().path("message").asText()).contains("does not exist");
    }

    @Test
    void parametersAreThoseOfTheNodeThatAnswers() throws Exception {
        assertThat(eight.post("/nodes/pve1/qemu/141/status/stop", "overrule-shutdown", "1").body().path("errors")
                .has("overrule-shutdown")).isTrue();
        assertThat(eight.put("/nodes/pve2/qemu/145/config", "hostpci0", "0000:01:00,driver=keep").status()).isEqualTo(400);
        assertThat(nine.put("/nodes/pve3/qemu/149/config", "hostpci0", "0000:01:00,driver=keep").status()).isEqualTo(200);
        assertThat(nine.put("/nodes/pve3/qemu/149/config", "revert", "hostpci0").status()).isEqualTo(200);
        assertThat(eight.get("/cluster/ha/rules").status()).isEqualTo(501);
        assertThat(nine.get("/cluster/ha/rules").status()).isEqualTo(200);
        assertThat(eight.post("/cluster/mapping/pci", "id", "gpu", "map", "node=pve2,path=0000:01:00,id=10de:25b0").status())
                .isEqualTo(200);
        assertThat(eight.delete("/cluster/mapping/pci/gpu").status()).isEqualTo(200);
        assertThat(nine.post("/cluster/ha/groups", "group", "gpu", "nodes", "pve1").reason())
                .isEqualTo("cannot create group: ha groups have been migrated to rules");
    }

    @Test
    void theNodesStateSaysMoreInNewerReleases() throws Exception {
        assertThat(seven.get("/nodes/pve1/status").data().has("boot-info")).isFalse();
        assertThat(eight.get("/nodes/pve2/status").data().has("boot-info")).isTrue();
        assertThat(nine.get("/nodes/pve3/status").data().path("memory").has("available")).isTrue();
    }

    @Test
    void theAgentsPrivilegeIsAnotherOneFromNineOn() throws Exception {
        // The desk's token has VM.Monitor, as its scene is of release 8.
        assertThat(PveClient.desk(lab, "pve2").post("/nodes/pve2/qemu/122/agent/ping").status()).isEqualTo(200);
        assertThat(PveClient.desk(lab, "pve3").post("/nodes/pve3/qemu/123/agent/ping").reason())
                .isEqualTo("Permission check failed (/vms/123, VM.GuestAgent.Audit|VM.GuestAgent.Unrestricted)");
    }

    @Test
    void everyMethodOfTheSchemaFileIsAnswered() {
        try (Datacenter datacenter = Datacenter.open(lab.world())) {
            RouteTable routes = datacenter.routes();
            ProxmoxServers.addAll(lab.world(), lab.authority(), datacenter, routes,
                    new Doorman(lab.world(), new Tickets(InstantSource.system()), InstantSource.system()));
            assertThat(routes.unanswered()).isEmpty();
        }
    }
}
