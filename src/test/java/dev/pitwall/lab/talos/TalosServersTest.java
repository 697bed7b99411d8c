package dev.pitwall.lab.talos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import dev.cosi.resource.EventType;
import dev.cosi.resource.GetRequest;
import dev.cosi.resource.ListRequest;
import dev.cosi.resource.Resource;
import dev.cosi.resource.StateGrpc;
import dev.cosi.resource.UpdateRequest;
import dev.cosi.resource.WatchOptions;
import dev.cosi.resource.WatchRequest;
import dev.cosi.resource.WatchResponse;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabEndpoint;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.PowerSwitch;
import dev.talos.api.common.Data;
import dev.talos.api.machine.ApplyConfigurationRequest;
import dev.talos.api.machine.ApplyConfigurationRequest.Mode;
import dev.talos.api.machine.DmesgRequest;
import dev.talos.api.machine.ImageServiceGrpc;
import dev.talos.api.machine.ImageServicePullRequest;
import dev.talos.api.machine.InstallArtifactsSource;
import dev.talos.api.machine.LifecycleServiceGrpc;
import dev.talos.api.machine.LifecycleServiceUpgradeRequest;
import dev.talos.api.machine.LifecycleServiceUpgradeResponse;
import dev.talos.api.machine.MachineServiceGrpc;
import dev.talos.api.machine.ReadRequest;
import dev.talos.api.machine.RebootRequest;
import dev.talos.api.machine.ResetRequest;
import dev.talos.api.machine.ServiceInfo;
import dev.talos.api.machine.UpgradeRequest;
import dev.talos.api.resource.ExtensionLayer;
import dev.talos.api.resource.PCIDeviceSpec;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The machine API over gRPC and TLS as a stranger sees it, and what it does to the world. */
class TalosServersTest {
    private static final String GPU = "talos-gpu-4090";
    private static final String PLAIN = "talos-worker-1";

    @TempDir
    Path dir;
    private Lab lab;
    private TalosClient config;
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeEach
    void start() throws Exception {
        lab = Lab.start(LabOptions.garage(dir).withScene("talos").withSpeed(400));
        config = new TalosClient(dir.resolve("talosconfig"));
    }

    @AfterEach
    void stop() {
        channels.forEach(ManagedChannel::shutdownNow);
        http.shutdownNow();
        lab.close();
    }

    private ManagedChannel channel(String context, String endpoint) throws Exception {
        ManagedChannel channel = config.dial(context, endpoint);
        channels.add(channel);
        return channel;
    }

    private MachineServiceGrpc.MachineServiceBlockingStub machine(String node) throws Exception {
        return MachineServiceGrpc.newBlockingStub(channel("talos", ""))
                .withInterceptors(TalosClient.to("node", address(node)));
    }

    private StateGrpc.StateBlockingStub state(String node) throws Exception {
        return StateGrpc.newBlockingStub(channel("talos", "")).withInterceptors(TalosClient.to("node", address(node)));
    }

    private String address(String node) {
        return lab.world().read(w -> w.nodes.get(node).address);
    }

    private String endpoint(String node) {
        return lab.endpoints().stream().filter(e -> e.system().equals("talos") && e.name().equals(node))
                .map(LabEndpoint::uri).map(URI::getAuthority).findFirst().orElseThrow();
    }

    private URI factory() {
        return lab.endpoints().stream().filter(e -> e.system().equals("image-factory")).findFirst().orElseThrow().uri();
    }

    private Object node(String name, Function<LabNode, Object> look) {
        return lab.world().read(w -> look.apply(w.nodes.get(name)));
    }

    private boolean is(String name, Predicate<LabNode> look) {
        return lab.world().read(w -> look.test(w.nodes.get(name)));
    }

    private String yaml(String node) {
        return lab.world().read(w -> w.nodes.get(node).talos.orElseThrow().config);
    }

    private static ApplyConfigurationRequest apply(String yaml, Mode mode) {
        return ApplyConfigurationRequest.newBuilder().setData(ByteString.copyFromUtf8(yaml)).setMode(mode).build();
    }

