package dev.pitwall.lab.kube.cluster;

import dev.pitwall.lab.kube.cluster.ClusterView.Fault;
import dev.pitwall.lab.kube.cluster.ClusterView.Node;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far the operator's floors have come on one node with cards. Each waits for a marker of the one below, so all of
 * it follows from when the driver was loaded, from the faults and from the time. A pure function of the view.
 */
final class GpuFloors {
    private static final Duration OOM_COMPILE = Duration.ofSeconds(46);
    /** A module that is compiled but refused: the container ends when it tries to load it. */
    private static final Duration LOAD_TRIED = Duration.ofSeconds(177);
    private static final Duration OOM_EXPORTER = Duration.ofSeconds(3);
    private static final Duration SOCKET_TRIES = Duration.ofSeconds(10);

    private final ClusterView view;
    private final ClusterData.Times times;
    private final Node node;
    private final Instant now;

    GpuFloors(ClusterView view, ClusterData data, Node node) {
        this.view = view;
        this.times = data.times();
        this.node = node;
        this.now = view.now();
    }

    /** NFD has labelled the node as one with an NVIDIA card; without that the operator puts nothing on it. */
    boolean labelled() {
        return node.hasCards() && view.fault(Trap.NFD_MASTER_MISSING_TOLERATION).isEmpty() && !firstScanPending();
    }

    private boolean firstScanPending() {
        return view.fault(Trap.NFD_FIRST_SCAN_PENDING)
                .filter(fault -> now.isBefore(fault.since().plusSeconds(times.nfdFirstScan()))).isPresent();
    }

    private Optional<Fault> fault(Trap trap) {
        return view.fault(trap, node);
    }

    private boolean loaded() {
        return node.driver().equals("loaded");
    }

    /** The driver is loaded and this many seconds have passed since. */
    private boolean after(int seconds) {
        return loaded() && !now.isBefore(node.driverSince().plusSeconds(seconds));
    }

    private Instant at(int seconds) {
        return node.driverSince().plusSeconds(seconds);
    }

    /** No pod with the nvidia runtime class can start here. */
    boolean runtimeMissing() {
        return fault(Trap.CONTAINERD_SOCKET_WRONG_PATH).isPresent()
                || fault(Trap.RUNTIME_HANDLER_NOT_CONFIGURED).isPresent();
    }

    private Instant runtimeMissingSince() {
        return fault(Trap.CONTAINERD_SOCKET_WRONG_PATH).or(() -> fault(Trap.RUNTIME_HANDLER_NOT_CONFIGURED))
                .map(Fault::since).orElse(now);
    }

    /** The device plugin answers the kubelet. */
    boolean pluginRegistered() {
        return labelled() && after(times.pluginRegistered()) && pluginGoneSince().isEmpty();
    }

    /** Since when a plugin that was there is no longer. */
    private Optional<Instant> pluginGoneSince() {
        return fault(Trap.DEVICE_PLUGIN_MISSING_TOLERATION).or(() -> fault(Trap.TIME_SLICING_CONFIG_MISSING))
                .or(() -> fault(Trap.CONTAINERD_SOCKET_WRONG_PATH))
                .or(() -> fault(Trap.RUNTIME_HANDLER_NOT_CONFIGURED)).map(Fault::since);
    }

    /** Cards in the node's capacity; empty if no plugin ever registered. The kubelet keeps devices for a while. */
    OptionalLong capacity() {
        if (!labelled() || !loaded()) {
            return OptionalLong.empty();
        }
        Optional<Instant> gone = pluginGoneSince();
        if (gone.isPresent()) {
            boolean grace = now.isBefore(gone.get().plusSeconds(times.unhealthyGrace()));
            return OptionalLong.of(grace ? node.cards().size() : 0);
        }
        return after(times.pluginRegistered()) ? OptionalLong.of(node.cards().size()) : OptionalLong.empty();
    }

    long allocatable() {
        return pluginRegistered() ? node.usableCards() : 0;
    }

    /** GPU Feature Discovery has written its labels. */
    boolean discovered() {
        return labelled() && after(times.discoveryLabels());
    }

    /** Every floor up to the plugin's validation is up. */
    boolean validated() {
        return labelled() && after(times.pluginValidated()) && pluginGoneSince().isEmpty();
    }

    PodLife life(ClusterData.Operand operand) {
        return switch (operand.name()) {
            case "nvidia-driver-daemonset" -> driver();
            case "nvidia-container-toolkit-daemonset" -> toolkit();
            case "nvidia-operator-validator" -> validator();
            case "nvidia-device-plugin-daemonset" -> plugin();
            case "nvidia-dcgm-exporter" -> exporter();
            default -> waitsForToolkit(times.pluginRunning());
        };
    }

