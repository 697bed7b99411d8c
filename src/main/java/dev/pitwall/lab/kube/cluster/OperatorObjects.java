package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.cluster.ClusterData.Operand;
import dev.pitwall.lab.kube.cluster.ClusterView.Node;
import dev.pitwall.lab.kube.cluster.PodPlan.Container;
import dev.pitwall.lab.kube.cluster.PodPlan.Toleration;
import dev.pitwall.lab.kube.store.ObjectKey;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The GPU Operator: its operands on every node with cards, NFD, and the ClusterPolicy that says how it stands. */
final class OperatorObjects {
    static final String NAMESPACE = "gpu-operator";
    private static final String MASTER_TAINT = "node-role.kubernetes.io/control-plane";

    private final Desired desired;
    private final ClusterData data;
    private final ClusterView view;
    private final Texts texts;
    private final PodWriter pods;
    private final Controllers controllers;
    private final Events events;
    private final Taints taints;
    private final List<String> statesNotReady = new ArrayList<>();

    OperatorObjects(Desired desired, ClusterData data, ClusterView view, Texts texts) {
        this.desired = desired;
        this.data = data;
        this.view = view;
        this.texts = texts;
        this.pods = new PodWriter(desired, data, view.now());
        this.controllers = new Controllers(desired, pods);
        this.events = new Events(desired, view.now());
        this.taints = new Taints(view);
    }

    void addAll() {
        List<Node> labelled = view.gpuNodes().stream().filter(node -> floors(node).labelled()).toList();
        Map<String, List<String>> operandPods = new LinkedHashMap<>();
        operands().forEach(operand -> operandPods.put(operand.name(), operand(operand, labelled)));
        data.idleOperands().forEach(operand -> operand(operand, List.of()));
        labelled.forEach(this::cudaValidator);
        exporterService(operandPods.getOrDefault("nvidia-dcgm-exporter", List.of()));
        nfdMaster();
        nfdWorkers();
        new PolicyObject(desired, data, view, texts, installed()).add(labelled.size(), statesNotReady);
    }

    /** With {@code driver.enabled=false} and {@code toolkit.enabled=false} there are neither of these DaemonSets. */
    private List<Operand> operands() {
        return data.operands().stream().filter(operand -> view.operatorBringsDriver()
                || !operand.deploy().equals("driver") && !operand.deploy().equals("container-toolkit")).toList();
    }

    private GpuFloors floors(Node node) {
        return new GpuFloors(view, data, node);
    }

    private Instant installed() {
        return view.nodes().stream().map(Node::bootedAt).min(Comparator.naturalOrder()).orElse(view.now());
    }

    private List<String> operand(Operand operand, List<Node> nodes) {
        List<String> names = new ArrayList<>();
        int wanted = 0;
        int ready = 0;
        int updated = 0;
        for (Node node : nodes) {
            PodPlan plan = plan(operand, node);
            PodLife life = described(operand, node, floors(node).life(operand));
            Optional<Node> bound = life instanceof PodLife.Unscheduled ? Optional.empty() : Optional.of(node);
            String name = pods.fill(plan, operand.name(), NAMESPACE + "/" + operand.name() + "/" + node.name(), bound,
                    life);
            names.add(name);
            boolean tolerated = plan.tolerates(taints.of(node).stream()
                    .filter(taint -> taint.startsWith("nvidia.com/gpu")).toList());
            wanted += tolerated ? 1 : 0;
            ready += life instanceof PodLife.Running && node.ready() ? 1 : 0;
            updated += isOld(operand, node) ? 0 : tolerated ? 1 : 0;
            events(operand, node, new ObjectKey(PodWriter.PODS, NAMESPACE, name), life);
        }
        PodPlan template = plan(operand, nodes.isEmpty() ? view.nodes().getFirst() : nodes.getFirst());
        controllers.addDaemonSet(template, operand.name(), installed(), operand.onDelete(),
                new Controllers.DaemonCounts(wanted, wanted, ready, updated, nodes.size() - wanted));
        if (ready < nodes.size()) {
            statesNotReady.add(operand.state());
        }
        return names;
    }

    /** While the sharing configuration is missing, the roll-out stands after its first pod. */
    private boolean isOld(Operand operand, Node node) {
        return operand.name().equals("nvidia-device-plugin-daemonset")
                && view.fault(Trap.TIME_SLICING_CONFIG_MISSING).isPresent()
                && view.fault(Trap.TIME_SLICING_CONFIG_MISSING, node).isEmpty();
    }

    private String driverTag(Node node) {
        return data.operator().driverVersion() + "-" + node.osTag();
    }

