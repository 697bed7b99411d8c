package dev.pitwall.link.proxmox;

import dev.pitwall.card.HostReport;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.ProxmoxReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.VmReport;
import dev.pitwall.link.ScriptedServer;
import dev.pitwall.link.ScriptedServer.Reply;
import dev.pitwall.link.ScriptedServer.Request;
import dev.pitwall.link.TestCertificate;
import dev.pitwall.link.Troubles;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.http.TestLimits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.SecretRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import static org.assertj.core.api.Assertions.assertThat;

/** Reads Proxmox over TLS on a real socket; every bad answer becomes one sentence. */
class ProxmoxProbeTest {
    private static final TestCertificate CERTIFICATE = TestCertificate.valid("pve1.lan", "Proxmox Virtual Environment");
    private static final String TOKEN_SECRET = "11111111-2222-3333-4444-555555555555";
    private static final String API = "/api2/json/";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final InstantSource clock = now::get;
    private final Map<String, Reply> replies = new ConcurrentHashMap<>();
    private final NetworkTrouble troubles = new NetworkTrouble(new Words());
    private Limits limits = TestLimits.PATIENT;
    private ScriptedServer server;
    private ProxmoxProbe probe;

    @AfterEach
    void close() {
        if (probe != null) {
            probe.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private ProxmoxProbe token() {
        return open(new ProxmoxAccess.Token("pitwall@pve!desk", ref()), Optional.of(CERTIFICATE.fingerprint()),
                server.uri(), TOKEN_SECRET, SecondFactor.NONE);
    }

    private ProxmoxProbe password(String password, SecondFactor factor) {
        return open(new ProxmoxAccess.Password("root@pam", ref()), Optional.of(CERTIFICATE.fingerprint()), server.uri(),
                password, factor);
    }

    private ProxmoxProbe open(ProxmoxAccess.Login login, Optional<String> pin, URI uri, String secret,
                              SecondFactor factor) {
        return probe = new ProxmoxProbe(() -> new ProxmoxConnection(new ProxmoxAccess("pve1", uri, login, pin),
                () -> secret, factor, clock, limits, troubles), clock, new NodeDuty());
    }

    private static SecretRef ref() {
        return new SecretRef("test");
    }

    private void serve() {
        serve(request -> Reply.reasonOnly(501, "Method 'GET " + request.path() + "' not implemented"));
    }

    private void serve(Function<Request, Reply> otherwise) {
        server = ScriptedServer.tls(CERTIFICATE, request -> {
            Reply known = replies.get(request.path().replace(API, ""));
            return known != null ? known : otherwise.apply(request);
        });
    }

    private void data(String path, String json) {
        replies.put(path, Reply.json("{\"data\":" + json + "}"));
    }

    private void oneHost() {
        data("nodes", "[{\"node\":\"pve1\",\"status\":\"online\"}]");
        host("pve1");
        data("cluster/mapping/pci", """
                [{"id":"gpu0","map":["node=pve1,path=0000:01:00,id=10de:25b0,iommugroup=13,subsystem-id=10de:1878",
                "node=pve2,path=0000:02:00.0,id=10DE:25B0"]}]""");
    }

    private void host(String node) {
        data("nodes/" + node + "/version", "{\"version\":\"8.4.14\",\"release\":\"8.4\",\"repoid\":\"abc\"}");
        data("nodes/" + node + "/status", """
                {"uptime":"86400","kversion":"Linux 6.8.12-15-pve #1 SMP","current-kernel":{"release":"6.8.12-15-pve"},
                "boot-info":{"mode":"efi","secureboot":"0"},"cpuinfo":{"vendor":"GenuineIntel","flags":"fpu vmx sse2"}}""");
        data("nodes/" + node + "/hardware/pci?pci-class-blacklist=", """
                [{"id":"0000:01:00.1","class":"0x040300","vendor":"0x10de","device":"0x2291","iommugroup":13},
                {"id":"0000:01:00.0","class":"0x030000","vendor":"0x10de","device":"0x25b0","vendor_name":"NVIDIA Corporation",
                "device_name":"GA107GL [RTX A1000]","subsystem_vendor":"0x10de","subsystem_device":"0x1878","iommugroup":"13"},
                {"id":"0000:00:1f.0","class":"0x060100","vendor":"0x8086","device":"0x7a04","iommugroup":-1}]""");
        data("nodes/" + node + "/qemu", """
                [{"vmid":"104","name":"worker","status":"running","pid":4711,"uptime":3600},{"vmid":105,"status":"stopped"}]""");
        data("nodes/" + node + "/qemu/104/config", """
                {"name":"worker","digest":"aa","bios":"ovmf","machine":"q35","hostpci0":"0000:01:00,pcie=1","onboot":1,
                "smbios1":"uuid=4C4C4544-0051-3610-8051-B4C04F4E3332,base64=1","ostype":"l26"}""");
        data("nodes/" + node + "/qemu/104/pending", """
                [{"key":"hostpci0","value":"mapping=gpu0","pending":"0000:01:00,pcie=1"},{"key":"memory","value":"8192"},
                {"key":"balloon","value":"0","delete":1}]""");
        data("nodes/" + node + "/qemu/104/status/current", """
                {"status":"running","qmpstatus":"running","uptime":3605,"running-machine":"pc-q35-9.0+pve0","lock":"backup"}""");
        data("nodes/" + node + "/qemu/105/config", "{\"digest\":\"bb\",\"template\":1}");
        data("nodes/" + node + "/qemu/105/pending", "[{\"key\":\"name\",\"value\":\"spare\"}]");
    }

    @Test
    void aHostIsReadWithItsFunctionsVmsAndMappings() throws Exception {
        serve();
        oneHost();
        HostReport host = token().read().hosts().getFirst();
        assertThat(host.version()).isEqualTo("8.4.14");
        assertThat(host.uptimeSeconds()).hasValue(86400);
        assertThat(host.kernel()).contains("6.8.12-15-pve");
        assertThat(host.secureBoot()).contains(false);
        assertThat(host.cpuFlags()).contains("vmx");
        assertThat(host.functions()).extracting(f -> f.address().toString())
                .containsExactly("0000:00:1f.0", "0000:01:00.0", "0000:01:00.1");
        assertThat(host.functions().get(0).iommuGroup()).isEmpty();
        assertThat(host.functions().get(1).isNvidiaGpu()).isTrue();
        assertThat(host.functions().get(1).iommuGroup()).hasValue(13);
        assertThat(host.functions().get(1).subsystemId()).contains("10de:1878");
        assertThat(host.mappings()).containsOnlyKeys("gpu0");
        assertThat(host.mappings().get("gpu0")).containsExactly(new HostReport.PciMapping(
                List.of(PciAddress.parse("0000:01:00").orElseThrow()), Optional.of("10de:25b0"), Optional.of(13),
                Optional.of("10de:1878")));
        assertThat(server.requests()).allSatisfy(r -> assertThat(r.header("Authorization"))
                .isEqualTo("PVEAPIToken=pitwall@pve!desk=" + TOKEN_SECRET));
    }

    @Test
    void aVmIsReadWithWhatRunsAndWhatWaits() throws Exception {
        serve();
        oneHost();
        VmReport vm = token().read().hosts().getFirst().vms().getFirst();
        assertThat(vm.vmid()).isEqualTo(104);
        assertThat(vm.status()).isEqualTo(VmReport.Status.RUNNING);
        assertThat(vm.smbiosUuid()).contains("4c4c4544-0051-3610-8051-b4c04f4e3332");
        assertThat(vm.machine()).contains("pc-q35-9.0+pve0");
        assertThat(vm.uptimeSeconds()).hasValue(3605);
        assertThat(vm.passthrough()).containsExactly(new VmReport.Passthrough("hostpci0",
                List.of(PciAddress.parse("0000:01:00").orElseThrow()), Optional.empty(), true));
        assertThat(vm.runningPassthrough()).containsExactly(new VmReport.Passthrough("hostpci0", List.of(),
                Optional.of("gpu0"), false));
        assertThat(vm.pendingKeys()).containsExactlyInAnyOrder("hostpci0", "balloon");
        assertThat(vm.lock()).contains("backup");
        assertThat(vm.onboot()).isTrue();
    }

    @Test
    void anUnchangedVmWithoutDevicesIsNotAskedAgainWithinAMinute() throws Exception {
        serve();
        oneHost();
        ProxmoxProbe probe = token();
        probe.read();
        probe.read();
        assertThat(asked("nodes/pve1/qemu/105/config")).isEqualTo(1);
        assertThat(asked("nodes/pve1/qemu/104/config")).isEqualTo(2);
        assertThat(asked("nodes/pve1/qemu/104/pending")).isEqualTo(1);
        assertThat(asked("nodes/pve1/version")).isEqualTo(1);
        now.set(now.get().plus(Duration.ofMinutes(2)));
        probe.read();
        assertThat(asked("nodes/pve1/qemu/105/config")).isEqualTo(2);
    }

    private long asked(String path) {
        return server.requests().stream().filter(r -> r.path().equals(API + path)).count();
    }

    @Test
    void proxmox7WithoutMappingsAndBootInfoIsRead() throws Exception {
        serve();
        oneHost();
        replies.remove("cluster/mapping/pci");
        data("nodes/pve1/status", "{\"uptime\":5,\"kversion\":\"Linux 5.15.131-2-pve #1 SMP PVE\"}");
        data("nodes/pve1/version", "{\"version\":\"7.4-17\"}");
        HostReport host = token().read().hosts().getFirst();
        assertThat(host.version()).isEqualTo("7.4-17");
        assertThat(host.kernel()).contains("5.15.131-2-pve");
        assertThat(host.bootMode()).isEmpty();
        assertThat(host.mappings()).isEmpty();
    }

    @Test
    void aSilentNodeDoesNotHideTheOthers() throws Exception {
        serve();
        oneHost();
        data("nodes", """
                [{"node":"pve1","status":"online"},{"node":"pve2","status":"offline"},{"node":"pve3","status":"online"}]""");
        replies.put("nodes/pve3/status", Reply.reasonOnly(595, "No route to host"));
        ProxmoxReport report = token().read();
        assertThat(report.hosts()).extracting(HostReport::node).containsExactly("pve1");
        Trouble unreachable = Troubles.fit(report.silent().get("pve3"));
        assertThat(unreachable.kind()).isEqualTo(Kind.CONNECT);
        assertThat(unreachable.sentence()).contains("pve3 through 127.0.0.1:" + server.port(), "No route to host");
        assertThat(Troubles.fit(report.silent().get("pve2")).what()).contains("offline");
        assertThat(asked("nodes/pve2/status")).isZero();
    }

    @Test
    void aVmThatVanishesWhileReadingIsLeftOut() throws Exception {
        serve();
        oneHost();
        replies.put("nodes/pve1/qemu/105/config",
                Reply.reasonOnly(500, "Configuration file 'nodes/pve1/qemu-server/105.conf' does not exist"));
        assertThat(token().read().hosts().getFirst().vms()).extracting(VmReport::vmid).containsExactly(104);
    }

    @Test
    void theReasonPhraseAloneTellsWhatWentWrong() {
        serve(request -> Reply.reasonOnly(500, "unable to open file '/etc/pve/.members'"));
        Trouble trouble = trouble(token());
        assertThat(trouble.kind()).isEqualTo(Kind.REMOTE);
        assertThat(trouble.what()).contains("unable to open file '/etc/pve/.members'");
    }

    @Test
    void aMissingRightIsNamedWithItsPath() {
        serve(request -> Reply.reasonOnly(403, "Permission check failed (/nodes/pve1, Sys.Audit)"));
        oneHost();
        replies.remove("nodes/pve1/status");
        Trouble trouble = trouble(token());
        assertThat(trouble.kind()).isEqualTo(Kind.RIGHTS);
        assertThat(trouble.what()).contains("Sys.Audit", "/nodes/pve1");
    }

    @Test
    void parametersThatAreRefusedAreNamed() {
        serve(request -> Reply.of(400, "Parameter verification failed.", "application/json",
                "{\"data\":null,\"errors\":{\"verbose\":\"property is not defined\"}}"));
        assertThat(trouble(token()).what()).contains("Parameter verification failed: verbose: property is not defined");
    }

    @Test
    void aRefusedTokenIsNotSentAgain() {
        serve(request -> Reply.reasonOnly(401, "no such token 'desk' for user 'pitwall@pve'"));
        ProxmoxProbe probe = token();
        Trouble trouble = trouble(probe);
        assertThat(trouble.kind()).isEqualTo(Kind.CREDENTIALS);
        assertThat(trouble.what()).contains("no such token").doesNotContain(TOKEN_SECRET);
        assertThat(trouble(probe)).isEqualTo(trouble);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aTokenWithALineBreakIsRefusedWithoutBeingSent() {
        serve();
        ProxmoxProbe probe = open(new ProxmoxAccess.Token("pitwall@pve!desk", ref()),
                Optional.of(CERTIFICATE.fingerprint()), server.uri(), "aa\nbb", SecondFactor.NONE);
        Trouble trouble = trouble(probe);
        assertThat(trouble.kind()).isEqualTo(Kind.CREDENTIALS);
        assertThat(trouble.sentence()).doesNotContain("bb");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void aWrongPasswordIsTriedOnce() {
        serve(request -> Reply.reasonOnly(401, "authentication failure"));
        ProxmoxProbe probe = password("wrong", SecondFactor.NONE);
        assertThat(trouble(probe).kind()).isEqualTo(Kind.CREDENTIALS);
        assertThat(trouble(probe).what()).contains("root@pam");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aLoginWhoseAnswerIsCutIsNotSentTwice() {
        serve(request -> Reply.json("{\"data\":{}}").cutAfter(""));
        assertThat(trouble(password("secret", SecondFactor.NONE)).kind()).isEqualTo(Kind.CONNECT);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aSecondFactorIsAskedForAndSentWithTheChallenge() throws Exception {
        String partial = "PVE:!tfa!%7B%22totp%22%3Atrue%2C%22recovery%22%3A%5B1%2C2%5D%2C%22webauthn%22%3Anull%7D:65A1B2C3::sig+/=";
        serve(request -> request.body().contains("tfa-challenge")
                ? Reply.json("{\"data\":{\"ticket\":\"PVE:root@pam:65A1B2C3::full+/==\",\"CSRFPreventionToken\":\"c\"}}")
                : Reply.json("{\"data\":{\"NeedTFA\":1,\"ticket\":\"" + partial + "\"}}"));
        oneHost();
        AtomicReference<List<String>> offered = new AtomicReference<>();
        password("s3cret;&=", (who, kinds) -> {
            offered.set(kinds);
            assertThat(who).isEqualTo("root@pam at pve1");
            return Optional.of("totp:123456");
        }).read();
        assertThat(offered.get()).containsExactly("totp", "recovery");
        String first = server.requests().get(0).body();
        assertThat(URLDecoder.decode(first, StandardCharsets.UTF_8)).contains("password=s3cret;&=");
        assertThat(first).contains("s3cret%3B%26%3D");
        assertThat(URLDecoder.decode(server.requests().get(1).body(), StandardCharsets.UTF_8))
                .contains("password=totp:123456", "tfa-challenge=" + partial);
        assertThat(server.requests().get(2).header("Cookie"))
                .isEqualTo("PVEAuthCookie=PVE%3Aroot%40pam%3A65A1B2C3%3A%3Afull%2B%2F%3D%3D");
    }

    @Test
    void aSecondFactorThatNobodyGivesEndsTheLogin() {
        serve(request -> Reply.json("{\"data\":{\"NeedTFA\":1,\"ticket\":\"PVE:!tfa!%7B%22totp%22%3Atrue%7D:65A1B2C3::s\"}}"));
        Trouble trouble = trouble(password("secret", SecondFactor.NONE));
        assertThat(trouble.kind()).isEqualTo(Kind.CREDENTIALS);
        assertThat(trouble.what()).contains("second factor");
    }

    @Test
    void aUserWithOnlyAKeyInTheBrowserIsToldToMakeAToken() {
        serve(request -> Reply.json(
                "{\"data\":{\"NeedTFA\":1,\"ticket\":\"PVE:!tfa!%7B%22webauthn%22%3A%7B%22a%22%3A1%7D%7D:65A1B2C3::s\"}}"));
        Trouble trouble = trouble(password("secret", (who, kinds) -> Optional.of("totp:1")));
        assertThat(trouble.next()).contains("API token");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aTicketIsRenewedByItselfAfterAnHour() throws Exception {
        serve(request -> Reply.json("{\"data\":{\"ticket\":\"PVE:root@pam:" + (request.body().contains("secret")
                ? "first" : "second") + "::x\",\"CSRFPreventionToken\":\"c\"}}"));
        oneHost();
        ProxmoxProbe probe = password("secret", SecondFactor.NONE);
        probe.read();
        now.set(now.get().plus(Duration.ofMinutes(61)));
        probe.read();
        List<Request> logins = server.requests().stream().filter(r -> r.method().equals("POST")).toList();
        assertThat(logins).hasSize(2);
        assertThat(URLDecoder.decode(logins.get(1).body(), StandardCharsets.UTF_8))
                .contains("password=PVE:root@pam:first::x");
        assertThat(server.requests().getLast().header("Cookie")).contains("second");
    }

    @Test
    void aWebPageInsteadOfTheApiIsRecognised() {
        serve(request -> Reply.html("<!DOCTYPE html><html><title>Router</title></html>"));
        Trouble trouble = trouble(token());
        assertThat(trouble.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(trouble.what()).contains("not a Proxmox API");
    }

    @Test
    void halfAJsonIsRecognised() {
        serve(request -> Reply.json("{\"data\":[{\"node\":\"pv"));
        assertThat(trouble(token()).kind()).isEqualTo(Kind.UNREADABLE);
    }

    @Test
    void aConnectionCutInTheBodyIsRecognised() {
        serve(request -> Reply.json("{\"data\":[{\"node\":\"pve1\"}]}").cutAfter("{\"data\":["));
        Trouble trouble = trouble(token());
        assertThat(trouble.kind()).isEqualTo(Kind.CONNECT);
        assertThat(trouble.what()).contains("cut");
    }

    @Test
    void aSlowServerEndsAtTheTimeLimit() {
        limits = TestLimits.BRIEF;
        serve(request -> Reply.stalling());
        Trouble trouble = trouble(token());
        assertThat(trouble.kind()).isEqualTo(Kind.TIMEOUT);
        assertThat(trouble.what()).contains("0.5 s");
    }

    @Test
    void aClosedPortNamesTheServiceToCheck() {
        URI uri = URI.create("https://127.0.0.1:" + ScriptedServer.closedPort());
        Trouble trouble = trouble(open(new ProxmoxAccess.Token("a@pve!b", ref()), Optional.of("AA"), uri, "s",
                SecondFactor.NONE));
        assertThat(trouble.kind()).isEqualTo(Kind.CONNECT);
        assertThat(trouble.sentence()).isEqualTo(uri.getAuthority() + ": connection refused: pveproxy does not listen");
        assertThat(trouble.next()).contains("systemctl status pveproxy");
    }

    @Test
    void anUnknownNameIsSaid() {
        Trouble trouble = trouble(open(new ProxmoxAccess.Token("a@pve!b", ref()), Optional.of("AA"),
                URI.create("https://pve1.invalid:8006"), "s", SecondFactor.NONE));
        assertThat(trouble.kind()).isEqualTo(Kind.NAME);
        assertThat(trouble.where()).isEqualTo("pve1.invalid:8006");
    }

    @Test
    void plainHttpIsNeverSpoken() {
        assertThat(Troubles.of(() -> new ProxmoxConnection(new ProxmoxAccess("pve1", URI.create("http://127.0.0.1:1"),
                new ProxmoxAccess.Token("a@pve!b", ref()), Optional.empty()), () -> "s", SecondFactor.NONE, clock, limits,
                troubles)).kind()).isEqualTo(Kind.PROTOCOL);
    }

    @Test
    void aPortWithoutTlsIsSaid() {
        try (ScriptedServer plain = ScriptedServer.plain(request -> Reply.json("{}"))) {
            Trouble trouble = trouble(open(new ProxmoxAccess.Token("a@pve!b", ref()), Optional.of("AA"),
                    URI.create("https://127.0.0.1:" + plain.port()), "s", SecondFactor.NONE));
            assertThat(trouble.kind()).isEqualTo(Kind.TLS);
        }
    }

    @Test
    void aCertificateNotYetTrustedGetsNoSecret() {
        serve();
        Trouble trouble = trouble(open(new ProxmoxAccess.Token("a@pve!b", ref()), Optional.empty(), server.uri(), "s",
                SecondFactor.NONE));
        assertThat(trouble.kind()).isEqualTo(Kind.TRUST);
        assertThat(trouble.what()).contains(CERTIFICATE.fingerprint());
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void aChangedCertificateShowsBothFingerprints() {
        serve();
        String pinned = TestCertificate.valid("pve1.lan", "Old").fingerprint();
        Trouble trouble = trouble(open(new ProxmoxAccess.Token("a@pve!b", ref()), Optional.of(pinned), server.uri(), "s",
                SecondFactor.NONE));
        assertThat(trouble.kind()).isEqualTo(Kind.TRUST);
        assertThat(trouble.what()).contains(pinned, CERTIFICATE.fingerprint(), "CN Proxmox Virtual Environment");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void anExpiredCertificateIsNotAcceptedThoughItIsPinned() {
        TestCertificate expired = TestCertificate.expired("pve1.lan");
        server = ScriptedServer.tls(expired, request -> Reply.json("{}"));
        Trouble trouble = trouble(open(new ProxmoxAccess.Token("a@pve!b", ref()), Optional.of(expired.fingerprint()),
                server.uri(), "s", SecondFactor.NONE));
        assertThat(trouble.kind()).isEqualTo(Kind.TLS);
        assertThat(trouble.what()).startsWith("the certificate of pve1 has expired on ");
        assertThat(trouble.next()).contains("pvecm updatecerts");
        assertThat(server.requests()).isEmpty();
    }

    private Trouble trouble(ProxmoxProbe probe) {
        return Troubles.of(probe::read);
    }
}
