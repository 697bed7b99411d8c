package dev.pitwall.link.talos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.cosi.resource.GetRequest;
import dev.cosi.resource.ListRequest;
import dev.cosi.resource.ListResponse;
import dev.cosi.resource.StateGrpc;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Talos;
import dev.pitwall.journey.change.Tree;
import dev.pitwall.journey.talos.TalosVersion;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.site.TalosAccess;
import dev.talos.api.common.Data;
import dev.talos.api.machine.ApplyConfiguration;
import dev.talos.api.machine.ApplyConfigurationRequest;
import dev.talos.api.machine.ApplyConfigurationRequest.Mode;
import dev.talos.api.machine.DmesgRequest;
import dev.talos.api.machine.MachineServiceGrpc;
import dev.talos.api.machine.MachineServiceGrpc.MachineServiceBlockingStub;
import dev.talos.api.machine.ReadRequest;
import dev.talos.api.machine.RebootRequest;
import dev.talos.api.machine.ServiceInfo;
import dev.talos.api.machine.UpgradeRequest;
import dev.talos.api.resource.MachineConfigSpec;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Talos's machine API over gRPC (facts: cluster.md 4.5). Calls name one node, and the endpoint passes them on. */
public final class MachineApi implements Talos {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Duration READ = Duration.ofSeconds(15);
    private static final Duration WRITE = Duration.ofSeconds(60);
    /** Before that MachineService pulls the image while it is asked. */
    private static final Duration OLD_UPGRADE = Duration.ofMinutes(10);
    private static final String CONFIG_TYPE = "MachineConfigs.config.talos.dev";
    private static final String CONFIG_NAMESPACE = "config";
    /** The configuration that is in force. */
    private static final String CONFIG_ID = "v1alpha1";

    private final Talosconfig config;
    private final Calls calls;

    private MachineApi(Talosconfig config, Calls calls) {
        this.config = config;
        this.calls = calls;
    }

    /**
     * Reads the talosconfig; contacts nothing.
     *
     * @throws TroubleException if it cannot be used, or its client certificate has expired
     */
    public static MachineApi open(TalosAccess access, NetworkTrouble troubles, InstantSource clock)
            throws TroubleException {
        Talosconfig config = Talosconfig.read(access, clock.instant());
        return new MachineApi(config, new Calls(config, new TalosTroubles(troubles)));
    }

    @Override
    public String name() {
        return config.context();
    }

    @Override
    public List<String> nodes() {
        return config.nodes();
    }

    private <A> A machine(String node, Duration limit, Calls.Work<MachineServiceBlockingStub, A> work)
            throws TroubleException, InterruptedException {
        return calls.make(node, limit, MachineServiceGrpc::newBlockingStub, work);
    }

    @Override
    public Version version(String node) throws TroubleException, InterruptedException {
        return machine(node, READ, stub -> {
            dev.talos.api.machine.Version answer = stub.version(Empty.getDefaultInstance()).getMessages(0);
            return new Version(answer.getVersion().getTag(), answer.getPlatform().getName(), answer.getVersion().getArch());
        });
    }

    @Override
    public List<Service> services(String node) throws TroubleException, InterruptedException {
        return machine(node, READ, stub -> stub.serviceList(Empty.getDefaultInstance()).getMessages(0).getServicesList()
                .stream().map(MachineApi::service).sorted(Comparator.comparing(Service::id)).toList());
    }

    private static Service service(ServiceInfo info) {
        String says = info.getEvents().getEventsList().isEmpty() ? "" : info.getEvents().getEventsList().getLast().getMsg();
        return new Service(info.getId(), info.getState(), says);
    }

    @Override
    public String kernelLog(String node) throws TroubleException, InterruptedException {
        return machine(node, READ, stub -> {
            StringBuilder log = new StringBuilder();
            stub.dmesg(DmesgRequest.getDefaultInstance()).forEachRemaining(data -> {
                String line = data.getBytes().toStringUtf8();
                log.append(line).append(line.endsWith("\n") ? "" : "\n");
            });
            return log.toString();
        });
    }

