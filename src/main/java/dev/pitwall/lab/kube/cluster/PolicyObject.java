package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The operator's ClusterPolicy. A policy with nothing to do counts as ready, and its reason says so. */
final class PolicyObject {
    private static final Resource POLICIES = new Resource("nvidia.com", "clusterpolicies");

    private final Desired desired;
    private final ClusterData data;
    private final ClusterView view;
    private final Texts texts;
    private final Instant installed;

    PolicyObject(Desired desired, ClusterData data, ClusterView view, Texts texts, Instant installed) {
        this.desired = desired;
        this.data = data;
        this.view = view;
        this.texts = texts;
        this.installed = installed;
    }

    void add(int gpuNodes, List<String> statesNotReady) {
        ObjectNode policy = desired.add(POLICIES, "", "cluster-policy", installed);
        Desired.labels(policy, Map.of("app.kubernetes.io/component", "gpu-operator",
                "app.kubernetes.io/managed-by", "Helm", "helm.sh/chart", "gpu-operator-" + data.operator().chart()));
        spec(policy.putObject("spec"));
        status(policy.putObject("status"), gpuNodes, statesNotReady);
    }

    private void spec(ObjectNode spec) {
        spec.putObject("operator").put("defaultRuntime", "containerd").put("runtimeClass",
                data.operator().runtimeClass());
        ObjectNode daemonsets = spec.putObject("daemonsets").put("priorityClassName",
                data.operator().priorityClass()).put("updateStrategy", "RollingUpdate");
        daemonsets.putArray("tolerations").addObject().put("key", "nvidia.com/gpu").put("operator", "Exists")
                .put("effect", "NoSchedule");
        ObjectNode driver = spec.putObject("driver").put("enabled", true).put("repository", "nvcr.io/nvidia")
                .put("image", "driver").put("version", data.operator().driverVersion()).put("usePrecompiled", false)
                .put("kernelModuleType", "auto");
        driver.putObject("upgradePolicy").put("autoUpgrade", true).put("maxParallelUpgrades", 1);
        limit(driver, view.fault(Trap.DRIVER_OOM_WHILE_COMPILING).isPresent() ? "512Mi" : "4Gi");
        toolkit(spec.putObject("toolkit").put("enabled", true));
        spec.putObject("cdi").put("enabled", true).put("nriPluginEnabled", false);
        ObjectNode plugin = spec.putObject("devicePlugin").put("enabled", true);
        if (view.fault(Trap.TIME_SLICING_CONFIG_MISSING).isPresent()) {
            plugin.putObject("config").put("name", "time-slicing-config").put("default", "a1000");
        }
        ObjectNode exporter = spec.putObject("dcgmExporter").put("enabled", true);
        limit(exporter, view.fault(Trap.DCGM_EXPORTER_OOM).isPresent() ? "256Mi" : "1Gi");
        exporter.putObject("serviceMonitor").put("enabled", true);
        spec.putObject("dcgm").put("enabled", false);
        spec.putObject("gfd").put("enabled", true);
        spec.putObject("mig").put("strategy", "single");
        spec.putObject("nodeStatusExporter").put("enabled", false);
        spec.putObject("validator");
    }

    private static void limit(ObjectNode part, String memory) {
        part.putObject("resources").putObject("limits").put("memory", memory);
    }

    private void toolkit(ObjectNode toolkit) {
        ArrayNode env = toolkit.putArray("env");
        if (view.fault(Trap.CONTAINERD_SOCKET_WRONG_PATH).isEmpty()) {
            env.addObject().put("name", "CONTAINERD_SOCKET").put("value", "/run/k3s/containerd/containerd.sock");
        }
        if (view.fault(Trap.RUNTIME_HANDLER_NOT_CONFIGURED).isPresent()) {
            env.addObject().put("name", "CONTAINERD_RESTART_MODE").put("value", "none");
        }
    }

    private void status(ObjectNode status, int gpuNodes, List<String> statesNotReady) {
        boolean nfdMissing = view.fault(Trap.NFD_MASTER_MISSING_TOLERATION).isPresent();
        boolean ready = gpuNodes == 0 || statesNotReady.isEmpty();
        status.put("namespace", OperatorObjects.NAMESPACE).put("state", ready ? "ready" : "notReady");
        String reason = gpuNodes > 0 ? ready ? "Reconciled" : statesNotReady.contains("state-driver")
                ? "DriverNotReady" : "OperandNotReady" : nfdMissing ? "NFDLabelsMissing" : "NoGPUNodes";
        String message = switch (reason) {
            case "Reconciled" -> texts.get("policyReady", Map.of());
            case "NFDLabelsMissing" -> texts.get("policyNoNfd", Map.of());
            case "NoGPUNodes" -> texts.get("policyNoGpu", Map.of());
            default -> texts.get("policyNotReady", Map.of("states", String.join(" ", statesNotReady)));
        };
        ArrayNode conditions = status.putArray("conditions");
        condition(conditions, "Ready", ready, reason, message);
        condition(conditions, "Error", !ready, ready ? "Ready" : reason, ready ? "" : message);
    }

    private void condition(ArrayNode conditions, String type, boolean is, String reason, String message) {
        Instant since = view.faults().stream().map(ClusterView.Fault::since).max(Instant::compareTo).orElse(installed);
        conditions.addObject().put("type", type).put("status", is ? "True" : "False").put("reason", reason)
                .put("message", message).put("lastTransitionTime", ObjectStore.timestamp(since));
    }
}