    private PodPlan plan(Operand operand, Node node) {
        PodPlan plan = new PodPlan(NAMESPACE, operand.app());
        plan.labels.put("app", operand.app());
        plan.labels.put("app.kubernetes.io/managed-by", "gpu-operator");
        plan.labels.put("helm.sh/chart", "gpu-operator-" + data.operator().chart());
        plan.owner = Optional.of(Controllers.daemonSet(NAMESPACE, operand.name()));
        plan.boundTo = node.name();
        plan.priorityClass = data.operator().priorityClass();
        plan.runtimeClass = operand.nvidiaRuntime() ? data.operator().runtimeClass() : "";
        plan.nodeSelector.put("nvidia.com/gpu.deploy." + operand.deploy(), "true");
        boolean trimmed = operand.name().equals("nvidia-device-plugin-daemonset")
                && view.fault(Trap.DEVICE_PLUGIN_MISSING_TOLERATION).isPresent();
        plan.tolerations.add(trimmed
                ? new Toleration("nvidia.com/gpu", "Equal", taints.usualValue(), "NoSchedule")
                : new Toleration("nvidia.com/gpu", "Exists", "", "NoSchedule"));
        operand.init().forEach(name -> plan.init.add(Container.plain(name, data.image(operand.initImage(),
                driverTag(node)))));
        if (newPluginConfig(operand, node)) {
            plan.init.add(Container.plain("config-manager-init", data.image(operand.image(), "")));
        }
        plan.main = new Container(operand.main(), data.image(operand.image(), driverTag(node)), Map.of(),
                limits(operand), operand.port(), operand.portName());
        return plan;
    }

    private boolean newPluginConfig(Operand operand, Node node) {
        return operand.name().equals("nvidia-device-plugin-daemonset")
                && view.fault(Trap.TIME_SLICING_CONFIG_MISSING, node).isPresent();
    }

    private Map<String, String> limits(Operand operand) {
        if (operand.name().equals("nvidia-driver-daemonset")
                && view.fault(Trap.DRIVER_OOM_WHILE_COMPILING).isPresent()) {
            return Map.of("memory", "512Mi");
        }
        if (operand.name().equals("nvidia-dcgm-exporter") && view.fault(Trap.DCGM_EXPORTER_OOM).isPresent()) {
            return Map.of("memory", "256Mi");
        }
        return operand.memoryLimit().isEmpty() ? Map.of() : Map.of("memory", operand.memoryLimit());
    }

    /** Fills in the sentences that need the whole cluster. */
    private PodLife described(Operand operand, Node node, PodLife life) {
        return switch (life) {
            case PodLife.Unscheduled unscheduled -> new PodLife.Unscheduled(unscheduled.born(),
                    texts.get("untoleratedPlugin", Map.of("nodes", view.nodes().size(), "others",
                            view.nodes().size() - 1, "taint", "nvidia.com/gpu: " + taints.oddValue())));
            case PodLife.NoImage none -> new PodLife.NoImage(none.born(), none.initDone(), none.reason(),
                    texts.get(none.reason().equals("ErrImagePull") ? "imageMissing" : "imageBackOff",
                            Map.of("image", data.image(operand.image(), driverTag(node)))));
            default -> life;
        };
    }

    private void events(Operand operand, Node node, ObjectKey pod, PodLife life) {
        switch (life) {
            case PodLife.Unscheduled unscheduled -> warn(pod, "default-scheduler", "FailedScheduling",
                    unscheduled.message(), unscheduled.born());
            case PodLife.NoImage none -> {
                String image = data.image(operand.image(), driverTag(node));
                warn(pod, "kubelet", "Failed", texts.get("imageMissing", Map.of("image", image)), none.born());
                warn(pod, "kubelet", "Failed", "Error: ImagePullBackOff", none.born().plusSeconds(2));
            }
            case PodLife.Crashing crashing -> warn(pod, "kubelet", "BackOff", texts.get("crashBackOff", Map.of(
                    "seconds", "5m0s", "container", operand.main(), "pod", pod.name(), "namespace", NAMESPACE, "uid",
                    Desired.uid(pod))).replace("back-off 5m0s ", "Back-off "), crashing.born());
            case PodLife.Held held when floors(node).runtimeMissing() -> warn(pod, "kubelet",
                    "FailedCreatePodSandBox", texts.get("noRuntime", Map.of()), held.born());
            case PodLife.Held held -> warn(pod, "kubelet", "FailedMount", texts.get("configMapMissing", Map.of()),
                    held.born());
            default -> { }
        }
    }

    private void warn(ObjectKey pod, String source, String reason, String message, Instant since) {
        events.about("Pod", pod, Events.Type.Warning, source, reason, message, since);
    }

