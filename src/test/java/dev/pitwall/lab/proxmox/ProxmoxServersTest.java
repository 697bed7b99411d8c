package dev.pitwall.lab.proxmox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.proxmox.PveClient.Answer;
import dev.pitwall.lab.world.LabToken;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.HttpsURLConnection;

/** Talks to the lab's Proxmox API as a client does that can see reason phrases. */
class ProxmoxServersTest {
    private static String desk;
    private static String readOnly;

    @TempDir
    private static Path dir;
    private static Lab lab;
    private static URI pve1;

    @BeforeAll
    static void start() throws Exception {
        lab = Lab.start(LabOptions.garage(dir).withLoginPenalty(Duration.ZERO));
        desk = tokenWithSecret("pitwall@pve!desk");
        readOnly = tokenWithSecret("root@pam!ro");
        pve1 = lab.endpoints().stream().filter(e -> e.system().equals("proxmox")).findFirst().orElseThrow().uri();
    }

    @AfterAll
    static void stop() {
        lab.close();
    }

    @Test
    void aTokenReadsVersionNodesAndState() throws Exception {
        assertThat(get("/version").data().path("version").asText()).isEqualTo("8.4.14");
        JsonNode nodes = get("/nodes").data();
        assertThat(nodes).hasSize(3);
        assertThat(nodes.get(1).path("ssl_fingerprint").asText()).isEqualTo(lab.authority().fingerprint("pve2"));
        JsonNode status = get("/nodes/pve2/status").data();
        assertThat(status.path("kversion").asText()).startsWith("Linux 6.8.12-15-pve ");
        assertThat(status.path("boot-info").path("secureboot").asInt()).isEqualTo(1);
        assertThat(status.path("cpuinfo").path("flags").asText().split(" ")).contains("vmx");
        assertThat(status.path("uptime").asLong()).isGreaterThan(3_000_000);
    }

    @Test
    void thePciListLeavesBridgesOutUnlessAskedForAll() throws Exception {
        JsonNode usual = get("/nodes/pve1/hardware/pci").data();
        assertThat(usual.findValuesAsText("id")).contains("0000:01:00.0", "0000:01:00.1").doesNotContain("0000:00:01.0");
        JsonNode all = get("/nodes/pve1/hardware/pci?pci-class-blacklist=").data();
        assertThat(all.findValuesAsText("id")).contains("0000:00:01.0");
        JsonNode card = all.valueStream().filter(f -> f.path("id").asText().equals("0000:01:00.0")).findFirst().orElseThrow();
        assertThat(card.path("class").asText()).isEqualTo("0x030000");
        assertThat(card.path("device").asText()).isEqualTo("0x25b0");
        assertThat(card.path("iommugroup").asInt()).isEqualTo(14);
    }

    @Test
    void aVmShowsItsConfigurationPendingChangesAndState() throws Exception {
        assertThat(get("/nodes/pve1/qemu").data().findValuesAsText("vmid")).contains("121").doesNotContain("122");
        JsonNode config = get("/nodes/pve1/qemu/121/config?current=1").data();
        assertThat(config.path("hostpci0").asText()).isEqualTo("0000:01:00,pcie=1");
        assertThat(config.path("cores").isInt()).isTrue();
        assertThat(config.path("memory").isTextual()).isTrue();
        assertThat(config.path("digest").asText()).matches("[0-9a-f]{40}");
        JsonNode current = get("/nodes/pve1/qemu/121/status/current").data();
        assertThat(current.path("running-machine").asText()).startsWith("pc-q35-");
        assertThat(get("/nodes/pve1/qemu/121/pending").data().valueStream()
                .noneMatch(entry -> entry.has("pending") || entry.has("delete"))).isTrue();
    }

