package dev.pitwall.lab.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabLogin;
import dev.pitwall.lab.LabOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** curl and proxmoxer against the lab's Proxmox API. */
class ProxmoxClientsTest {
    private static final String LIST = """
            import json, sys
            from proxmoxer import ProxmoxAPI
            api = ProxmoxAPI("127.0.0.1", port=int(sys.argv[1]), user=sys.argv[2], password=sys.argv[3], verify_ssl=False)
            vms = [vm["name"] for vm in api.nodes("pve1").qemu.get()]
            print(json.dumps({"nodes": sorted(n["node"] for n in api.nodes.get()), "vms": vms}))
            """;
    @TempDir
    private static Path dir;
    private static Lab lab;
    private static URI api;
    private static LabLogin root;

    @BeforeAll
    static void start() throws Exception {
        lab = Lab.start(LabOptions.garage(dir).withLoginPenalty(Duration.ofMillis(10)).withSpeed(100));
        api = lab.endpoints().stream().filter(e -> e.system().equals("proxmox")).findFirst().orElseThrow().uri();
        root = lab.logins().stream().filter(login -> login.user().equals("root@pam")).findFirst().orElseThrow();
    }

    @AfterAll
    static void stop() {
        lab.close();
    }

    @Test
    void proxmoxerListsNodesAndVms() throws Exception {
        String out = RealClient.python("proxmoxer", "requests").with("PYTHONWARNINGS", "ignore").run("-c", LIST,
                Integer.toString(api.getPort()), root.user(), root.password()).ok();
        JsonNode found = new ObjectMapper().readTree(out);
        assertThat(found.path("nodes").valueStream().map(JsonNode::asText)).containsExactly("pve1", "pve2", "pve3");
        assertThat(found.path("vms").size()).isPositive();
    }

    @Test
    void curlWorksWithATicketAndIsRefusedAWriteWithoutItsCsrfToken() throws Exception {
        RealClient curl = RealClient.named("curl", "-sS", "--cacert", trusted());
        JsonNode ticket = new ObjectMapper().readTree(curl.run("--data-urlencode", "username=" + root.user(),
                "--data-urlencode", "password=" + root.password(), api + "/api2/json/access/ticket").ok()).path("data");
        String cookie = "PVEAuthCookie=" + ticket.path("ticket").asText();
        assertThat(curl.run("-b", cookie, api + "/api2/json/nodes/pve1/status").ok()).contains("pveversion");
        String config = api + "/api2/json/nodes/pve1/qemu/121/config";
        assertThat(curl.run("-i", "-b", cookie, "-X", "PUT", "-d", "description=x", config).ok())
                .contains("401").contains("invalid csrf token");
        assertThat(curl.run("-b", cookie, "-H", "CSRFPreventionToken: " + ticket.path("CSRFPreventionToken").asText(),
                "-X", "PUT", "-d", "description=from curl", config).ok()).contains("null");
        assertThat(curl.run("-b", cookie, config).ok()).contains("from curl");
    }

    @Test
    void curlWorksWithATokenWhichMayNotAttachACardByItsAddress() throws Exception {
        RealClient curl = RealClient.named("curl", "-sS", "--cacert", trusted());
        JsonNode site = new ObjectMapper().readTree(lab.siteFile().toFile()).at("/proxmox/0");
        String token = "Authorization: PVEAPIToken=" + site.path("token").asText() + "="
                + site.path("secret").asText();
        assertThat(curl.run("-H", token, api + "/api2/json/nodes/pve1/status").ok()).contains("pveversion");
        assertThat(curl.run("-i", "-H", token + "0", api + "/api2/json/nodes/pve1/status").ok()).contains("401");
        assertThat(curl.run("-i", "-H", token, "-X", "PUT", "-d", "hostpci1=0000:00:1f.0",
                api + "/api2/json/nodes/pve1/qemu/121/config").ok()).contains("only root can set 'hostpci1' config for non-mapped devices");
    }

    private static String trusted() {
        return lab.dir().resolve("ca.pem").toString();
    }
}
