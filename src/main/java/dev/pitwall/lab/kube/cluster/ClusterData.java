package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.world.LabModelServer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code lab/kube/cluster.yaml} says runs in a cluster. Times are seconds of lab time. */
record ClusterData(String domain, String podNetwork, String serviceNetwork, Times times,
                   Map<String, String> cudaByBranch, List<GpuKind> gpuKinds, List<Space> namespaces,
                   List<Workload> workloads, Churn churn, Image nfdMaster, Image nfdWorker, Operator operator,
                   List<Operand> operands, List<Operand> idleOperands, Ollama ollama, Ollama llamaServer, List<Notebook> notebooks,
                   Notebook gpuNotebook, Job pendingJob) {

    record Times(int driverCompile, int nfdFirstScan, int driverValidated, int toolkitRunning, int toolkitReady,
                 int toolkitValidated, int pluginRunning, int pluginRegistered, int discoveryLabels,
                 int exporterRunning, int cudaValidated, int pluginValidated, int unhealthyGrace,
                 int terminationGrace) {
    }

    /** @param name part of the product's name */
    record GpuKind(String name, String family, String compute, String mode) {
    }

    record Space(String name, Map<String, String> labels) {
        Space {
            labels = labels == null ? Map.of() : labels;
        }
    }

    /**
     * @param kind    Static, DaemonSet, Deployment or StatefulSet
     * @param on      masters, workers or all
     * @param port    0 for none
     * @param service name of a Service for it; empty for none
     */
    record Workload(String kind, String namespace, String name, String image, int replicas, String on, String cpu,
                    String memory, boolean hostNetwork, int port, String portName, String service,
                    Map<String, String> labels, Map<String, String> serviceLabels) {
        Workload {
            cpu = cpu == null ? "" : cpu;
            memory = memory == null ? "" : memory;
            portName = portName == null ? "" : portName;
            service = service == null ? "" : service;
            labels = labels == null ? Map.of() : labels;
            serviceLabels = serviceLabels == null ? Map.of() : serviceLabels;
        }
    }

    record Churn(String namespace, String name, String image, int every, int pull, int run, int keep, String cpu,
                 String memory) {
    }

    record Image(String name, String image) {
    }

    record Operator(String chart, String nfd, String driverVersion, String priorityClass, String runtimeClass) {
    }

    record Operand(String name, String app, String state, String deploy, String main, String image, boolean onDelete,
                   boolean nvidiaRuntime, int port, String portName, String memoryLimit, List<String> init,
                   String initImage) {
        Operand {
            memoryLimit = memoryLimit == null ? "" : memoryLimit;
            portName = portName == null ? "" : portName;
        }
    }

    record Ollama(String image, String cpu, String memory, int port) {
    }

    record Notebook(String namespace, String name, String image, String cpu, String memory, int idleDays, int days) {
    }

    record Job(String namespace, String name, String image, String cpu, String memory) {
    }

    static ClusterData load() {
        try (InputStream in = ClusterData.class.getResourceAsStream("/lab/kube/cluster.yaml")) {
            return new YAMLMapper().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .readValue(in, ClusterData.class);
        } catch (IOException e) {
            throw new UncheckedIOException("the lab's cluster description cannot be read", e);
        }
    }

    /** An image with its placeholders filled. */
    String image(String template, String driverTag) {
        return template.replace("{chart}", operator.chart()).replace("{nfd}", operator.nfd())
                .replace("{driverTag}", driverTag);
    }

    /** What a model server's pod runs. */
    Ollama program(LabModelServer.Kind kind) {
        return switch (kind) {
            case OLLAMA -> ollama;
            case LLAMA_SERVER -> llamaServer;
        };
    }

    Optional<GpuKind> gpuKind(String product) {
        return gpuKinds.stream().filter(kind -> product.contains(kind.name())).findFirst();
    }

    Operand operand(String name) {
        return operands.stream().filter(operand -> operand.name().equals(name)).findFirst().orElseThrow();
    }
}
