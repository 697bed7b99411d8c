package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.exec.Inside;
import dev.pitwall.lab.kube.object.Containers;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.ssh.Layer;
import java.lang.ref.SoftReference;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One run of one container. Touched only under the lock of {@link Kubelets}. */
final class ContainerRun implements Run {
    private final PodRecord record;
    private final String container;
    private final Program program;
    private final Instant startedAt;
    private final int restarts;
    private final Map<String, List<String>> devices;
    private final Map<String, String> environment;
    private final Map<String, String> notes = new TreeMap<>();
    private final Optional<ProbeWatch> startup;
    private final Optional<ProbeWatch> readiness;
    private final Optional<ProbeWatch> liveness;
    private final String address;
    private Optional<Layer> layer = Optional.empty();
    private SoftReference<ObjectNode> spec = new SoftReference<>(null);
    private Instant endedAt = Instant.MAX;

    ContainerRun(PodRecord record, ContainerCell cell, Program program, String address, Instant startedAt,
                 Map<String, List<String>> devices, Map<String, String> environment) {
        this.record = record;
        this.container = cell.name;
        this.program = program;
        this.address = address;
        this.startedAt = startedAt;
        this.restarts = cell.restarts;
        this.devices = devices;
        this.environment = environment;
        this.startup = cell.startupProbe.map(probe -> new ProbeWatch(probe, startedAt));
        this.readiness = cell.readinessProbe.map(probe -> new ProbeWatch(probe, startedAt));
        this.liveness = cell.livenessProbe.map(probe -> new ProbeWatch(probe, startedAt));
    }

    Program program() {
        return program;
    }

    Optional<ProbeWatch> startup() {
        return startup;
    }

    Optional<ProbeWatch> readiness() {
        return readiness;
    }

    Optional<ProbeWatch> liveness() {
        return liveness;
    }

    /** {@link Instant#MAX} while it goes on. */
    Instant endedAt() {
        return endedAt;
    }

    void ended(Instant now, Instant at) {
        endedAt = at;
        program.ended(this, now);
    }

    String id() {
        return "containerd://" + Digests.hex(record.uid() + "/" + container + "/" + restarts + "/" + startedAt);
    }

    @Override
    public PodFacts pod() {
        return record.facts();
    }

    @Override
    public ObjectNode container() {
        ObjectNode known = spec.get();
        if (known == null) {
            known = Containers.find(pod().object().tree().path("spec"), container).orElseGet(Json::object);
            spec = new SoftReference<>(known);
        }
        return known;
    }

    @Override
    public String containerName() {
        return container;
    }

    @Override
    public String node() {
        return record.kubelet().name();
    }

    @Override
    public String podAddress() {
        return address;
    }

    @Override
    public Instant startedAt() {
        return startedAt;
    }

    @Override
    public Map<String, List<String>> devices() {
        return devices;
    }

    @Override
    public Optional<String> environment(String name) {
        return Optional.ofNullable(environment.get(name));
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }

    @Override
    public Map<String, byte[]> written() {
        return layer.map(Layer::files).orElse(Map.of());
    }

    @Override
    public List<Neighbour> before() {
        return record.work().stream().flatMap(PodWork::cells).takeWhile(cell -> !cell.name.equals(container))
                .flatMap(cell -> cell.latest.stream()).map(ContainerRun::neighbour).toList();
    }

    private Neighbour neighbour() {
        Instant now = record.kubelet().now();
        Map<String, byte[]> files = new TreeMap<>(program.files(this, endedAt.isBefore(now) ? endedAt : now));
        files.putAll(written());
        return new Neighbour(container(), files);
    }

    /** What commands from outside write to. @param inside it as it is now */
    Layer layer(Inside inside) {
        if (layer.isEmpty()) {
            layer = Optional.of(new Layer(inside.readOnly()));
        }
        return layer.get();
    }

    @Override
    public Optional<String> mounted(String path) {
        return record.kubelet().volumes().file(pod(), container(), path);
    }

    @Override
    public Map<String, String> notes() {
        return notes;
    }

    @Override
    public DeviceBook book() {
        return record.kubelet().book();
    }
}