    private void cudaValidator(Node node) {
        floors(node).cudaValidator().ifPresent(life -> {
            PodPlan plan = new PodPlan(NAMESPACE, "nvidia-cuda-validator");
            plan.labels.put("app", "nvidia-cuda-validator");
            plan.restartPolicy = "OnFailure";
            plan.runtimeClass = data.operator().runtimeClass();
            plan.tolerations.add(new Toleration("nvidia.com/gpu", "Exists", "", "NoSchedule"));
            String image = data.image("nvcr.io/nvidia/gpu-operator:{chart}", "");
            plan.init.add(Container.plain("cuda-validation", image));
            plan.main = Container.plain("nvidia-cuda-validator", image);
            plan.owner = Optional.of(Controllers.daemonSet(NAMESPACE, "nvidia-operator-validator"));
            pods.fill(plan, "nvidia-cuda-validator", NAMESPACE + "/cuda-validator/" + node.name(), Optional.of(node),
                    life);
        });
    }

    private void exporterService(List<String> exporters) {
        Map<String, String> label = Map.of("app", "nvidia-dcgm-exporter");
        ObjectNode service = new Services(desired, data).add(new Services.Plan(NAMESPACE, "nvidia-dcgm-exporter",
                label, label, 9400, 9400, "gpu-metrics", installed(), exporters));
        Desired.metadata(service).putObject("annotations").put("prometheus.io/scrape", "true");
    }

    private void nfdMaster() {
        List<Node> masters = view.nodes().stream().filter(Node::master).toList();
        if (masters.isEmpty()) {
            return;
        }
        PodPlan plan = nfd("master", data.nfdMaster());
        plan.nodeLabel = MASTER_TAINT;
        plan.nodeLabelValue = "true";
        String name = data.nfdMaster().name();
        String set = Controllers.replicaSetName(NAMESPACE, name);
        plan.owner = Optional.of(Controllers.replicaSet(NAMESPACE, set));
        Optional<ClusterView.Fault> fault = view.fault(Trap.NFD_MASTER_MISSING_TOLERATION);
        if (fault.isEmpty()) {
            plan.tolerations.add(new Toleration(MASTER_TAINT, "Equal", "", "NoSchedule"));
        }
        Node first = masters.getFirst();
        PodLife life = fault.<PodLife>map(missing -> new PodLife.Unscheduled(missing.since(), texts.get(
                "untoleratedMaster", Map.of("nodes", view.nodes().size(), "masters", masters.size(), "others",
                        view.nodes().size() - masters.size())))).orElseGet(() -> nfdLife(first));
        String pod = pods.fill(plan, set, NAMESPACE + "/" + name, fault.isPresent() ? Optional.empty()
                : Optional.of(first), life);
        if (life instanceof PodLife.Unscheduled unscheduled) {
            warn(new ObjectKey(PodWriter.PODS, NAMESPACE, pod), "default-scheduler", "FailedScheduling",
                    unscheduled.message(), unscheduled.born());
        }
        controllers.addDeployment(plan, name, installed(), 1, fault.isPresent() ? 0 : 1, false);
    }

    /** In the first minute after an installation NFD itself has only just started. */
    private PodLife nfdLife(Node node) {
        Instant start = view.fault(Trap.NFD_FIRST_SCAN_PENDING).map(ClusterView.Fault::since)
                .orElse(node.bootedAt().plusSeconds(15));
        return new PodLife.Running(start, start.plusSeconds(4));
    }

    private void nfdWorkers() {
        PodPlan plan = nfd("worker", data.nfdWorker());
        plan.tolerations.add(new Toleration("nvidia.com/gpu", "Exists", "", "NoSchedule"));
        plan.tolerations.add(new Toleration(MASTER_TAINT, "Exists", "", "NoSchedule"));
        for (Node node : view.nodes()) {
            plan.boundTo = node.name();
            plan.owner = Optional.of(Controllers.daemonSet(NAMESPACE, data.nfdWorker().name()));
            pods.fill(plan, data.nfdWorker().name(), NAMESPACE + "/nfd-worker/" + node.name(), Optional.of(node),
                    nfdLife(node));
        }
        int count = view.nodes().size();
        int ready = (int) view.nodes().stream().filter(Node::ready).count();
        controllers.addDaemonSet(plan, data.nfdWorker().name(), installed(), false,
                new Controllers.DaemonCounts(count, count, ready, count, 0));
    }

    private PodPlan nfd(String role, ClusterData.Image image) {
        PodPlan plan = new PodPlan(NAMESPACE, "node-feature-discovery");
        plan.labels.put("role", role);
        plan.labels.put("app.kubernetes.io/name", "node-feature-discovery");
        plan.labels.put("app.kubernetes.io/instance", "gpu-operator");
        plan.main = new Container(role, data.image(image.image(), ""), Map.of("cpu", "10m", "memory", "128Mi"),
                Map.of("memory", "512Mi"), 0, "");
        return plan;
    }
}