    @Test
    void errorsAreInTheReasonPhraseAndInTheMessage() throws Exception {
        Answer missing = get("/nodes/pve1/qemu/999/config");
        assertThat(missing.status()).isEqualTo(500);
        assertThat(missing.reason()).isEqualTo("Configuration file 'nodes/pve1/qemu-server/999.conf' does not exist");
        assertThat(missing.body().path("message").asText().trim()).isEqualTo(missing.reason());
        Answer wrong = get("/nodes/pve1/qemu/9/config?curent=1");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.reason()).isEqualTo("Parameter verification failed.");
        assertThat(wrong.body().path("errors").path("vmid").asText()).isEqualTo("value must have a minimum value of 100");
        assertThat(wrong.body().path("errors").path("curent").asText()).startsWith("property is not defined in schema");
        assertThat(get("/no/such/thing").reason()).isEqualTo("Method 'GET /no/such/thing' not implemented");
        assertThat(get("/nodes/PVE1/status").status()).isEqualTo(596);
    }

    @Test
    void extjsAnswersTwoHundredWithTheErrorInside() throws Exception {
        Answer answer = call("GET", "/api2/extjs/nodes/pve1/qemu/999/config", "", token(desk));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("success").asInt()).isZero();
        assertThat(answer.body().path("status").asInt()).isEqualTo(500);
        assertThat(call("GET", "/api2/extjs/version", "", none()).status()).isEqualTo(401);
    }

    @Test
    void whoeverIsNotKnownIsRefused() throws Exception {
        assertThat(call("GET", "/api2/json/version", "", none()).reason()).isEqualTo("No ticket");
        assertThat(call("GET", "/api2/json/version", "", token("pitwall@pve!desk=wrong")).status()).isEqualTo(401);
        assertThat(call("GET", "/api2/json/version", "", cookie("PVE:root@pam:6B0CD520::bm8=")).reason())
                .isEqualTo("permission denied - invalid PVE ticket");
        Answer login = call("POST", "/api2/json/access/ticket", "username=root@pam&password=wrong", none());
        assertThat(login.status()).isEqualTo(401);
        assertThat(login.reason()).isEqualTo("authentication failure");
        assertThat(call("GET", "/api2/json/access/domains", "", none()).data().findValuesAsText("realm"))
                .containsExactly("pam", "pve");
    }

    @Test
    void aPasswordGivesATicketThatWorksAndCanBeRenewed() throws Exception {
        JsonNode first = login("root@pam", password("root@pam"));
        assertThat(first.path("ticket").asText()).matches("PVE:root@pam:[0-9A-F]{8}::.+");
        assertThat(first.path("clustername").asText()).isEqualTo("garage");
        assertThat(call("GET", "/api2/json/nodes", "", cookie(first.path("ticket").asText())).data()).hasSize(3);
        assertThat(login("root@pam", first.path("ticket").asText()).path("ticket").asText()).startsWith("PVE:root@pam:");
    }

    @Test
    void aTicketWithoutItsCsrfTokenChangesNothing() throws Exception {
        JsonNode login = login("root@pam", password("root@pam"));
        String ticket = login.path("ticket").asText();
        Answer without = call("POST", "/api2/json/nodes/pve1/qemu/999/status/start", "skiplock=0", cookie(ticket));
        assertThat(without.status()).isEqualTo(401);
        assertThat(without.reason()).isEqualTo("Permission denied - invalid csrf token");
        Answer with = call("POST", "/api2/json/nodes/pve1/qemu/999/status/start", "skiplock=0", cookie(ticket).andThen(
                c -> c.setRequestProperty("CSRFPreventionToken", login.path("CSRFPreventionToken").asText())));
        assertThat(with.reason()).isEqualTo("Configuration file 'nodes/pve1/qemu-server/999.conf' does not exist");
    }

    @Test
    void theSecondFactorIsAskedForAndChecked() throws Exception {
        JsonNode first = login("anna@pam", password("anna@pam"));
        assertThat(first.path("NeedTFA").asInt()).isEqualTo(1);
        String partial = first.path("ticket").asText();
        assertThat(partial).matches("PVE:!tfa!%7B%22totp%22%3Atrue%7D:[0-9A-F]{8}::.+");
        assertThat(call("GET", "/api2/json/version", "", cookie(partial)).status()).isEqualTo(401);
        String challenge = "&tfa-challenge=" + encoded(partial);
        Answer wrong = call("POST", "/api2/json/access/ticket",
                "username=anna@pam&password=totp:000000x" + challenge, none());
        assertThat(wrong.status()).isEqualTo(401);
        String code = new Totp(lab.world().<String>read(w -> w.users.get("anna@pam").totp().orElseThrow())).at(Instant.now());
        Answer right = call("POST", "/api2/json/access/ticket",
                "username=anna@pam&password=" + encoded("totp:" + code) + challenge, none());
        assertThat(call("GET", "/api2/json/version", "", cookie(right.data().path("ticket").asText())).status())
                .isEqualTo(200);
        assertThat(call("POST", "/api2/json/access/ticket", "username=root@pam&password="
                + encoded("totp:" + code) + challenge, none()).status()).isEqualTo(401);
    }

    @Test
    void rightsAreThoseOfTheTokenNotOfItsUser() throws Exception {
        Answer permissions = call("GET", "/api2/json/access/permissions?path=/vms/121", "", token(readOnly));
        assertThat(permissions.data().path("/vms/121").has("VM.Audit")).isTrue();
        assertThat(permissions.data().path("/vms/121").has("VM.PowerMgmt")).isFalse();
        assertThat(call("POST", "/api2/json/access/ticket", "username=a&password=b", token(desk)).reason())
                .isEqualTo("not available with API token, need proper ticket.");
    }

    @Test
    void aMissingPrivilegeIsNamed() throws Exception {
        lab.world().change(w -> w.tokens.put("root@pam!weak", new LabToken("root@pam!weak", "s",
                true, Map.of("/vms/121", Set.of("VM.Audit")))));
        assertThat(call("GET", "/api2/json/nodes/pve1/qemu/121/config", "", token("root@pam!weak=s")).status())
                .isEqualTo(200);
        assertThat(call("GET", "/api2/json/nodes/pve1/status", "", token("root@pam!weak=s")).reason())
                .isEqualTo("Permission check failed (/nodes/pve1, Sys.Audit)");
        assertThat(call("GET", "/api2/json/nodes/pve1/hardware/pci", "", token("root@pam!weak=s")).reason())
                .isEqualTo("Permission check failed (/, Sys.Audit|Sys.Modify)");
        assertThat(call("GET", "/api2/json/nodes/pve1/qemu", "", token("root@pam!weak=s")).data()
                .findValuesAsText("vmid")).containsExactly("121");
        lab.world().change(w -> w.tokens.remove("root@pam!weak"));
    }

    @Test
    void aSilentHostRefusesAndItsNeighboursSaySo() throws Exception {
        URI pve3 = lab.endpoints().stream().filter(e -> e.name().equals("pve3")).findFirst().orElseThrow().uri();
        lab.world().change(w -> w.hosts.get("pve3").silent = true);
        await().untilAsserted(() -> assertThatThrownBy(() -> call(pve3, "GET", "/api2/json/version", "", token(desk)))
                .isInstanceOf(ConnectException.class));
        Answer through = get("/nodes/pve3/status");
        assertThat(through.status()).isEqualTo(595);
        assertThat(through.reason()).isEqualTo("No route to host");
        assertThat(get("/nodes").data().get(2).path("status").asText()).isEqualTo("offline");
        lab.world().change(w -> w.hosts.get("pve3").silent = false);
        await().ignoreExceptionsInstanceOf(ConnectException.class).untilAsserted(() -> assertThat(
                call(pve3, "GET", "/api2/json/version", "", token(desk)).status()).isEqualTo(200));
        assertThat(get("/nodes/pve3/status").status()).isEqualTo(200);
    }

    @Test
    void mappingsSayWhatDoesNotFit() throws Exception {
        assertThat(get("/cluster/mapping/pci?check-node=pve1").data().get(0).path("checks")).isEmpty();
        lab.world().change(w -> w.pciMappings.put("half", List.of("id=10de:25b0,node=pve1,path=0000:01:00")));
        JsonNode half = get("/cluster/mapping/pci?check-node=pve1").data().get(0);
        assertThat(half.path("id").asText()).isEqualTo("half");
        assertThat(half.path("checks").get(0).path("message").asText())
                .isEqualTo("Invalid configuration: missing expected property 'iommugroup' for device '0000:01:00.0'");
        lab.world().change(w -> w.pciMappings.remove("half"));
    }

    @Test
    void certificatesNameTheFingerprintTheServerShows() throws Exception {
        JsonNode own = get("/nodes/pve1/certificates/info").data().get(1);
        assertThat(own.path("filename").asText()).isEqualTo("pve-ssl.pem");
        assertThat(own.path("fingerprint").asText()).isEqualTo(lab.authority().fingerprint("pve1"));
        assertThat(own.path("pem").asText()).startsWith("-----BEGIN CERTIFICATE-----");
    }

    private static JsonNode login(String user, String password) throws IOException {
        return call("POST", "/api2/json/access/ticket", "username=" + encoded(user) + "&password=" + encoded(password),
                none()).data();
    }

    private static Answer get(String path) throws IOException {
        return call("GET", "/api2/json" + path, "", token(desk));
    }

    private static Answer call(String method, String path, String form, Consumer<HttpsURLConnection> identity)
            throws IOException {
        return call(pve1, method, path, form, identity);
    }

    private static Answer call(URI base, String method, String path, String form, Consumer<HttpsURLConnection> identity)
            throws IOException {
        return PveClient.call(base, method, path, form, identity);
    }

    private static Consumer<HttpsURLConnection> token(String token) {
        return PveClient.token(token);
    }

    private static Consumer<HttpsURLConnection> cookie(String ticket) {
        return PveClient.cookie(ticket);
    }

    private static Consumer<HttpsURLConnection> none() {
        return connection -> { };
    }

    private static String encoded(String text) {
        return PveClient.encoded(text);
    }

    private static String tokenWithSecret(String id) {
        return id + "=" + lab.world().<String>read(w -> w.tokens.get(id).secret());
    }

    private static String password(String user) {
        return lab.world().<String>read(w -> w.users.get(user).password());
    }
}
