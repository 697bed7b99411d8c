package dev.pitwall.lab.talos;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import com.google.protobuf.Timestamp;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;
import dev.talos.api.common.Data;
import dev.talos.api.common.Metadata;
import dev.talos.api.machine.ApplyConfigurationRequest;
import dev.talos.api.machine.ApplyConfigurationResponse;
import dev.talos.api.machine.CopyRequest;
import dev.talos.api.machine.DmesgRequest;
import dev.talos.api.machine.FeaturesInfo;
import dev.talos.api.machine.FileInfo;
import dev.talos.api.machine.Hostname;
import dev.talos.api.machine.HostnameResponse;
import dev.talos.api.machine.ListRequest;
import dev.talos.api.machine.LogsRequest;
import dev.talos.api.machine.MachineServiceGrpc;
import dev.talos.api.machine.MemInfo;
import dev.talos.api.machine.Memory;
import dev.talos.api.machine.MemoryResponse;
import dev.talos.api.machine.PlatformInfo;
import dev.talos.api.machine.ReadRequest;
import dev.talos.api.machine.Reboot;
import dev.talos.api.machine.RebootRequest;
import dev.talos.api.machine.RebootResponse;
import dev.talos.api.machine.ResetRequest;
import dev.talos.api.machine.ResetResponse;
import dev.talos.api.machine.ServiceEvent;
import dev.talos.api.machine.ServiceEvents;
import dev.talos.api.machine.ServiceHealth;
import dev.talos.api.machine.ServiceInfo;
import dev.talos.api.machine.ServiceList;
import dev.talos.api.machine.ServiceListResponse;
import dev.talos.api.machine.Shutdown;
import dev.talos.api.machine.ShutdownRequest;
import dev.talos.api.machine.ShutdownResponse;
import dev.talos.api.machine.SystemStat;
import dev.talos.api.machine.SystemStatResponse;
import dev.talos.api.machine.UpgradeRequest;
import dev.talos.api.machine.UpgradeResponse;
import dev.talos.api.machine.Version;
import dev.talos.api.machine.VersionInfo;
import dev.talos.api.machine.VersionResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Talos's MachineService as far as the node steps need it; what the lab does not do is {@code Unimplemented}. */
final class MachineApi extends MachineServiceGrpc.MachineServiceImplBase {
    private final World world;
    private final TalosMachines machines;
    private final NodeServices services;
    private final Configuring configuring;
    private final Upgrading upgrading;
    private final FileStreams files;
    private final Waiting waiting;

    MachineApi(World world, TalosMachines machines, NodeServices services, Configuring configuring, Upgrading upgrading,
               FileStreams files, Waiting waiting) {
        this.world = world;
        this.machines = machines;
        this.services = services;
        this.configuring = configuring;
        this.upgrading = upgrading;
        this.files = files;
        this.waiting = waiting;
    }

    @Override
    public void version(Empty request, StreamObserver<VersionResponse> out) {
        Sending.one(out, () -> VersionResponse.newBuilder().addAllMessages(Sending.each((name, metadata) -> node(name,
                node -> Version.newBuilder().setMetadata(metadata)
                        .setVersion(VersionInfo.newBuilder().setTag(node.talos.orElseThrow().version).setOs("linux")
                                .setArch("amd64"))
                        .setPlatform(PlatformInfo.newBuilder().setName(node.vmid == 0 ? "metal" : "nocloud")
                                .setMode(node.vmid == 0 ? "metal" : "cloud"))
                        .setFeatures(FeaturesInfo.newBuilder().setRbac(true)).build()))).build());
    }

    @Override
    public void hostname(Empty request, StreamObserver<HostnameResponse> out) {
        Sending.one(out, () -> HostnameResponse.newBuilder().addAllMessages(Sending.each((name, metadata) ->
                Hostname.newBuilder().setMetadata(metadata).setHostname(name).build())).build());
    }

    @Override
    public void memory(Empty request, StreamObserver<MemoryResponse> out) {
        Sending.one(out, () -> MemoryResponse.newBuilder().addAllMessages(Sending.each((name, metadata) -> node(name,
                node -> Memory.newBuilder().setMetadata(metadata).setMeminfo(MemInfo.newBuilder()
                        .setMemtotal(node.memoryBytes >> 10)).build()))).build());
    }

    @Override
    public void systemStat(Empty request, StreamObserver<SystemStatResponse> out) {
        Sending.one(out, () -> SystemStatResponse.newBuilder().addAllMessages(Sending.each((name, metadata) -> node(name,
                node -> SystemStat.newBuilder().setMetadata(metadata).setBootTime(node.bootedAt.getEpochSecond())
                        .build()))).build());
    }

    @Override
    public void serviceList(Empty request, StreamObserver<ServiceListResponse> out) {
        Sending.one(out, () -> ServiceListResponse.newBuilder().addAllMessages(Sending.each((name, metadata) ->
                node(name, node -> {
                    ServiceList.Builder list = ServiceList.newBuilder().setMetadata(metadata);
                    services.of(node, node.talos.orElseThrow()).forEach(s -> list.addServices(service(s, node.bootedAt)));
                    return list.build();
                }))).build());
    }