    private static final String MODULES = "  kernel:\n    modules:\n      - name: nvidia\n      - name: nvidia_uvm\n"
            + "      - name: nvidia_drm\n      - name: nvidia_modeset\n";

    private static String withModules(String yaml) {
        return yaml.replace("cluster:\n", "@").replace("@", MODULES + "cluster:\n");
    }

    private String dmesg(String node) throws Exception {
        return text(machine(node).dmesg(DmesgRequest.getDefaultInstance()));
    }

    private static String text(Iterator<Data> stream) {
        StringBuilder all = new StringBuilder();
        stream.forEachRemaining(data -> all.append(data.getBytes().toStringUtf8()).append('\n'));
        return all.toString();
    }

    private List<Resource> list(String node, String type, String namespace) throws Exception {
        List<Resource> all = new ArrayList<>();
        state(node).list(ListRequest.newBuilder().setType(type).setNamespace(namespace).build())
                .forEachRemaining(answer -> all.add(answer.getResource()));
        return all;
    }

    private Map<String, String> extensions(String node) throws Exception {
        return list(node, "ExtensionStatuses.runtime.talos.dev", "runtime").stream().map(r -> {
            try {
                return ExtensionLayer.parseFrom(r.getSpec().getProtoSpec());
            } catch (com.google.protobuf.InvalidProtocolBufferException e) {
                throw new AssertionError(e);
            }
        }).collect(Collectors.toMap(layer -> layer.getMetadata().getName(), layer -> layer.getMetadata().getVersion()));
    }

    @Test
    void aControlPlaneNodePassesCallsOnAndAWorkerDoesNot() throws Exception {
        assertThat(machine(GPU).version(Empty.getDefaultInstance()).getMessages(0).getVersion().getTag())
                .isEqualTo("v1.13.9");
        assertThat(machine(GPU).hostname(Empty.getDefaultInstance()).getMessages(0).getHostname()).isEqualTo(GPU);
        var several = MachineServiceGrpc.newBlockingStub(channel("talos", ""))
                .withInterceptors(TalosClient.to("nodes", address(GPU), address(PLAIN)));
        assertThat(several.version(Empty.getDefaultInstance()).getMessagesList())
                .extracting(m -> m.getMetadata().getHostname()).containsExactly(GPU, PLAIN);
        var worker = MachineServiceGrpc.newBlockingStub(channel("talos", endpoint(GPU)));
        assertThat(worker.hostname(Empty.getDefaultInstance()).getMessages(0).getHostname()).isEqualTo(GPU);
        assertStatus(() -> worker.withInterceptors(TalosClient.to("node", address(PLAIN)))
                .hostname(Empty.getDefaultInstance()), Status.Code.PERMISSION_DENIED, "no request forwarding");
        var cosi = StateGrpc.newBlockingStub(channel("talos", ""))
                .withInterceptors(TalosClient.to("nodes", address(GPU)));
        assertStatus(() -> cosi.get(GetRequest.getDefaultInstance()), Status.Code.INVALID_ARGUMENT,
                "one-2-many proxying is not supported for method /cosi.resource.State/Get");
    }

    @Test
    void aReaderReadsAndIsRefusedTheRest() throws Exception {
        ManagedChannel reader = channel("talos-reader", "");
        var machine = MachineServiceGrpc.newBlockingStub(reader);
        assertThat(machine.version(Empty.getDefaultInstance()).getMessagesCount()).isEqualTo(1);
        assertStatus(() -> machine.reboot(RebootRequest.getDefaultInstance()), Status.Code.PERMISSION_DENIED,
                "not authorized");
        assertStatus(() -> machine.read(ReadRequest.newBuilder().setPath("/proc/modules").build()).hasNext(),
                Status.Code.PERMISSION_DENIED, "not authorized");
        assertStatus(() -> machine.applyConfiguration(apply("version: v1alpha1\n", Mode.AUTO)),
                Status.Code.PERMISSION_DENIED, "not authorized");
        assertStatus(() -> StateGrpc.newBlockingStub(reader).get(GetRequest.newBuilder().setNamespace("config")
                .setType("MachineConfigs.config.talos.dev").setId("v1alpha1").build()), Status.Code.PERMISSION_DENIED,
                "not authorized");
        assertStatus(() -> StateGrpc.newBlockingStub(channel("talos", "")).update(UpdateRequest.getDefaultInstance()),
                Status.Code.PERMISSION_DENIED, "write access is not allowed");
    }

