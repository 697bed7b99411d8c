package dev.pitwall.link;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Proxmox.Call;
import dev.pitwall.journey.Proxmox.Method;
import dev.pitwall.journey.Proxmox.TaskEnd;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Writes, tasks and refusals of the lab's Proxmox, whose words are the real one's. */
class GarageProxmoxTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @RegisterExtension
    static final GarageSystems GARAGE = new GarageSystems();

    private static SiteSystems asRoot;

    @BeforeAll
    static void signInAsRoot() throws Exception {
        asRoot = GARAGE.open(GARAGE.asRoot());
    }

    @AfterAll
    static void signOut() {
        asRoot.close();
    }

    private static Call config(int vmid, String node, Map<String, String> values) {
        return Call.of(Method.PUT, "nodes/" + node + "/qemu/" + vmid + "/config", values);
    }

    private static TaskEnd task(Proxmox proxmox, String path, List<String> lines) throws Exception {
        String upid = proxmox.send(Call.of(Method.POST, path, Map.of())).orElseThrow();
        return proxmox.await(upid, LONG, lines::add);
    }

    @Test
    void aTokenMayNotSetARawDeviceAndRootMay() throws Exception {
        Proxmox token = GARAGE.systems().proxmox("pve1");
        Map<String, String> raw = Map.of("hostpci0", "0000:01:00,pcie=1");
        Trouble trouble = Troubles.of(() -> token.send(config(141, "pve1", raw)));
        assertThat(trouble.kind()).isEqualTo(Kind.RIGHTS);
        assertThat(trouble.sentence()).contains("hostpci0").contains("not even one of root@pam");
        assertThat(trouble.next()).contains("PCI mapping");
        asRoot.proxmox("pve1").send(config(141, "pve1", raw));
        assertThat(token.get("nodes/pve1/qemu/141/config").path("hostpci0").asText()).isEqualTo("0000:01:00,pcie=1");
    }

    @Test
    void aStaleDigestWritesNothing() {
        Trouble trouble = Troubles.of(() -> asRoot.proxmox("pve2").send(config(131, "pve2",
                Map.of("onboot", "0", "digest", "0123456789012345678901234567890123456789"))));
        assertThat(trouble.what()).contains("somebody else has changed the VM");
    }

    @Test
    void aValueWithEveryCharacterOfAFormArrivesAsItWasMeant() throws Exception {
        String text = "a=b;c&d+e%f,g ü";
        asRoot.proxmox("pve2").send(config(131, "pve2", Map.of("description", text)));
        assertThat(asRoot.proxmox("pve2").get("nodes/pve2/qemu/131/config").path("description").asText().strip())
                .isEqualTo(text);
    }

    @Test
    void aPowerCyclesTasksAreFollowedThroughAnotherNode() throws Exception {
        try (SiteSystems one = GARAGE.open(GARAGE.with(GARAGE.asRoot().proxmox().subList(0, 1)))) {
            Proxmox proxmox = one.proxmox("pve3");
            assertThat(task(proxmox, "nodes/pve3/qemu/123/status/shutdown", new ArrayList<>()).ok()).isTrue();
            List<String> lines = new ArrayList<>();
            TaskEnd start = task(proxmox, "nodes/pve3/qemu/123/status/start", lines);
            assertThat(start.ok()).isTrue();
            assertThat(start.log()).isEqualTo(lines);
        }
    }

    @Test
    void aStartThatMeetsACardInUseSaysWhoHasIt() throws Exception {
        Proxmox proxmox = asRoot.proxmox("pve2");
        assertThat(task(proxmox, "nodes/pve2/qemu/148/status/stop", new ArrayList<>()).ok()).isTrue();
        proxmox.send(config(148, "pve2", Map.of("hostpci0", "0000:01:00", "machine", "q35")));
        TaskEnd end = task(proxmox, "nodes/pve2/qemu/148/status/start", new ArrayList<>());
        assertThat(end.ok()).isFalse();
        Trouble why = Troubles.fit(end.why().orElseThrow());
        assertThat(why.what()).isEqualTo("VM 122 has 0000:01:00.0 now");
        assertThat(why.next()).contains("Shut VM 122 down");
    }

    @Test
    void aNodeThatIsNotThereIsToldFromOneThatDoesNotAnswer() throws Exception {
        Proxmox proxmox = GARAGE.systems().proxmox("pve1");
        Trouble none = Troubles.of(() -> proxmox.get("nodes/PVE3/status"));
        assertThat(none.kind()).isEqualTo(Kind.MISSING);
        GARAGE.lab().world().change(w -> w.hosts.get("pve3").silent = true);
        try {
            Trouble silent = Troubles.of(() -> proxmox.get("nodes/pve3/status"));
            assertThat(silent.kind()).isEqualTo(Kind.CONNECT);
            assertThat(silent.where()).startsWith("pve3 through ");
        } finally {
            GARAGE.lab().world().change(w -> w.hosts.get("pve3").silent = false);
        }
    }

    @Test
    void aWrongParameterIsNamed() {
        Trouble trouble = Troubles.of(() -> asRoot.proxmox("pve1").send(config(141, "pve1", Map.of("memory", "lots"))));
        assertThat(trouble.what()).contains("memory");
    }

    @Test
    void whatDoesNotExistIsEmpty() throws Exception {
        assertThat(asRoot.proxmox("pve1").ifThere("cluster/ha/resources/vm:999")).isEmpty();
        assertThat(asRoot.proxmox("pve1").ifThere("cluster/mapping/pci/none")).isEmpty();
        assertThat(asRoot.proxmox("pve1").ifThere("nodes/pve1/qemu/999/config")).isEmpty();
    }
}
