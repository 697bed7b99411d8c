package dev.pitwall.link;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.card.HostReport;
import dev.pitwall.card.MachineReport;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.ProxmoxReport;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.TelemetryReport;
import dev.pitwall.card.VmReport;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabContext;
import dev.pitwall.lab.LabEndpoint;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.models.ModelServers;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.prometheus.ClusterNames;
import dev.pitwall.lab.prometheus.PrometheusServer;
import dev.pitwall.link.http.TestLimits;
import dev.pitwall.link.ssh.KnownHosts;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.Hop;
import dev.pitwall.site.Probe;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.Reachability.Outcome;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.store.MemorySecrets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Reads the practice lab over its sockets, as it would a homelab. */
class LabLinksTest {

    @TempDir
    private static Path dir;
    private static Lab lab;
    private static JsonNode site;
    private static final MemorySecrets SECRETS = new MemorySecrets("memory");

    @BeforeAll
    static void start() throws Exception {
        lab = Lab.start(LabOptions.garage(dir).withLoginPenalty(Duration.ZERO));
        site = new ObjectMapper().readTree(lab.siteFile().toFile());
    }

    @AfterAll
    static void stop() {
        lab.close();
    }

    private static HostLinks links() {
        return new HostLinks(SECRETS, SecondFactor.NONE, InstantSource.system(), limits(),
                new NetworkTrouble(new Words()), new KnownHosts(List.of()), Optional.empty());
    }

    private static HostReach reach() {
        return new HostReach(SECRETS, InstantSource.system(), limits(), new NetworkTrouble(new Words()),
                new KnownHosts(List.of()), Optional.empty());
    }

    private static TimeLimits limits() {
        return new TimeLimits(TestLimits.PATIENT, TestLimits.PATIENT, TestLimits.PATIENT, TestLimits.PATIENT);
    }

    private static ProxmoxAccess pve1() {
        return access(lab, site.path("proxmox").get(0));
    }

    private static ProxmoxAccess access(Lab of, JsonNode entry) {
        SecretRef ref = new SecretRef(of.dir() + "/" + entry.path("name").asText());
        SECRETS.put(ref, entry.path("secret").asText());
        return new ProxmoxAccess(entry.path("name").asText(), URI.create(entry.path("url").asText()),
                new ProxmoxAccess.Token(entry.path("token").asText(), ref),
                Optional.of(entry.path("fingerprint").asText()));
    }

    private static ShellAccess shell(String name) {
        JsonNode entry = site.path("ssh").valueStream().filter(e -> e.path("name").asText().equals(name)).findFirst()
                .orElseThrow();
        ShellAccess.Role role = switch (entry.path("role").asText()) {
            case "proxmox-host" -> ShellAccess.Role.PROXMOX_HOST;
            case "jump" -> ShellAccess.Role.JUMP;
            default -> ShellAccess.Role.NODE;
        };
        return new ShellAccess(name, role, entry.path("host").asText(), entry.path("port").asInt(),
                entry.path("user").asText(),
                new ShellAccess.KeyFile(dir.resolve(entry.path("keyFile").asText()), Optional.empty()),
                Optional.of(entry.path("hostKey").asText()), Optional.empty());
    }

    @Test
    void oneApiTellsOfEveryHostWithItsCardAndWorker() throws Exception {
        try (Probe<ProxmoxReport> probe = links().proxmox(pve1())) {
            ProxmoxReport report = probe.read();
            assertThat(report.silent()).isEmpty();
            assertThat(report.hosts()).extracting(HostReport::node).containsExactly("pve1", "pve2", "pve3");
            for (HostReport host : report.hosts()) {
                assertThat(host.functions()).filteredOn(PciFunction::isNvidiaGpu).hasSize(1);
                assertThat(host.vms()).filteredOn(vm -> !vm.passthrough().isEmpty()).isNotEmpty().allSatisfy(vm -> {
                    assertThat(vm.status()).isEqualTo(VmReport.Status.RUNNING);
                    assertThat(vm.smbiosUuid()).isPresent();
                });
            }
        }
    }

