package dev.pitwall.card;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The tower of operands on one node, from Node Feature Discovery up: for each its pod there, and what that comes to, in
 * the words of the card's floors.
 */
public final class OperandTower {
    private final OperandWords words = new OperandWords(new FloorTexts());

    /** The operands, each with the one below that its pod waits for first. */
    public enum Kind {
        DISCOVERY(Operand.NFD_WORKER, Floor.DRIVER, "discovery"),
        DRIVER(Operand.DRIVER, Floor.DRIVER, "driver"),
        TOOLKIT(Operand.TOOLKIT, Floor.DRIVER, "runtime"),
        VALIDATOR(Operand.VALIDATOR, Floor.RUNTIME, "plugin"),
        PLUGIN(Operand.PLUGIN, Floor.RUNTIME, "plugin"),
        FEATURES(Operand.GFD, Floor.RUNTIME, "discovery"),
        MPS(Operand.MPS, Floor.RUNTIME, "plugin"),
        MIG(Operand.MIG, Floor.RUNTIME, "plugin"),
        TELEMETRY(Operand.EXPORTER, Floor.RUNTIME, "telemetry");

        private final List<String> apps;
        private final Floor below;
        private final String usual;

        Kind(List<String> apps, Floor below, String usual) {
            this.apps = apps;
            this.below = below;
            this.usual = usual;
        }

        /** True for a DaemonSet that makes these pods, whatever a Helm release puts before its name. */
        public boolean isMadeBy(String daemonSet) {
            return apps.stream().anyMatch(app -> Operand.named(daemonSet, app));
        }
    }

    /** What an operand's pod comes to. */
    public enum State { READY, WAITING, FAILING }

    /**
     * One operand on the node.
     *
     * @param words     for example {@code toolkit-validation · 0:42 of about 30 s}
     * @param container the container that it is stuck in; empty text where it is in none
     * @param health    what exactly it is stuck on
     * @param progress  since when it waits, and what is usual
     */
    public record Tier(Kind kind, PodReport pod, State state, String words, String container, Health health,
                       Optional<FloorStatus.Progress> progress) {

        /** How often its containers were started again. */
        public int restarts() {
            return Stream.concat(pod.initContainers().stream(), pod.containers().stream())
                    .mapToInt(PodReport.ContainerReport::restarts).sum();
        }

        /** What the kubelet says of the container that it is stuck in; empty text where it says nothing. */
        public String message() {
            return Stream.concat(pod.initContainers().stream(), pod.containers().stream())
                    .filter(c -> c.name().equals(container)).flatMap(c -> c.message().stream()).findFirst().orElse("");
        }
    }

    /** The one thing that matters about an operand's pod. */
    public enum Health { READY, ENDED, NO_NODE, INITIALISING, STARTING, OUT_OF_MEMORY, NO_IMAGE, CRASHING, REFUSED }

    /**
     * All operands that have a pod on the node, or one that is meant for it.
     *
     * @param system  the cluster in the site
     * @param pods    those on the node, and those without a node
     */
    public List<Tier> of(String system, NodeReport node, List<PodReport> pods, Instant now) {
        ClusterReport report = new ClusterReport("", List.of(node), pods, pods.size(), List.of(), Optional.empty(), List.of());
        // NFD's master and collector carry the worker's name too, and may be anywhere.
        Operand operand = new Operand(Observed.fresh(system, report, now), report, node, pods.stream()
                .filter(p -> p.node().or(p::targetNode).filter(node.name()::equals).isPresent())
                .filter(p -> p.owner().filter(o -> o.startsWith("DaemonSet/")).isPresent()).toList());
        List<Tier> tiers = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            operand.pod(kind.apps).map(pod -> tier(operand, kind, pod, now)).ifPresent(tiers::add);
        }
        return tiers;
    }

    private Tier tier(Operand operand, Kind kind, PodReport pod, Instant now) {
        PodHealth health = PodHealth.of(pod);
        Finding finding = kind == Kind.DRIVER && !(health instanceof PodHealth.Ready)
                ? words.driver(operand, pod, now) : words.operand(operand, pod, kind.below, kind.usual, now);
        State state = health instanceof PodHealth.Ready ? State.READY : health.isBroken() ? State.FAILING : State.WAITING;
        return new Tier(kind, pod, state, finding.summary(), container(health), health(health), finding.progress());
    }

    private static String container(PodHealth health) {
        return switch (health) {
            case PodHealth.Initialising i -> i.container();
            case PodHealth.Starting s -> s.container();
            case PodHealth.OutOfMemory o -> o.container();
            case PodHealth.ImageUnavailable i -> i.container();
            case PodHealth.Crashing c -> c.container();
            case PodHealth.Ready r -> "";
            case PodHealth.Completed c -> "";
            case PodHealth.Unscheduled u -> "";
            case PodHealth.Failed f -> "";
        };
    }

    private static Health health(PodHealth health) {
        return switch (health) {
            case PodHealth.Initialising i -> Health.INITIALISING;
            case PodHealth.Starting s -> Health.STARTING;
            case PodHealth.OutOfMemory o -> Health.OUT_OF_MEMORY;
            case PodHealth.ImageUnavailable i -> Health.NO_IMAGE;
            case PodHealth.Crashing c -> Health.CRASHING;
            case PodHealth.Ready r -> Health.READY;
            case PodHealth.Completed c -> Health.ENDED;
            case PodHealth.Unscheduled u -> Health.NO_NODE;
            case PodHealth.Failed f -> Health.REFUSED;
        };
    }
}
