package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.machine.DriverFacts;
import dev.pitwall.lab.kube.machine.NodeMachine;
import dev.pitwall.lab.world.GuestDriver;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code k8s-driver-manager}, the init container before the driver: it steps aside for a driver of the node's own, and
 * clears the way for another release: operands are paused by their labels, then the module is unloaded. (facts:
 * cluster.md 1.6; k8s-driver-manager v0.11)
 */
final class DriverManager extends ScriptedProgram {
    static final String DRIVER_LABEL = "nvidia.com/gpu.deploy.driver";
    private static final String DEPLOY = "nvidia.com/gpu.deploy.";
    private static final String PAUSED = "paused-for-driver-upgrade";
    private static final List<String> CLIENTS = List.of("container-toolkit", "operator-validator", "device-plugin",
            "gpu-feature-discovery", "dcgm", "dcgm-exporter", "mig-manager");
    private static final List<String> CLIENT_APPS = List.of("nvidia-container-toolkit-daemonset",
            "nvidia-operator-validator", "nvidia-device-plugin-daemonset", "gpu-feature-discovery", "nvidia-dcgm",
            "nvidia-dcgm-exporter", "nvidia-mig-manager");

    DriverManager(Ground ground) {
        super(ground);
    }

    @Override
    String script(Run run) {
        return "k8s-driver-manager";
    }

    @Override
    public Doing look(Run run, Instant now) {
        Instant checked = at(run, "driverManagerChecks");
        if (now.isBefore(checked)) {
            return waits(checked);
        }
        NodeMachine machine = ground.machine(run);
        DriverFacts driver = machine.driver();
        if (run.notes().containsKey("host") || hasHostDriver(machine, driver)) {
            return stepAside(run, now);
        }
        boolean other = driver.isLoaded() && driver.source() != GuestDriver.Source.HOST
                && !driver.version().equals(DriverContainer.version(run.pod().object().tree()));
        return other ? clear(run, machine, now) : uncordoned(run, now);
    }

    /** What {@code nvidia-smi} in the host's own root answers decides. */
    static boolean hasHostDriver(NodeMachine machine, DriverFacts driver) {
        return driver.isHosts() && machine.hostLibraries().orElse(driver.version()).equals(driver.version());
    }

    private Doing stepAside(Run run, Instant now) {
        if (run.notes().putIfAbsent("host", now.toString()) == null) {
            Journal.say(run, now, text("hostDriver", run));
            ground.label(run, Map.of(DRIVER_LABEL, "pre-installed"));
        }
        Instant end = Instant.parse(run.notes().get("host")).plusSeconds(ground.scripts().seconds("hostDriverWait"));
        return now.isBefore(end) ? waits(end) : fails(run, now, 1, List.of(text("hostDriverEnd", run)));
    }

    private Doing clear(Run run, NodeMachine machine, Instant now) {
        if (!userPods(run).isEmpty() && !evicts(run)) {
            String blocked = "true".equals(annotation(run)) ? "cleanupAutoUpgrade" : "cleanupDisabled";
            Instant tried = at(run, "driverManagerGivesUp");
            return now.isBefore(tried) ? waits(tried) : fails(run, now, 1, List.of(text(blocked, run)));
        }
        userPods(run).forEach(pod -> ground.hand().delete(pod.key(), 30));
        Map<String, String> pause = new LinkedHashMap<>();
        Map<String, String> labels = ground.labels(run);
        CLIENTS.stream().map(DEPLOY::concat).filter(label -> "true".equals(labels.get(label)))
                .forEach(label -> pause.put(label, PAUSED));
        if (!pause.isEmpty()) {
            Journal.say(run, now, text("pausing", run));
            ground.label(run, pause);
        }
        boolean gone = userPods(run).isEmpty() && ground.pods().onNode(run.node()).stream()
                .noneMatch(pod -> CLIENT_APPS.contains(pod.labels().getOrDefault("app", "")));
        if (!gone) {
            return waits(Instant.MAX);
        }
        Journal.say(run, now, text("unloading", run));
        machine.remove(List.of(NodeMachine.DRIVER_STATE));
        machine.change((world, node) -> GuestDriver.unload(world, node, now));
        return uncordoned(run, now);
    }

    /** Pods that hold cards and are not the operator's own. */
    private List<PodFacts> userPods(Run run) {
        return ground.pods().onNode(run.node()).stream().filter(pod -> !pod.isDone()
                && pod.requests().keySet().stream().anyMatch(name -> name.startsWith("nvidia.com/"))).toList();
    }

    /** The upgrade controller evicts where it is in charge; else this program, if it may. */
    private boolean evicts(Run run) {
        return !"true".equals(annotation(run))
                && !run.environment("ENABLE_GPU_POD_EVICTION").orElse("true").equals("false");
    }

    private String annotation(Run run) {
        return ground.hand().find(Ground.nodeKey(run)).map(node -> node.tree().at(
                "/metadata/annotations/nvidia.com~1gpu-driver-upgrade-enabled").asText("")).orElse("");
    }

    private Doing uncordoned(Run run, Instant now) {
        Map<String, String> labels = ground.labels(run);
        Map<String, String> resume = new LinkedHashMap<>();
        CLIENTS.stream().map(DEPLOY::concat).filter(label -> PAUSED.equals(labels.get(label)))
                .forEach(label -> resume.put(label, "true"));
        if (!resume.isEmpty()) {
            ground.label(run, resume);
        }
        Journal.say(run, now, text("uncordoning", run));
        return done(now);
    }
}