    @Test
    void aSilentHostLeavesTheOthersReadable() throws Exception {
        try (Lab other = Lab.start(LabOptions.garage(dir.resolve("other")).withLoginPenalty(Duration.ZERO));
             Probe<ProxmoxReport> probe = links().proxmox(access(other))) {
            other.world().change(w -> w.hosts.get("pve3").silent = true);
            ProxmoxReport report = probe.read();
            assertThat(report.hosts()).extracting(HostReport::node).containsExactly("pve1", "pve2");
            Troubles.fit(report.silent().get("pve3"));
        }
    }

    @Test
    void eachNodeOfAClusterIsReadThroughOneAccess() throws Exception {
        try (Lab other = Lab.start(LabOptions.garage(dir.resolve("cluster")).withLoginPenalty(Duration.ZERO))) {
            List<Supplier<Probe<ProxmoxReport>>> probes = links().proxmox(List.of(access(other, 0), access(other, 1)));
            try (Probe<ProxmoxReport> first = probes.get(0).get();
                 Probe<ProxmoxReport> second = probes.get(1).get()) {
                first.read();
                assertThat(second.read().hosts()).extracting(HostReport::node).containsExactly("pve2");
                assertThat(first.read().hosts()).extracting(HostReport::node).containsExactly("pve1", "pve3");
                second.close();
                assertThat(first.read().hosts()).extracting(HostReport::node).containsExactly("pve1", "pve2", "pve3");
            }
        }
    }

    private static ProxmoxAccess access(Lab other) throws Exception {
        return access(other, 0);
    }

    private static ProxmoxAccess access(Lab other, int index) throws Exception {
        JsonNode entry = new ObjectMapper().readTree(other.siteFile().toFile()).path("proxmox").get(index);
        return access(other, entry);
    }

    @Test
    void aHostTellsOverItsShellWhatTheApiDoesNot() throws Exception {
        try (Probe<MachineReport> probe = links().shell(shell("pve1"))) {
            MachineReport report = probe.read();
            assertThat(report.hostname()).isEqualTo("pve1");
            assertThat(report.kernel()).endsWith("-pve");
            assertThat(report.commandLine()).isNotBlank();
            assertThat(report.uptimeSeconds()).isPresent();
            assertThat(report.iommuUnits()).isNotEmpty();
            assertThat(report.acpiTables()).isNotEmpty();
            assertThat(report.functions()).filteredOn(PciFunction::isNvidiaGpu).singleElement().satisfies(gpu -> {
                assertThat(gpu.driver()).contains("vfio-pci");
                assertThat(gpu.iommuGroup()).isPresent();
            });
        }
    }

    @Test
    void everyMachineOfTheLabIsReadable() throws Exception {
        for (JsonNode entry : site.path("ssh")) {
            try (Probe<MachineReport> probe = links().shell(shell(entry.path("name").asText()))) {
                assertThat(probe.read().hostname()).isEqualTo(entry.path("name").asText());
            }
        }
    }

    @Test
    void aWorkerTellsItsCardDriverAndContainerd() throws Exception {
        String worker = site.path("ssh").valueStream().filter(e -> e.path("role").asText().equals("node"))
                .map(e -> e.path("name").asText()).findFirst().orElseThrow();
        try (Probe<MachineReport> probe = links().shell(shell(worker))) {
            MachineReport report = probe.read();
            assertThat(report.systemUuid()).isPresent();
            assertThat(report.driverVersion()).isPresent();
            assertThat(report.gpus()).hasSize(1);
            assertThat(report.gpus().getFirst().uuid()).isPresent();
            assertThat(report.containerd()).isPresent();
            assertThat(report.containerd().orElseThrow().runtimes()).contains("nvidia");
        }
    }

    private static PrometheusServer prometheus(LabHttp http) {
        LabContext context = context(http);
        return PrometheusServer.start(context, ClusterNames.of(context.world()));
    }

    @Test
    void theLabsPrometheusGivesASampleACard() throws Exception {
        try (LabHttp http = new LabHttp(); PrometheusServer prometheus = prometheus(http);
             Probe<TelemetryReport> probe = links().metrics(new Endpoint.Url(prometheus.uri()))) {
            await().ignoreExceptions().until(() -> probe.read().samples().size() == lab.world().read(w -> w.cards.size()));
            assertThat(probe.read().samples()).allSatisfy(sample -> {
                assertThat(sample.node()).isNotBlank();
                assertThat(sample.gpu().temperatureC()).isPresent();
                assertThat(sample.gpu().memoryTotalMiB()).isPresent();
            });
            Outcome outcome = reach().metrics(new Endpoint.Url(prometheus.uri()), hops -> { });
            assertThat(outcome.passed()).isTrue();
        }
    }

