package dev.pitwall.link.talos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.ImageFactory;
import dev.pitwall.journey.Talos;
import dev.pitwall.journey.Talos.ResourceType;
import dev.pitwall.journey.Talos.Service;
import dev.pitwall.journey.talos.Schematic;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabEndpoint;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.TalosAccess;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The machine API and the Image Factory over sockets, and what is said when they refuse. */
class MachineApiTest {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final NetworkTrouble TROUBLES = new NetworkTrouble(new Words());
    @TempDir
    static Path dir;
    private static Lab lab;
    private static String gpu;
    private static String plain;
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        lab = Lab.start(LabOptions.garage(dir).withScene("talos").withSpeed(400));
        gpu = address("talos-gpu-4090");
        plain = address("talos-worker-1");
    }

    @AfterAll
    static void stop() {
        lab.close();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private static String address(String node) {
        return lab.world().read(w -> w.nodes.get(node).address);
    }

    private static String endpoint(String system, String name) {
        return lab.endpoints().stream().filter(e -> e.system().equals(system) && e.name().equals(name))
                .map(LabEndpoint::uri).findFirst().orElseThrow().toString();
    }

    private Talos talos(Path file, String context) throws TroubleException {
        MachineApi api = MachineApi.open(new TalosAccess(file, Optional.of(context)), TROUBLES, InstantSource.system());
        open.add(api);
        return api;
    }

    private Talos admin() throws TroubleException {
        return talos(dir.resolve("talosconfig"), "talos");
    }

    /** The lab's talosconfig with one thing altered. */
    private Talos altered(String field, JsonNode value) throws Exception {
        JsonNode root = YAML.readTree(dir.resolve("talosconfig").toFile());
        ((ObjectNode) root.at("/contexts/talos")).set(field, value);
        Path file = Files.createTempFile(dir, "talosconfig", "");
        YAML.writeValue(file.toFile(), root);
        return talos(file, "talos");
    }

    private static JsonNode tree(String flow) throws Exception {
        return YAML.readTree(flow);
    }

    private static void refused(ThrowingCallable call, Kind kind, String what, String next) {
        assertThatThrownBy(call).isInstanceOfSatisfying(TroubleException.class, e -> {
            assertThat(e.trouble().what()).contains(what);
            assertThat(e.trouble().kind()).isEqualTo(kind);
            assertThat(e.trouble().next()).contains(next);
        });
    }

    @Test
    void aNodeIsReadThroughAControlPlaneNode() throws Exception {
        Talos talos = admin();

        assertThat(talos.nodes()).contains(gpu, plain);
        assertThat(talos.version(gpu).tag()).isEqualTo("v1.13.9");
        assertThat(talos.services(gpu)).extracting(Service::id).contains("ext-nvidia-cdi-gen", "kubelet");
        assertThat(talos.kernelLog(gpu)).contains("NVRM");
        assertThat(talos.read(gpu, "/proc/driver/nvidia/version").orElse("")).contains("595.");
        assertThat(talos.read(plain, "/proc/driver/nvidia/version")).isEmpty();
        assertThat(talos.list(gpu, ResourceType.EXTENSION)).extracting(r -> r.spec().at("/metadata/name").asText())
                .contains("schematic", "nvidia-container-toolkit-production");
        assertThat(talos.list(gpu, ResourceType.PCI_DEVICE)).anySatisfy(r ->
                assertThat(r.spec().path("driver").asText()).isEqualTo("nvidia"));
    }

    @Test
    void fieldsOfTheConfigurationAreSetAndPutBackAndNothingElseChanges() throws Exception {
        Talos talos = admin();
        String before = config(plain);
        JsonNode none = tree("{machine: {nodeLabels: null}}");
        JsonNode some = tree("{machine: {nodeLabels: {nodepool: gpu}}}");

        assertThat(talos.setConfig(plain, none, some, Earnest.TRY)).contains("without a reboot").doesNotContain("nodepool");
        assertThat(config(plain)).isEqualTo(before);
        assertThat(talos.setConfig(plain, none, some, Earnest.MAKE)).startsWith("Applied configuration without a reboot");
        assertThat(talos.config(plain, none)).isEqualTo(some);
        refused(() -> talos.setConfig(plain, none, some, Earnest.MAKE), Kind.BUSY, "was changed", "Look at it again");
        talos.setConfig(plain, some, none, Earnest.MAKE);

        assertThat(config(plain)).isEqualTo(before);
    }

    private static String config(String address) {
        return lab.world().read(w -> w.nodes.values().stream().filter(n -> n.address.equals(address)).findFirst().orElseThrow()
                .talos.orElseThrow().savedConfig);
    }

    @Test
    void whatTalosDoesNotTakeIsSaidAndNothingIsWritten() throws Exception {
        Talos talos = admin();
        String before = config(plain);

        refused(() -> talos.setConfig(plain, tree("{machine: {kernel: null}}"), tree("{machine: {kernel: {modules: [{name: ''}]}}}"),
                Earnest.MAKE), Kind.REMOTE, "kernel module name is required", "nothing was changed");
        assertThat(config(plain)).isEqualTo(before);
    }

    @Test
    void aReaderIsToldWhichRoleIsNeeded() throws Exception {
        Talos reader = talos(dir.resolve("talosconfig"), "talos-reader");

        assertThat(reader.version(gpu).tag()).isEqualTo("v1.13.9");
        refused(() -> reader.read(gpu, "/proc/driver/nvidia/version"), Kind.RIGHTS, "role of context talos-reader", "os:admin");
        refused(() -> reader.config(gpu, tree("{machine: {type: null}}")), Kind.RIGHTS, "role", "os:admin");
    }

    @Test
    void aWorkerAsEndpointIsNamedAsOne() throws Exception {
        String worker = endpoint("talos", "talos-worker-1").replace("grpcs://", "");
        Talos talos = altered("endpoints", YAML.createArrayNode().add(worker));

        assertThat(talos.version(plain).tag()).isEqualTo("v1.13.9");
        refused(() -> talos.version(gpu), Kind.PROTOCOL, "is a worker", "control-plane nodes as endpoints");
    }

    @Test
    void anEndpointThatDoesNotListenIsPassedOver() throws Exception {
        String closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = "127.0.0.1:" + socket.getLocalPort();
        }
        String good = endpoint("talos", "talos-cp-1").replace("grpcs://", "");

        assertThat(altered("endpoints", YAML.createArrayNode().add(closed).add(good)).version(gpu).tag()).isEqualTo("v1.13.9");
        Talos none = altered("endpoints", YAML.createArrayNode().add(closed));
        refused(() -> none.version(gpu), Kind.CONNECT, "apid does not listen", "port 50000");
    }

    @Test
    void aClusterThatWasMadeAnewIsTold() throws Exception {
        Path other = dir.resolve("other");
        JsonNode root;
        try (Lab second = Lab.start(LabOptions.garage(Files.createDirectories(other)).withScene("talos").withSpeed(400))) {
            root = YAML.readTree(second.siteFile().resolveSibling("talosconfig").toFile());
        }

        Talos wrongAuthority = altered("ca", root.at("/contexts/talos/ca"));
        refused(() -> wrongAuthority.version(gpu), Kind.TLS, "not signed by the authority in the talosconfig", "new talosconfig");
        JsonNode mine = YAML.readTree(dir.resolve("talosconfig").toFile());
        ObjectNode context = (ObjectNode) mine.at("/contexts/talos");
        context.set("crt", root.at("/contexts/talos/crt"));
        context.set("key", root.at("/contexts/talos/key"));
        Path file = dir.resolve("stranger");
        YAML.writeValue(file.toFile(), mine);
        Talos stranger = talos(file, "talos");
        // With TLS 1.3 the alert that says so may be overtaken by the end of the connection.
        assertThatThrownBy(() -> stranger.version(gpu)).isInstanceOfSatisfying(TroubleException.class, e -> {
            assertThat(e.trouble().kind()).isIn(Kind.CREDENTIALS, Kind.CONNECT);
            assertThat(e.trouble().what()).contains("the client certificate");
            assertThat(e.trouble().next()).contains("talosconfig of this cluster");
        });
    }

    @Test
    void whatIsWrongWithATalosconfigIsToldBeforeAnythingIsDialled() throws Exception {
        TalosAccess access = new TalosAccess(dir.resolve("talosconfig"), Optional.empty());
        InstantSource later = InstantSource.fixed(Instant.now().plus(Duration.ofDays(400)));

        refused(() -> MachineApi.open(access, TROUBLES, later), Kind.CREDENTIALS, "has expired on", "talosctl config new");
        refused(() -> talos(dir.resolve("talosconfig"), "prod"), Kind.MISSING, "no context \"prod\"", "talos, talos-reader");
        refused(() -> talos(dir.resolve("nothing"), "x"), Kind.MISSING, "no such talosconfig", "path");
        refused(() -> altered("endpoints", YAML.createArrayNode()), Kind.MISSING, "no endpoint", "talosctl config endpoint");
        refused(() -> altered("key", YAML.getNodeFactory().textNode("%")), Kind.UNREADABLE, "key", "Fetch");
    }

    @Test
    void anImageThatCannotBeBuiltLeavesTheNodeAsItIs() throws Exception {
        Talos talos = admin();

        refused(() -> talos.upgrade(plain, "factory.talos.dev/metal-installer/" + "0".repeat(64) + ":v1.13.9", line -> { }),
                Kind.MISSING, "not found", "Check");
        assertThat(talos.version(plain).tag()).isEqualTo("v1.13.9");
    }

    @Test
    void theFactoryIsGivenSchematicsAndSaysWhichExtensionsThereAre() throws Exception {
        ImageFactory factory = FactoryClient.open(endpoint("image-factory", "factory") + "/", TROUBLES);
        open.add(factory);
        Schematic schematic = Schematic.empty().with(List.of("siderolabs/qemu-guest-agent", "siderolabs/iscsi-tools"));

        assertThat(factory.schematic(schematic.id())).isEmpty();
        assertThat(factory.post(schematic.canonical())).isEqualTo(schematic.id());
        assertThat(factory.schematic(schematic.id()).flatMap(Schematic::parse)).contains(schematic);
        assertThat(factory.extensions("v1.13.9")).contains("siderolabs/nvidia-container-toolkit-lts");
        refused(() -> factory.post("customisation: {}"), Kind.REMOTE, "400", "");
        refused(() -> factory.extensions("v9.9.9"), Kind.REMOTE, "404", "");
    }
}