    @Test
    void nobodyComesInWithoutACertificate() throws Exception {
        ManagedChannel naked = config.dialWithoutKey("talos", endpoint(GPU));
        channels.add(naked);
        assertThatThrownBy(() -> MachineServiceGrpc.newBlockingStub(naked).version(Empty.getDefaultInstance()))
                .isInstanceOf(StatusRuntimeException.class);
    }

    @Test
    void resourcesSayWhatIsOnTheNode() throws Exception {
        assertThat(extensions(GPU)).containsEntry("nvidia-open-gpu-kernel-modules-production", "595.91.07-v1.13.9")
                .containsEntry("nvidia-container-toolkit-production", "595.91.07-v1.19.1").containsKey("schematic");
        List<Resource> devices = list(GPU, "PCIDevices.hardware.talos.dev", "hardware");
        assertThat(devices).extracting(r -> r.getMetadata().getId()).containsExactly("0000:01:00.0", "0000:01:00.1");
        PCIDeviceSpec card = PCIDeviceSpec.parseFrom(devices.getFirst().getSpec().getProtoSpec());
        assertThat(card.getVendorId()).isEqualTo("0x10de");
        assertThat(card.getProductId()).isEqualTo("0x2684");
        assertThat(card.getDriver()).isEqualTo("nvidia");
        assertThat(devices.getFirst().getSpec().getYamlSpec()).contains("vendor_id: \"0x10de\"");
        assertThat(list(GPU, "LoadedKernelModules.runtime.talos.dev", "runtime"))
                .extracting(r -> r.getMetadata().getId()).contains("nvidia", "nvidia_uvm");
        assertThat(list(PLAIN, "LoadedKernelModules.runtime.talos.dev", "runtime")).isEmpty();
        assertThat(machine(GPU).serviceList(Empty.getDefaultInstance()).getMessages(0).getServicesList())
                .extracting(ServiceInfo::getId).contains("kubelet", "ext-nvidia-cdi-gen", "ext-nvidia-persistenced")
                .doesNotContain("etcd");
        assertThat(text(machine(GPU).read(ReadRequest.newBuilder().setPath("/proc/driver/nvidia/version").build())))
                .contains("595.91.07");
        assertStatus(() -> machine(PLAIN).read(ReadRequest.newBuilder().setPath("/proc/driver/nvidia/version").build())
                .hasNext(), Status.Code.NOT_FOUND, "stat /proc/driver/nvidia/version: no such file or directory");
        assertStatus(() -> list(GPU, "Nothings.talos.dev", "runtime"), Status.Code.PERMISSION_DENIED,
                "resource type \"Nothings.talos.dev\" is not supported");
    }

    @Test
    void modulesWithoutTheirExtensionAreNamedInTheKernelLog() throws Exception {
        var answer = machine(PLAIN).applyConfiguration(apply(withModules(yaml(PLAIN)), Mode.AUTO)).getMessages(0);
        assertThat(answer.getMode()).isEqualTo(Mode.NO_REBOOT);
        assertThat(answer.getModeDetails()).isEqualTo("Applied configuration without a reboot");
        assertThat(dmesg(PLAIN)).contains("runtime.KernelModuleSpecController")
                .contains("error loading module \\\"nvidia\\\": module not found");
        assertThat(node(PLAIN, n -> n.driver)).isEqualTo("absent");
    }