    @Test
    void theLabsOllamaIsReadAndFoundHopByHop() throws Exception {
        try (LabHttp http = new LabHttp(); ModelServers servers = ModelServers.start(context(http))) {
            LabEndpoint endpoint = servers.endpoints().getFirst();
            Endpoint.Url url = new Endpoint.Url(endpoint.uri());
            try (Probe<ServerReport> probe = links().server(endpoint.name(), url)) {
                ServerReport report = probe.read();
                assertThat(report.software()).isEqualTo("ollama");
                assertThat(report.installed()).isNotEmpty();
            }
            assertThat(reach().server(endpoint.name(), url, hops -> { }).passed()).isTrue();
        }
    }

    private static LabContext context(LabHttp http) {
        return new LabContext(lab.world(), lab.authority(), http, dir, InstantSource.system(), Duration.ZERO);
    }

    @Test
    void theWayToPve1IsGoneHopByHop() {
        List<List<Hop>> seen = new ArrayList<>();
        ProxmoxAccess access = pve1();
        Outcome outcome = reach().proxmox(access, site.path("proxmox").get(0).path("secret").asText(),
                SecondFactor.NONE, seen::add);
        assertThat(outcome.hops().stream().limit(7)).extracting(Hop::name).containsExactly("Name",
                "Port " + access.url().getPort(), "TLS", "Certificate", "Token", "Rights", "Other nodes");
        assertThat(outcome.hops().stream().limit(7)).extracting(Hop::state).containsOnly(Hop.State.OK);
        assertThat(outcome.identity().orElseThrow().fingerprint()).isEqualTo(access.fingerprint().orElseThrow());
        assertThat(outcome.notes()).contains("Proxmox VE 8.4.14");
        assertThat(seen).last().isEqualTo(outcome.hops());
        outcome.hops().stream().flatMap(hop -> hop.trouble().stream()).forEach(Troubles::fit);
    }

    @Test
    void firstContactAsksAndSendsNothing() {
        ProxmoxAccess known = pve1();
        ProxmoxAccess first = new ProxmoxAccess(known.name(), known.url(), known.login(), Optional.empty());
        Outcome outcome = reach().proxmox(first, "not-sent", SecondFactor.NONE, hops -> { });
        assertThat(outcome.passed()).isFalse();
        assertThat(outcome.identity().orElseThrow().fingerprint()).isEqualTo(known.fingerprint().orElseThrow());
        assertThat(outcome.hops()).extracting(Hop::state).containsExactly(Hop.State.OK, Hop.State.OK, Hop.State.OK,
                Hop.State.ASKS, Hop.State.TO_DO, Hop.State.TO_DO, Hop.State.TO_DO);
    }

    @Test
    void theWayToAShellIsGoneHopByHop() {
        Outcome outcome = reach().shell(shell("pve1"), Optional.empty(), hops -> { });
        assertThat(outcome.hops()).extracting(Hop::state).containsOnly(Hop.State.OK);
        assertThat(outcome.hops()).extracting(Hop::name).contains("SSH", "Host key", "Login", "Root", "Tools");
    }

    @Test
    void firstContactWithAShellAsks() {
        ShellAccess known = shell("pve1");
        ShellAccess first = new ShellAccess(known.name(), known.role(), known.host(), known.port(), known.user(),
                known.login(), Optional.empty(), Optional.empty());
        Outcome outcome = reach().shell(first, Optional.empty(), hops -> { });
        assertThat(outcome.identity().orElseThrow().fingerprint()).isEqualTo(known.hostKey().orElseThrow());
        assertThat(outcome.hops()).extracting(Hop::state).containsExactly(Hop.State.OK, Hop.State.OK, Hop.State.OK,
                Hop.State.ASKS, Hop.State.TO_DO, Hop.State.TO_DO, Hop.State.TO_DO);
    }
}