    private static ServiceInfo service(NodeServices.State state, Instant since) {
        Timestamp time = Timestamp.newBuilder().setSeconds(since.getEpochSecond() + 12).build();
        return ServiceInfo.newBuilder().setId(state.id()).setState(state.state())
                .setEvents(ServiceEvents.newBuilder().addEvents(ServiceEvent.newBuilder().setMsg(state.message())
                        .setState(state.state()).setTs(time)))
                .setHealth(ServiceHealth.newBuilder().setUnknown(!state.healthy()).setHealthy(state.healthy())
                        .setLastChange(time)).build();
    }

    @Override
    public void applyConfiguration(ApplyConfigurationRequest request, StreamObserver<ApplyConfigurationResponse> out) {
        Sending.one(out, () -> {
            if (!TalosDoor.ROLES.get().contains(TalosDoor.ADMIN)) {
                throw Status.PERMISSION_DENIED.withDescription("not authorized").asRuntimeException();
            }
            return ApplyConfigurationResponse.newBuilder().addAllMessages(Sending.each((name, metadata) ->
                    configuring.apply(name, request).toBuilder().setMetadata(metadata).build())).build();
        });
    }

    @Override
    public void upgrade(UpgradeRequest request, StreamObserver<UpgradeResponse> out) {
        Sending.one(out, () -> UpgradeResponse.newBuilder().addAllMessages(Sending.each((name, metadata) ->
                upgrading.upgrade(name, request).toBuilder().setMetadata(metadata).build())).build());
    }

    @Override
    public void reboot(RebootRequest request, StreamObserver<RebootResponse> out) {
        Sending.one(out, () -> RebootResponse.newBuilder().addAllMessages(Sending.each((name, metadata) -> {
            upgrading.refuseWhileBusy(name);
            machines.reboot(name);
            return Reboot.newBuilder().setMetadata(metadata).setActorId(UUID.randomUUID().toString()).build();
        })).build());
    }

    @Override
    public void shutdown(ShutdownRequest request, StreamObserver<ShutdownResponse> out) {
        Sending.one(out, () -> ShutdownResponse.newBuilder().addAllMessages(Sending.each((name, metadata) -> {
            upgrading.refuseWhileBusy(name);
            machines.shutdown(name);
            return Shutdown.newBuilder().setMetadata(metadata).setActorId(UUID.randomUUID().toString()).build();
        })).build());
    }

    @Override
    public void reset(ResetRequest request, StreamObserver<ResetResponse> out) {
        out.onError(Status.UNIMPLEMENTED.withDescription("the practice lab wipes no machine").asRuntimeException());
    }

    @Override
    public void dmesg(DmesgRequest request, StreamObserver<Data> out) {
        TalosDoor.Targets targets = TalosDoor.TARGETS.get();
        ServerCallStreamObserver<Data> stream = (ServerCallStreamObserver<Data>) out;
        int[] sent = new int[targets.names().size()];
        for (int i = 0; i < sent.length && request.getTail(); i++) {
            sent[i] = lines(targets.names().get(i)).size();
        }
        send(targets, sent, stream);
        if (request.getFollow()) {
            waiting.follow(() -> {
                send(targets, sent, stream);
                return !stream.isCancelled();
            });
        }
        if (!stream.isCancelled()) {
            out.onCompleted();
        }
    }

    private void send(TalosDoor.Targets targets, int[] sent, StreamObserver<Data> out) {
        for (int i = 0; i < sent.length; i++) {
            String name = targets.names().get(i);
            List<String> lines = lines(name);
            // A new boot begins its log anew.
            int from = sent[i] > lines.size() ? 0 : sent[i];
            Metadata metadata = Sending.metadata(targets, name);
            lines.subList(from, lines.size()).forEach(line -> out.onNext(Sending.data(metadata,
                    ByteString.copyFromUtf8(line))));
            sent[i] = lines.size();
        }
    }

    private List<String> lines(String name) {
        return node(name, node -> KernelText.lines(node, node.talos.orElseThrow()));
    }

    /** A service's log has what happened to the service; containers' logs are the Kubernetes API's. */
    @Override
    public void logs(LogsRequest request, StreamObserver<Data> out) {
        TalosDoor.Targets targets = TalosDoor.TARGETS.get();
        if (!request.getNamespace().equals("system") && !request.getId().equals("kubelet")) {
            out.onError(Status.UNIMPLEMENTED.withDescription("the practice lab has the logs of containers in its"
                    + " Kubernetes API only").asRuntimeException());
            return;
        }
        for (String name : targets.names()) {
            List<NodeServices.State> found = node(name, node -> services.of(node, node.talos.orElseThrow())).stream()
                    .filter(state -> state.id().equals(request.getId())).toList();
            if (found.isEmpty()) {
                out.onError(Status.NOT_FOUND.withDescription("log \"" + request.getId() + "\" was not registered")
                        .asRuntimeException());
                return;
            }
            found.forEach(state -> Sending.bytes(out, Sending.metadata(targets, name),
                    (state.message() + "\n").getBytes(StandardCharsets.UTF_8)));
        }
        out.onCompleted();
    }

    @Override
    public void read(ReadRequest request, StreamObserver<Data> out) {
        files.read(request, out);
    }

    @Override
    public void copy(CopyRequest request, StreamObserver<Data> out) {
        files.copy(request, out);
    }

    @Override
    public void list(ListRequest request, StreamObserver<FileInfo> out) {
        files.list(request, out);
    }

    @Override
    public void kubeconfig(Empty request, StreamObserver<Data> out) {
        files.kubeconfig(out);
    }

    private <A> A node(String name, Function<LabNode, A> look) {
        return world.read(w -> look.apply(w.nodes.get(name)));
    }
}
