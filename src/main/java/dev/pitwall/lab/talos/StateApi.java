package dev.pitwall.lab.talos;

import com.google.protobuf.Timestamp;
import dev.cosi.resource.CreateRequest;
import dev.cosi.resource.CreateResponse;
import dev.cosi.resource.DestroyRequest;
import dev.cosi.resource.DestroyResponse;
import dev.cosi.resource.Event;
import dev.cosi.resource.EventType;
import dev.cosi.resource.GetRequest;
import dev.cosi.resource.GetResponse;
import dev.cosi.resource.LabelQuery;
import dev.cosi.resource.ListRequest;
import dev.cosi.resource.ListResponse;
import dev.cosi.resource.Metadata;
import dev.cosi.resource.Resource;
import dev.cosi.resource.Spec;
import dev.cosi.resource.StateGrpc;
import dev.cosi.resource.UpdateRequest;
import dev.cosi.resource.UpdateResponse;
import dev.cosi.resource.WatchRequest;
import dev.cosi.resource.WatchResponse;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** COSI's State of a node, for reading: a client may not write it whatever its role (Talos: internal/app/resources). */
final class StateApi extends StateGrpc.StateImplBase {
    private final World world;
    private final NodeResources resources;
    private final Versions versions;
    private final Waiting waiting;

    StateApi(World world, NodeResources resources, Versions versions, Waiting waiting) {
        this.world = world;
        this.resources = resources;
        this.versions = versions;
        this.waiting = waiting;
    }

    @Override
    public void get(GetRequest request, StreamObserver<GetResponse> out) {
        Sending.one(out, () -> GetResponse.newBuilder().setResource(list(TalosDoor.TARGETS.get().one(),
                type(request.getType(), request.getNamespace())).stream()
                .filter(resource -> resource.getMetadata().getId().equals(request.getId())).findFirst()
                .orElseThrow(() -> Status.NOT_FOUND.withDescription("resource " + request.getType() + "("
                        + request.getNamespace() + "/" + request.getId() + "@undefined) doesn't exist")
                        .asRuntimeException())).build());
    }

    @Override
    public void list(ListRequest request, StreamObserver<ListResponse> out) {
        try {
            List<Resource> all = list(TalosDoor.TARGETS.get().one(), type(request.getType(), request.getNamespace()));
            all.stream().filter(resource -> fits(resource, request.getOptions().getLabelQueryList()))
                    .forEach(resource -> out.onNext(ListResponse.newBuilder().setResource(resource).build()));
            out.onCompleted();
        } catch (io.grpc.StatusRuntimeException e) {
            out.onError(e);
        }
    }

    @Override
    public void watch(WatchRequest request, StreamObserver<WatchResponse> out) {
        String node = TalosDoor.TARGETS.get().one();
        NodeResources.Type type;
        try {
            type = type(request.getType(), request.getNamespace());
        } catch (io.grpc.StatusRuntimeException e) {
            out.onError(e);
            return;
        }
        ServerCallStreamObserver<WatchResponse> stream = (ServerCallStreamObserver<WatchResponse>) out;
        new Watching(request, node, type, stream).run();
    }

    /** One watch: what is there first, then what changes. */
    private final class Watching {
        private final WatchRequest request;
        private final String node;
        private final NodeResources.Type type;
        private final ServerCallStreamObserver<WatchResponse> out;
        private Map<String, Resource> seen = new LinkedHashMap<>();

        Watching(WatchRequest request, String node, NodeResources.Type type,
                 ServerCallStreamObserver<WatchResponse> out) {
            this.request = request;
            this.node = node;
            this.type = type;
            this.out = out;
        }

        void run() {
            seen = now();
            boolean single = request.hasId();
            if (single && seen.isEmpty()) {
                send(EventType.DESTROYED, Resource.newBuilder().setMetadata(Metadata.newBuilder()
                        .setNamespace(request.getNamespace()).setType(request.getType()).setId(request.getId())
                        .setVersion("undefined").setPhase("running")).build());
            }
            if (single || request.getOptions().getBootstrapContents()) {
                seen.values().forEach(resource -> send(EventType.CREATED, resource));
            }
            if (!single && request.getOptions().getBootstrapContents() && request.getApiVersion() > 0) {
                send(EventType.BOOTSTRAPPED, Resource.getDefaultInstance());
            }
            waiting.follow(() -> {
                if (out.isCancelled()) {
                    return false;
                }
                step();
                return true;
            });
            if (!out.isCancelled()) {
                out.onError(Status.UNAVAILABLE.withDescription("transport is closing").asRuntimeException());
            }
        }