    @Override
    public Optional<String> read(String node, String path) throws TroubleException, InterruptedException {
        try {
            return Optional.of(machine(node, READ, stub -> text(stub.read(ReadRequest.newBuilder().setPath(path).build()))));
        } catch (TroubleException e) {
            if (e.trouble().kind() == Kind.MISSING || e.trouble().what().contains("no such file")) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static String text(Iterator<Data> stream) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        stream.forEachRemaining(data -> bytes.writeBytes(data.getBytes().toByteArray()));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public List<Resource> list(String node, ResourceType type) throws TroubleException, InterruptedException {
        ListRequest request = ListRequest.newBuilder().setNamespace(type.namespace()).setType(type.type()).build();
        List<dev.cosi.resource.Resource> found = calls.make(node, READ, StateGrpc::newBlockingStub, stub -> {
            List<dev.cosi.resource.Resource> all = new ArrayList<>();
            Iterator<ListResponse> stream = stub.list(request);
            stream.forEachRemaining(response -> all.add(response.getResource()));
            return all;
        });
        List<Resource> resources = new ArrayList<>();
        for (dev.cosi.resource.Resource resource : found) {
            resources.add(new Resource(resource.getMetadata().getId(), yaml(node, resource.getSpec().getYamlSpec())));
        }
        return List.copyOf(resources);
    }

    private static JsonNode yaml(String node, String yaml) throws TroubleException {
        try {
            return YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            throw unreadable(node, "a resource");
        }
    }

    private static TroubleException unreadable(String node, String what) {
        return new TroubleException(new Trouble(Kind.UNREADABLE, node, what + " of its machine API is not readable",
                "Update Pitwall: this version of Talos writes it in another way."));
    }

    @Override
    public JsonNode config(String node, JsonNode wanted) throws TroubleException, InterruptedException {
        return text(node).fields(wanted);
    }

    /** It has the cluster's secrets in it and does not leave this class. */
    private ConfigText text(String node) throws TroubleException, InterruptedException {
        GetRequest request = GetRequest.newBuilder().setNamespace(CONFIG_NAMESPACE).setType(CONFIG_TYPE).setId(CONFIG_ID)
                .build();
        ByteString spec = calls.make(node, READ, StateGrpc::newBlockingStub,
                stub -> stub.get(request).getResource().getSpec().getProtoSpec());
        try {
            return new ConfigText(MachineConfigSpec.parseFrom(spec).getYamlMarshalled().toStringUtf8());
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw unreadable(node, "the machine configuration");
        }
    }

    @Override
    public String setConfig(String node, JsonNode before, JsonNode after, Earnest earnest)
            throws TroubleException, InterruptedException {
        ConfigText now = text(node);
        if (!Tree.same(now.fields(before), before).equals(before)) {
            throw new TroubleException(new Trouble(Kind.BUSY, node, "its machine configuration was changed in this moment",
                    "Look at it again, then go on."));
        }
        ConfigText wanted = now.with(after);
        String tried = apply(node, wanted, Earnest.TRY);
        return earnest == Earnest.TRY ? tried : apply(node, wanted, Earnest.MAKE);
    }

    /** The mode is always named: the protocol's default is a reboot (facts: cluster.md 4.5). */
    private String apply(String node, ConfigText text, Earnest earnest) throws TroubleException, InterruptedException {
        ApplyConfigurationRequest request = ApplyConfigurationRequest.newBuilder()
                .setData(ByteString.copyFromUtf8(text.text())).setMode(Mode.NO_REBOOT).setDryRun(earnest == Earnest.TRY)
                .build();
        ApplyConfiguration answer = machine(node, WRITE, stub -> stub.applyConfiguration(request).getMessages(0));
        return withoutDifferences(answer.getModeDetails()) + answer.getWarningsList().stream().map(w -> "\nwarning: " + w)
                .reduce("", String::concat);
    }

    /** A dry run prints lines of the configuration, secrets and all. */
    private static String withoutDifferences(String details) {
        return details.replaceFirst("(?s)\\R?Config diff:.*", "").strip();
    }

    @Override
    public Installed upgrade(String node, String image, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        boolean apart = TalosVersion.of(version(node).tag()).filter(v -> v.isFrom(1, 13)).isPresent();
        if (apart) {
            new Installer(calls, node, lines).install(image);
            return Installed.TO_REBOOT;
        }
        UpgradeRequest request = UpgradeRequest.newBuilder().setImage(image).setPreserve(true).build();
        lines.accept(machine(node, OLD_UPGRADE, stub -> stub.upgrade(request).getMessages(0).getAck()));
        return Installed.REBOOTS;
    }

    @Override
    public void reboot(String node) throws TroubleException, InterruptedException {
        machine(node, WRITE, stub -> stub.reboot(RebootRequest.getDefaultInstance()));
    }

    @Override
    public void close() {
        calls.close();
    }
}