    private PodLife driver() {
        Optional<Fault> noImage = fault(Trap.DRIVER_IMAGE_NOT_PUBLISHED_FOR_OS);
        if (noImage.isPresent()) {
            Instant since = noImage.get().since();
            boolean backOff = Duration.between(since, now).toSeconds() % 60 > 5;
            return new PodLife.NoImage(since, 1, backOff ? "ImagePullBackOff" : "ErrImagePull", "");
        }
        Optional<Fault> oom = fault(Trap.DRIVER_OOM_WHILE_COMPILING);
        if (oom.isPresent()) {
            return PodLife.crashLoop(oom.get().since(), OOM_COMPILE, 137, "OOMKilled", now);
        }
        return switch (node.driver()) {
            case "loaded" -> new PodLife.Running(driverBorn(), driverBorn().plusSeconds(6));
            case "compiling" -> new PodLife.Starting(node.driverSince(), node.driverSince(), 0);
            case "failed" -> PodLife.crashLoop(node.driverSince(), LOAD_TRIED, 1, "Error", now);
            default -> new PodLife.Initializing(operandBorn(), 0, operandBorn());
        };
    }

    private Instant driverBorn() {
        Instant compiled = node.driverSince().minusSeconds(times.driverCompile());
        return compiled.isBefore(node.bootedAt()) ? node.bootedAt().plusSeconds(20) : compiled;
    }

    /** The pods above the driver are as old as the node's boot, or as the fault that made them new. */
    private Instant operandBorn() {
        return loaded() ? driverBorn() : node.driverSince().isBefore(node.bootedAt()) ? node.bootedAt()
                : node.driverSince();
    }

    private PodLife toolkit() {
        Optional<Fault> socket = fault(Trap.CONTAINERD_SOCKET_WRONG_PATH);
        if (socket.isPresent() && loaded()) {
            return PodLife.crashLoop(socket.get().since(), SOCKET_TRIES, 1, "Error", now);
        }
        Optional<Fault> handler = fault(Trap.RUNTIME_HANDLER_NOT_CONFIGURED);
        if (handler.isPresent() && loaded()) {
            return new PodLife.Running(handler.get().since(), handler.get().since().plusSeconds(2));
        }
        return after(times.driverValidated()) ? new PodLife.Running(operandBorn(), at(times.toolkitRunning()))
                : new PodLife.Initializing(operandBorn(), 0, operandBorn());
    }

    private PodLife validator() {
        if (runtimeMissing()) {
            return new PodLife.Held(runtimeMissingSince());
        }
        Instant born = operandBorn();
        int done = after(times.pluginValidated()) ? 4 : after(times.cudaValidated()) ? 3
                : after(times.toolkitValidated()) ? 2 : after(times.driverValidated()) ? 1 : 0;
        Optional<Fault> restarted = fault(Trap.DEVICE_PLUGIN_MISSING_TOLERATION);
        if (done == 4 && restarted.isPresent()) {
            return new PodLife.Initializing(restarted.get().since(), 3, restarted.get().since());
        }
        return done == 4 ? new PodLife.Running(born, at(times.pluginValidated()))
                : new PodLife.Initializing(born, done, loaded() ? node.driverSince() : born);
    }

    private PodLife plugin() {
        Optional<Fault> untolerated = fault(Trap.DEVICE_PLUGIN_MISSING_TOLERATION);
        if (untolerated.isPresent()) {
            return new PodLife.Unscheduled(untolerated.get().since(), "");
        }
        Optional<Fault> noConfig = fault(Trap.TIME_SLICING_CONFIG_MISSING);
        if (noConfig.isPresent()) {
            return new PodLife.Held(noConfig.get().since());
        }
        return waitsForToolkit(times.pluginRunning());
    }

    private PodLife exporter() {
        Optional<Fault> oom = fault(Trap.DCGM_EXPORTER_OOM);
        if (oom.isPresent() && after(times.exporterRunning()) && !runtimeMissing()) {
            return PodLife.crashLoop(oom.get().since(), OOM_EXPORTER, 137, "OOMKilled", now);
        }
        return waitsForToolkit(times.exporterRunning());
    }

    private PodLife waitsForToolkit(int running) {
        if (runtimeMissing()) {
            return new PodLife.Held(runtimeMissingSince());
        }
        return after(running) ? new PodLife.Running(operandBorn(), at(running))
                : new PodLife.Initializing(operandBorn(), 0, operandBorn());
    }

    /** The pod that runs the CUDA sample for the validator; empty before its turn. */
    Optional<PodLife> cudaValidator() {
        if (!labelled() || !after(times.toolkitValidated()) || runtimeMissing()) {
            return Optional.empty();
        }
        Instant born = at(times.toolkitValidated());
        return Optional.of(after(times.cudaValidated())
                ? new PodLife.Finished(born, at(times.cudaValidated() - 2), at(times.cudaValidated()))
                : new PodLife.Initializing(born, 0, born.plusSeconds(2)));
    }
}