        private void step() {
            Map<String, Resource> now = now();
            now.forEach((id, resource) -> {
                Resource before = seen.get(id);
                if (before == null) {
                    send(EventType.CREATED, resource);
                } else if (!before.equals(resource)) {
                    send(EventType.UPDATED, resource);
                }
            });
            seen.forEach((id, resource) -> {
                if (!now.containsKey(id)) {
                    send(EventType.DESTROYED, resource);
                }
            });
            seen = now;
        }

        private Map<String, Resource> now() {
            Map<String, Resource> all = new LinkedHashMap<>();
            list(node, type).stream().filter(resource -> !request.hasId()
                            || resource.getMetadata().getId().equals(request.getId()))
                    .filter(resource -> fits(resource, request.getOptions().getLabelQueryList()))
                    .forEach(resource -> all.put(resource.getMetadata().getId(), resource));
            return all;
        }

        private void send(EventType event, Resource resource) {
            Event.Builder body = Event.newBuilder().setEventType(event);
            if (event != EventType.BOOTSTRAPPED) {
                body.setResource(resource);
            }
            out.onNext(WatchResponse.newBuilder().addEvent(body).build());
        }
    }

    @Override
    public void create(CreateRequest request, StreamObserver<CreateResponse> out) {
        out.onError(noWrites());
    }

    @Override
    public void update(UpdateRequest request, StreamObserver<UpdateResponse> out) {
        out.onError(noWrites());
    }

    @Override
    public void destroy(DestroyRequest request, StreamObserver<DestroyResponse> out) {
        out.onError(noWrites());
    }

    private static io.grpc.StatusRuntimeException noWrites() {
        return denied("write access is not allowed");
    }

    private static io.grpc.StatusRuntimeException denied(String text) {
        return Status.PERMISSION_DENIED.withDescription(text).asRuntimeException();
    }

    private static NodeResources.Type type(String name, String namespace) {
        Optional<NodeResources.Type> type = Arrays.stream(NodeResources.Type.values())
                .filter(known -> known.type().equalsIgnoreCase(name)).findFirst();
        NodeResources.Type found = type.orElseThrow(() -> denied("resource type \"" + name + "\" is not supported"));
        if (found.isSensitive() && !TalosDoor.ROLES.get().contains(TalosDoor.ADMIN)) {
            throw denied("not authorized");
        }
        if (!namespace.equals(found.namespace())) {
            throw denied("namespace \"" + namespace + "\" is not supported");
        }
        return found;
    }

    private List<Resource> list(String name, NodeResources.Type type) {
        return world.read(w -> {
            LabNode node = w.nodes.get(name);
            Instant now = w.clock().instant();
            return resources.of(w, node, type).stream().map(item -> resource(name, type, item, versions.of(
                    name + "/" + type + "/" + item.id(), item.proto(), node.bootedAt, now))).toList();
        });
    }

    private static Resource resource(String node, NodeResources.Type type, NodeResources.Item item, Versions.Version at) {
        return Resource.newBuilder().setMetadata(Metadata.newBuilder().setNamespace(type.namespace()).setType(type.type())
                        .setId(item.id()).setVersion(String.valueOf(at.number())).setPhase("running")
                        .setCreated(time(at.created())).setUpdated(time(at.updated())).putAllLabels(item.labels()))
                .setSpec(Spec.newBuilder().setProtoSpec(item.proto()).setYamlSpec(item.yaml())).build();
    }

    private static Timestamp time(Instant instant) {
        return Timestamp.newBuilder().setSeconds(instant.getEpochSecond()).setNanos(instant.getNano()).build();
    }

    /** Queries are alternatives, the terms of one all have to hold. */
    private static boolean fits(Resource resource, List<LabelQuery> queries) {
        Map<String, String> labels = resource.getMetadata().getLabelsMap();
        return queries.isEmpty() || queries.stream().anyMatch(query -> query.getTermsList().stream()
                .allMatch(term -> switch (term.getOp()) {
                    case EXISTS -> labels.containsKey(term.getKey());
                    case EQUAL -> term.getValue().equals(labels.get(term.getKey()));
                    case NOT_EXISTS -> !labels.containsKey(term.getKey());
                    case UNRECOGNIZED -> false;
                }));
    }
}