    @Test
    void anExtensionComesWithAnUpgradeAndItsModuleWithAPatch() throws Exception {
        lab.world().change(w -> {
            LabNode node = w.nodes.get(GPU);
            node.talos.orElseThrow().savedConfig = MachineConfig.installed(new MachineConfig.Installation("talos", "worker",
                    "v1.36.3", "x", "v1.13.9", List.of(), Map.of()));
            w.vms.get(node.vmid).running.put("memory", "24576");
            PowerSwitch.rebootGuest(w, w.vms.get(node.vmid), w.clock().instant());
        });
        assertThat(node(GPU, n -> n.driver)).isEqualTo("absent");
        String image = "factory.talos.dev/metal-installer/" + post("""
                customization:
                  systemExtensions:
                    officialExtensions:
                      - siderolabs/nvidia-container-toolkit-lts
                      - siderolabs/nvidia-open-gpu-kernel-modules-lts
                """) + ":v1.13.9";
        assertThat(machine(GPU).upgrade(UpgradeRequest.newBuilder().setImage(image).build()).getMessages(0).getAck())
                .isEqualTo("Upgrade request received");
        assertThat(is(GPU, n -> n.ready)).isFalse();
        await().until(() -> is(GPU, n -> n.ready));
        await().ignoreExceptions().until(() -> extensions(GPU).containsKey("nvidia-open-gpu-kernel-modules-lts"));
        assertThat(node(GPU, n -> n.driver)).as("nothing loads by itself").isEqualTo("absent");
        machine(GPU).applyConfiguration(apply(withModules(yaml(GPU)), Mode.NO_REBOOT));
        assertThat(node(GPU, n -> n.driver)).isEqualTo("loaded");
        assertThat(node(GPU, n -> n.driverVersion)).isEqualTo("580.178.04");
        assertThat(node(GPU, n -> n.driverSource)).isEqualTo(GuestDriver.Source.HOST);
        assertThat(dmesg(GPU)).contains("NVRM: loading NVIDIA UNIX Open Kernel Module");
    }

    @Test
    void proprietaryModulesDoNotDriveABlackwellCard() throws Exception {
        String image = "factory.talos.dev/metal-installer/" + post("{customization: {systemExtensions: {officialExtensions:"
                + " [siderolabs/nonfree-kmod-nvidia-production, siderolabs/nvidia-container-toolkit-production]}}}")
                + ":v1.13.9";
        String node = "talos-gpu-5090";
        machine(node).upgrade(UpgradeRequest.newBuilder().setImage(image).build());
        await().until(() -> is(node, n -> n.ready && n.driver.equals("absent")));
        await().ignoreExceptions().untilAsserted(() -> assertThat(dmesg(node))
                .contains("requires use of the NVIDIA open kernel modules").contains("NVRM: None of the NVIDIA devices were initialized."));
    }

    @Test
    void anInstallerThatTheFactoryDoesNotKnowIsRefused() throws Exception {
        String unknown = "factory.talos.dev/metal-installer/" + "0".repeat(64) + ":v1.13.9";
        assertThatThrownBy(() -> machine(GPU).upgrade(UpgradeRequest.newBuilder().setImage(unknown).build()))
                .hasMessageContaining("error validating installer image \"" + unknown + "\"")
                .hasMessageContaining("not found");
        assertThat(is(GPU, n -> n.ready)).isTrue();
    }

