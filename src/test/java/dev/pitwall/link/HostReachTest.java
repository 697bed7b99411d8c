package dev.pitwall.link;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.ScriptedServer.Reply;
import dev.pitwall.link.ScriptedServer.Request;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.http.TestLimits;
import dev.pitwall.link.ssh.KnownHosts;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.Hop;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.Reachability.Outcome;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.ShellAccess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Each way ends at the hop that fails, which says why and what to do; what follows stays to do. */
class HostReachTest {
    private static final TestCertificate CERTIFICATE = TestCertificate.valid("pve1.lan", "Proxmox Virtual Environment");
    private static final Secrets NO_SECRETS = new Secrets() {
        @Override
        public Optional<String> get(SecretRef ref) {
            return Optional.empty();
        }

        @Override
        public void put(SecretRef ref, String secret) throws TroubleException {
            throw new UnsupportedOperationException();
        }

        @Override
        public void remove(SecretRef ref) throws TroubleException {
            throw new UnsupportedOperationException();
        }

        @Override
        public String place() {
            return "nowhere";
        }
    };

    private HostReach reach = reach(TestLimits.PATIENT);
    private final List<List<Hop>> told = new ArrayList<>();
    private ScriptedServer server;

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
    }

    private Outcome proxmox(Optional<String> pin, Map<String, String> data) {
        return proxmox(pin, request -> Optional.ofNullable(data.get(request.path().replace("/api2/json/", "")))
                .map(body -> Reply.json("{\"data\":" + body + "}"))
                .orElse(Reply.reasonOnly(501, "Method not implemented")));
    }

    private static HostReach reach(Limits limits) {
        return new HostReach(NO_SECRETS, InstantSource.system(), new TimeLimits(limits, limits, limits, limits),
                new NetworkTrouble(new Words()), new KnownHosts(List.of()), Optional.empty());
    }

    private Outcome proxmox(Optional<String> pin, Function<Request, Reply> script) {
        server = ScriptedServer.tls(CERTIFICATE, script);
        return proxmox(server.uri(), pin);
    }

    private Outcome proxmox(URI uri, Optional<String> pin) {
        ProxmoxAccess access = new ProxmoxAccess("pve1", uri,
                new ProxmoxAccess.Token("pitwall@pve!desk", new SecretRef("x")), pin);
        return reach.proxmox(access, "secret", SecondFactor.NONE, told::add);
    }

    private static Map<String, String> granted(String permissions) {
        Map<String, String> data = new HashMap<>();
        data.put("version", "{\"version\":\"8.4.14\"}");
        data.put("access/permissions", permissions);
        data.put("nodes", "[{\"node\":\"pve1\",\"status\":\"online\"}]");
        data.put("cluster/status", "[{\"type\":\"node\",\"name\":\"pve1\",\"local\":1}]");
        return data;
    }

    /** The one refused hop; those before it are ok, those after it to do. */
    private static Hop refused(Outcome outcome, String name) {
        List<String> names = outcome.hops().stream().map(Hop::name).toList();
        int at = names.indexOf(name);
        assertThat(names).contains(name);
        assertThat(outcome.hops().subList(0, at)).allMatch(hop -> hop.state() == Hop.State.OK);
        assertThat(outcome.hops().get(at).state()).isEqualTo(Hop.State.REFUSED);
        assertThat(outcome.hops().subList(at + 1, names.size())).allMatch(hop -> hop.state() == Hop.State.TO_DO);
        assertThat(outcome.passed()).isFalse();
        Troubles.fit(outcome.hops().get(at).trouble().orElseThrow());
        return outcome.hops().get(at);
    }

    private static Kind kind(Hop hop) {
        return hop.trouble().map(Trouble::kind).orElseThrow();
    }

    @Test
    void aNameThatIsNotKnownIsTheFirstHop() {
        assertThat(kind(refused(proxmox(URI.create("https://pve1.invalid:8006"), Optional.empty()), "Name")))
                .isEqualTo(Kind.NAME);
    }

    @Test
    void aClosedPortIsTheSecond() {
        int port = ScriptedServer.closedPort();
        Hop hop = refused(proxmox(URI.create("https://127.0.0.1:" + port), Optional.empty()), "Port " + port);
        assertThat(hop.text()).contains("pveproxy does not listen");
    }

    @Test
    void aPortWithoutTlsIsTheThird() {
        server = ScriptedServer.plain(request -> Reply.stalling());
        Hop hop = refused(proxmox(URI.create("https://127.0.0.1:" + server.port()), Optional.empty()), "TLS");
        assertThat(kind(hop)).isEqualTo(Kind.TLS);
        assertThat(hop.text()).isEqualTo("answers, but not with TLS");
    }

    @Test
    void aPortThatNeverBeginsTlsIsSaid() throws IOException {
        reach = reach(TestLimits.BRIEF);
        try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> greet(mute, ""));
            URI uri = URI.create("https://127.0.0.1:" + mute.getLocalPort());
            Hop hop = refused(proxmox(uri, Optional.empty()), "TLS");
            assertThat(kind(hop)).isEqualTo(Kind.TIMEOUT);
            assertThat(hop.text()).contains("no TLS handshake within 0.5 s");
        }
    }

    @Test
    void aChangedCertificateIsRefusedAndShown() {
        Outcome outcome = proxmox(Optional.of("AA:BB"), Map.of());
        assertThat(kind(refused(outcome, "Certificate"))).isEqualTo(Kind.TRUST);
        assertThat(outcome.identity().orElseThrow().fingerprint()).isEqualTo(CERTIFICATE.fingerprint());
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void anExpiredCertificateIsRefusedAtFirstContactToo() {
        server = ScriptedServer.tls(TestCertificate.expired("pve1.lan"), request -> Reply.json("{}"));
        assertThat(kind(refused(proxmox(server.uri(), Optional.empty()), "Certificate"))).isEqualTo(Kind.TLS);
    }

    @Test
    void aRefusedTokenIsItsOwnHop() {
        Outcome outcome = proxmox(Optional.of(CERTIFICATE.fingerprint()),
                request -> Reply.reasonOnly(401, "Authentication failed!"));
        assertThat(kind(refused(outcome, "Token"))).isEqualTo(Kind.CREDENTIALS);
    }

    @Test
    void missingRightsAreListed() {
        Outcome outcome = proxmox(Optional.of(CERTIFICATE.fingerprint()),
                granted("{\"/vms\":{\"VM.Audit\":1},\"/nodes/pve1\":{\"Sys.Audit\":1}}"));
        Hop hop = refused(outcome, "Rights");
        assertThat(kind(hop)).isEqualTo(Kind.RIGHTS);
        assertThat(hop.text()).contains("Sys.Audit on /", "Mapping.Audit on /mapping/pci").doesNotContain("VM.Audit");
    }

    @Test
    void rightsThatOnlyChangesNeedAreToldButPass() {
        Outcome outcome = proxmox(Optional.of(CERTIFICATE.fingerprint()),
                granted("{\"/\":{\"VM.Audit\":1,\"Sys.Audit\":1,\"Mapping.Audit\":1}}"));
        assertThat(outcome.passed()).isTrue();
        assertThat(outcome.hops().get(5).text()).contains("VM.PowerMgmt on /vms", "VM.Monitor")
                .doesNotContain("GuestAgent");
    }

    @Test
    void anotherNodeThatDoesNotListenIsRefusedWithoutEndingTheTest() {
        Map<String, String> data = granted("{\"/\":{\"VM.Audit\":1,\"Sys.Audit\":1,\"Mapping.Audit\":1}}");
        data.put("cluster/status", """
                [{"type":"node","name":"pve1","local":1},{"type":"node","name":"pve2","ip":"127.0.0.1","local":0},
                {"type":"node","name":"pve3","ip":"pve3.invalid","local":0},
                {"type":"node","name":"pve4","local":0},{"type":"node","name":"pve5","online":0,"ip":"192.0.2.1"}]""");
        data.put("nodes", "[{\"node\":\"pve2\",\"ssl_fingerprint\":\"" + CERTIFICATE.fingerprint() + "\"}]");
        Outcome outcome = proxmox(Optional.of(CERTIFICATE.fingerprint()), data);
        Hop vouched = outcome.hops().get(7);
        assertThat(vouched.state()).isEqualTo(Hop.State.OK);
        assertThat(vouched.text()).isEqualTo("connected, pve1 vouches for its certificate");
        Hop gone = outcome.hops().get(8);
        assertThat(gone.name()).isEqualTo("pve3, port " + server.port());
        assertThat(kind(gone)).isEqualTo(Kind.NAME);
        assertThat(outcome.hops().get(9).text()).isEqualTo("known to pve1, asked through it");
        assertThat(outcome.hops().get(10).text()).contains("pve5 is offline");
        assertThat(outcome.notes()).anyMatch(note -> note.contains("pve3"));
    }

    @Test
    void progressTellsTheWholeListAfterEveryChange() {
        Outcome outcome = proxmox(Optional.of(CERTIFICATE.fingerprint()), granted("{\"/\":{}}"));
        assertThat(told.getFirst()).hasSameSizeAs(outcome.hops());
        assertThat(told.getFirst().getFirst().state()).isEqualTo(Hop.State.RUNNING);
        assertThat(told.getLast()).isEqualTo(outcome.hops());
    }

    @Test
    void anInterruptEndsTheTest() throws Exception {
        server = ScriptedServer.tls(CERTIFICATE, request -> Reply.stalling());
        Thread test = Thread.ofVirtual().start(() -> proxmox(server.uri(), Optional.of(CERTIFICATE.fingerprint())));
        await().until(() -> !server.requests().isEmpty());
        test.interrupt();
        test.join();
        assertThat(told.getLast()).noneMatch(hop -> hop.state() == Hop.State.RUNNING);
    }

    @Test
    void aServiceThatIsNotSshSaysWhatItIs() throws IOException {
        reach = reach(TestLimits.BRIEF);
        try (ServerSocket ftp = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> greet(ftp, "220 ProFTPD ready\r\n"));
            ShellAccess access = new ShellAccess("pve1", ShellAccess.Role.PROXMOX_HOST, "127.0.0.1", ftp.getLocalPort(),
                    "root", new ShellAccess.Password(new SecretRef("x")), Optional.empty(), Optional.empty());
            Hop hop = refused(reach.shell(access, Optional.of("pw"), told::add), "SSH");
            assertThat(hop.text()).contains("220 ProFTPD ready");
        }
    }

    private static void greet(ServerSocket server, String greeting) {
        try {
            while (true) {
                try (Socket client = server.accept()) {
                    client.getOutputStream().write(greeting.getBytes(StandardCharsets.UTF_8));
                    client.getInputStream().transferTo(OutputStream.nullOutputStream());
                }
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    @Test
    void prometheusIsFoundWithItsSeries() {
        server = ScriptedServer.plain(request -> request.path().startsWith("/api/v1/status/buildinfo")
                ? Reply.json("{\"status\":\"success\",\"data\":{\"version\":\"3.5.0\"}}")
                : Reply.json("""
                        {"status":"success","data":{"resultType":"vector","result":[
                        {"metric":{"__name__":"DCGM_FI_DEV_GPU_TEMP","UUID":"GPU-1"},"value":[1,"40"]}]}}"""));
        Outcome outcome = reach.metrics(new Endpoint.Url(server.uri()), told::add);
        assertThat(outcome.passed()).isTrue();
        assertThat(outcome.hops()).extracting(Hop::text).contains("Prometheus 3.5.0", "1 found");
    }

    @Test
    void grafanaIsRefusedAsWhatItIs() {
        server = ScriptedServer.plain(request -> Reply.of(302, "Found", "text/html", "").with("Location: /login"));
        Hop hop = refused(reach.metrics(new Endpoint.Url(server.uri()), told::add), "Prometheus");
        assertThat(hop.text()).isEqualTo("answers, but is Grafana");
    }

    @Test
    void aPrometheusWithoutDcgmSaysSo() {
        server = ScriptedServer.plain(request ->
                Reply.json("{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}"));
        assertThat(kind(refused(reach.metrics(new Endpoint.Url(server.uri()), told::add), "DCGM series")))
                .isEqualTo(Kind.MISSING);
    }

    @Test
    void tlsIsAHopOfItsOwnWhereItIsSpoken() {
        server = ScriptedServer.tls(CERTIFICATE, request -> Reply.json("{}"));
        assertThat(kind(refused(reach.metrics(new Endpoint.Url(server.uri()), told::add), "TLS"))).isEqualTo(Kind.TLS);
    }

    @Test
    void aModelServerIsFoundWithItsModels() {
        server = ScriptedServer.plain(request -> Reply.json(request.path().equals("/api/version")
                ? "{\"version\":\"0.32.15\"}" : "{\"models\":[]}"));
        Outcome outcome = reach.server("ollama-a", new Endpoint.Url(server.uri()), told::add);
        assertThat(outcome.passed()).isTrue();
        assertThat(outcome.hops()).extracting(Hop::text).contains("ollama 0.32.15", "0 in memory, 0 installed");
    }
}