    @Test
    void theNewerWayPullsInstallsAndLeavesTheRebootToTheClient() throws Exception {
        String image = "factory.talos.dev/metal-installer/" + post("customization: {}\n") + ":v1.13.8";
        ManagedChannel direct = channel("talos", endpoint(GPU));
        var lifecycle = LifecycleServiceGrpc.newBlockingStub(direct);
        var request = LifecycleServiceUpgradeRequest.newBuilder().setSource(InstallArtifactsSource.newBuilder()
                .setImageName(image)).build();
        assertStatus(() -> lifecycle.upgrade(request).hasNext(), Status.Code.INTERNAL,
                "upgrade failed: image \"" + image + "\": not found");
        ImageServiceGrpc.newBlockingStub(direct).pull(ImageServicePullRequest.newBuilder().setImageRef(image).build())
                .forEachRemaining(progress -> { });
        List<LifecycleServiceUpgradeResponse> answers = new ArrayList<>();
        lifecycle.upgrade(request).forEachRemaining(answers::add);
        assertThat(answers.getLast().getProgress().hasExitCode()).isTrue();
        assertThat(answers.getLast().getProgress().getExitCode()).isZero();
        assertThat(node(GPU, n -> n.talos.orElseThrow().version)).isEqualTo("v1.13.9");
        machine(GPU).reboot(RebootRequest.getDefaultInstance());
        await().until(() -> is(GPU, n -> n.talos.orElseThrow().version.equals("v1.13.8")));
        assertThat(node(GPU, n -> n.kernel)).isEqualTo("6.18.42-talos");
        assertThat(node(GPU, n -> n.driver)).isEqualTo("absent");
    }

    @Test
    void aWorkersOwnTaintIsTakenAndDoesNothing() throws Exception {
        String tainted = yaml(PLAIN).replace("cluster:\n", "  nodeTaints:\n    dedicated: x:NoSchedule\ncluster:\n");
        machine(PLAIN).applyConfiguration(apply(tainted, Mode.NO_REBOOT));
        assertThat(is(PLAIN, n -> n.taints.isEmpty())).isTrue();
        assertThat(dmesg(PLAIN)).contains("is not allowed to modify taints");
        String labelled = yaml(PLAIN).replace("  nodeTaints:\n    dedicated: x:NoSchedule\n",
                "  nodeLabels:\n    nodepool: gpu\n");
        machine(PLAIN).applyConfiguration(apply(labelled, Mode.NO_REBOOT));
        assertThat(node(PLAIN, n -> n.labels.get("nodepool"))).isEqualTo("gpu");
    }

    @Test
    void configurationsAreCheckedTriedAndStaged() throws Exception {
        String yaml = yaml(PLAIN);
        assertStatus(() -> machine(PLAIN).applyConfiguration(apply(yaml.replace("  install:", "  instal:"), Mode.AUTO)),
                Status.Code.INVALID_ARGUMENT, "unknown keys found during decoding:\nmachine:\n");
        assertStatus(() -> machine(PLAIN).applyConfiguration(apply("apiVersion: v1alpha1\nkind: KernelModuleConfig\n"
                + "name: nvidia\n---\n" + yaml, Mode.AUTO)), Status.Code.INVALID_ARGUMENT, "not registered");
        var dry = machine(PLAIN).applyConfiguration(apply(withModules(yaml), Mode.AUTO).toBuilder().setDryRun(true).build());
        assertThat(dry.getMessages(0).getModeDetails()).startsWith("Dry run summary:\nApplied configuration without a reboot"
                + " (skipped in dry-run).\nConfig diff:\n\n").contains("+      - name: nvidia");
        assertThat(yaml(PLAIN)).isEqualTo(yaml);
        var tried = machine(PLAIN).applyConfiguration(apply(withModules(yaml), Mode.TRY));
        assertThat(tried.getMessages(0).getModeDetails()).endsWith("automatically reverted back in 1m0s");
        await().until(() -> yaml(PLAIN).equals(yaml));
        machine(PLAIN).applyConfiguration(apply(withModules(yaml), Mode.STAGED));
        assertThat(yaml(PLAIN)).isEqualTo(yaml);
        String env = yaml.replace("  network: {}", "  network: {}\n  env:\n    http_proxy: http://proxy:3128");
        assertStatus(() -> machine(PLAIN).applyConfiguration(apply(env, Mode.NO_REBOOT)), Status.Code.INVALID_ARGUMENT,
                "this config change can't be applied in immediate mode");
        assertThat(machine(PLAIN).applyConfiguration(apply(env, Mode.AUTO)).getMessages(0).getMode()).isEqualTo(Mode.REBOOT);
        await().until(() -> yaml(PLAIN).equals(env));
    }

    @Test
    void aWatchTellsWhatChanges() throws Exception {
        Iterator<WatchResponse> watch = state(PLAIN).watch(WatchRequest.newBuilder().setNamespace("runtime")
                .setType("KernelModuleSpecs.runtime.talos.dev").setApiVersion(1)
                .setOptions(WatchOptions.newBuilder().setBootstrapContents(true)).build());
        assertThat(watch.next().getEvent(0).getEventType()).isEqualTo(EventType.BOOTSTRAPPED);
        machine(PLAIN).applyConfiguration(apply(withModules(yaml(PLAIN)), Mode.NO_REBOOT));
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            WatchResponse next = watch.next();
            assertThat(next.getEvent(0).getEventType()).isEqualTo(EventType.CREATED);
            ids.add(next.getEvent(0).getResource().getMetadata().getId());
        }
        assertThat(ids).contains("nvidia", "nvidia_modeset");
    }

    @Test
    void aNodeThatIsOffRefusesAndComesBackWithItsCardsDriver() throws Exception {
        var direct = MachineServiceGrpc.newBlockingStub(channel("talos", endpoint(GPU)));
        lab.world().change(w -> PowerSwitch.stop(w, w.vms.get(112)));
        await().untilAsserted(() -> assertStatus(() -> direct.version(Empty.getDefaultInstance()),
                Status.Code.UNAVAILABLE, ""));
        lab.world().change(w -> PowerSwitch.start(w, w.vms.get(112), w.clock().instant()));
        assertThat(node(GPU, n -> n.driver)).isEqualTo("loaded");
        await().ignoreExceptions().until(() ->
                direct.version(Empty.getDefaultInstance()).getMessagesCount() == 1);
    }

    @Test
    void theLabWipesNoMachine() throws Exception {
        assertStatus(() -> machine(PLAIN).reset(ResetRequest.getDefaultInstance()), Status.Code.UNIMPLEMENTED,
                "the practice lab wipes no machine");
    }

    private String post(String yaml) throws Exception {
        HttpResponse<String> answer = http.send(HttpRequest.newBuilder(factory().resolve("/schematics"))
                .POST(HttpRequest.BodyPublishers.ofString(yaml)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(201);
        return new com.fasterxml.jackson.databind.ObjectMapper().readTree(answer.body()).path("id").asText();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(HttpRequest.newBuilder(factory().resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void theFactoryKeepsSchematicsAndBuildsNothing() throws Exception {
        String id = post("customization:\n  systemExtensions:\n    officialExtensions: [siderolabs/nvidia-driver]\n");
        assertThat(get("/schematics/" + id).body()).startsWith("customization:\n    systemExtensions:\n");
        assertThat(get("/schematics/" + "1".repeat(64)).statusCode()).isEqualTo(404);
        assertThat(get("/versions").body()).contains("\"v1.13.9\"");
        assertThat(get("/version/v1.13.9/extensions/official").body())
                .contains("siderolabs/nvidia-open-gpu-kernel-modules-production", "595.91.07-v1.13.9");
        HttpResponse<String> unknown = get("/image/" + id + "/v1.13.9/nocloud-amd64.iso");
        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.body()).startsWith("official extension \"siderolabs/nvidia-driver\" is not available for Talos"
                + " version v1.13.9");
        String good = post("customization: {}\n");
        assertThat(get("/image/" + good + "/v1.13.9/nocloud-amd64.raw.xz").statusCode()).isEqualTo(501);
        assertThat(get("/image/" + good + "/v1.13.9/nocloud-amd64.iso.sha256").statusCode()).isEqualTo(402);
        assertThat(get("/image/" + good + "/v9.9.9/nocloud-amd64.iso").statusCode()).isEqualTo(404);
    }

    private static void assertStatus(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, Status.Code code,
                                     String text) {
        assertThatThrownBy(call).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            assertThat(e.getStatus().getCode()).isEqualTo(code);
            assertThat(String.valueOf(e.getStatus().getDescription())).contains(text);
        });
    }
}
