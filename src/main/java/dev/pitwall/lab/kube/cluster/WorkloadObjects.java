package dev.pitwall.lab.kube.cluster;

import dev.pitwall.lab.kube.cluster.ClusterData.Churn;
import dev.pitwall.lab.kube.cluster.ClusterData.Workload;
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

/** What runs in the cluster and has nothing to do with cards. */
final class WorkloadObjects {
    private final ClusterData data;
    private final ClusterView view;
    private final PodWriter pods;
    private final Controllers controllers;
    private final Services services;

    WorkloadObjects(Desired desired, ClusterData data, ClusterView view) {
        this.data = data;
        this.view = view;
        this.pods = new PodWriter(desired, data, view.now());
        this.controllers = new Controllers(desired, pods);
        this.services = new Services(desired, data);
    }

    void addAll() {
        data.workloads().forEach(this::add);
    }

    /** Pods that come and go. To be added last, so that no other pod's address depends on them. */
    void addChurn() {
        churn(data.churn());
    }

    private void add(Workload workload) {
        List<Node> nodes = nodes(workload.on());
        if (nodes.isEmpty()) {
            return;
        }
        List<String> names = switch (workload.kind()) {
            case "Static" -> onEach(workload, nodes);
            case "DaemonSet" -> daemonSet(workload, nodes);
            case "StatefulSet" -> statefulSet(workload, nodes);
            default -> deployment(workload, nodes);
        };
        if (!workload.service().isEmpty()) {
            services.add(new Services.Plan(workload.namespace(), workload.service(), workload.serviceLabels(),
                    labels(workload), workload.port(), workload.port(), workload.portName(), created(nodes), names));
        }
    }

    /** Where there are no plain workers, as on a single node, everything shares what there is. */
    private List<Node> nodes(String on) {
        boolean alone = view.nodes().stream().allMatch(node -> node.master() || node.hasCards());
        return view.nodes().stream().filter(node -> switch (on) {
            case "masters" -> node.master();
            case "workers" -> alone || !node.master() && !node.hasCards();
            default -> true;
        }).toList();
    }

    private PodPlan plan(Workload workload) {
        PodPlan plan = new PodPlan(workload.namespace(), workload.name());
        plan.labels.putAll(labels(workload));
        Map<String, String> requests = new LinkedHashMap<>();
        if (!workload.cpu().isEmpty()) {
            requests.put("cpu", workload.cpu());
        }
        if (!workload.memory().isEmpty()) {
            requests.put("memory", workload.memory());
        }
        Map<String, String> limits = workload.memory().isEmpty() ? Map.of() : Map.of("memory", workload.memory());
        plan.main = new Container(workload.name(), data.image(workload.image(), ""), requests, limits,
                workload.port(), workload.portName());
        plan.hostNetwork = workload.hostNetwork() || workload.kind().equals("Static");
        boolean everywhere = workload.on().equals("all") || workload.kind().equals("Static");
        plan.tolerations.add(everywhere ? Toleration.ALL : workload.on().equals("masters")
                ? new Toleration("node-role.kubernetes.io/control-plane", "Exists", "", "NoSchedule")
                : new Toleration("node.kubernetes.io/not-ready", "Exists", "", "NoExecute"));
        plan.priorityClass = workload.kind().equals("Static") ? "system-node-critical" : "";
        return plan;
    }

    private static Map<String, String> labels(Workload workload) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("app.kubernetes.io/name", workload.name());
        labels.putAll(workload.labels());
        return labels;
    }

    /** Static pods bear their node's name. */
    private List<String> onEach(Workload workload, List<Node> nodes) {
        List<String> names = new ArrayList<>();
        for (Node node : nodes) {
            PodPlan plan = plan(workload);
            plan.annotations.put("kubernetes.io/config.source", "file");
            plan.owner = Optional.of(new Owner("v1", "Node", node.name(), Desired.uid(
                    new ObjectKey(NodeObjects.NODES, "", node.name()))));
            String name = workload.name() + "-" + node.name();
            pods.add(plan, name, Optional.of(node), running(node, 0));
            names.add(name);
        }
        return names;
    }

    private List<String> daemonSet(Workload workload, List<Node> nodes) {
        List<String> names = new ArrayList<>();
        PodPlan plan = plan(workload);
        for (Node node : nodes) {
            plan.boundTo = node.name();
            plan.owner = Optional.of(Controllers.daemonSet(workload.namespace(), workload.name()));
            names.add(pods.fill(plan, workload.name(), workload.namespace() + "/" + workload.name() + "/"
                    + node.name(), Optional.of(node), running(node, 8)));
        }
        int ready = (int) nodes.stream().filter(Node::ready).count();
        controllers.addDaemonSet(plan, workload.name(), created(nodes), false, new Controllers.DaemonCounts(
                nodes.size(), nodes.size(), ready, nodes.size(), 0));
        return names;
    }

    private List<String> deployment(Workload workload, List<Node> nodes) {
        PodPlan plan = plan(workload);
        String set = Controllers.replicaSetName(workload.namespace(), workload.name());
        plan.labels.put("pod-template-hash", set.substring(workload.name().length() + 1));
        plan.owner = Optional.of(Controllers.replicaSet(workload.namespace(), set));
        List<String> names = new ArrayList<>();
        int ready = 0;
        for (int i = 0; i < workload.replicas(); i++) {
            String place = workload.namespace() + "/" + workload.name() + "/" + i;
            Node node = choose(nodes, place);
            ready += node.ready() ? 1 : 0;
            names.add(pods.fill(plan, set, place, Optional.of(node), running(node, 12 + i)));
        }
        controllers.addDeployment(plan, workload.name(), created(nodes), workload.replicas(), ready, false);
        return names;
    }

    private List<String> statefulSet(Workload workload, List<Node> nodes) {
        PodPlan plan = plan(workload);
        plan.owner = Optional.of(Controllers.statefulSet(workload.namespace(), workload.name()));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < workload.replicas(); i++) {
            Node node = choose(nodes, workload.name() + i);
            String name = workload.name() + "-" + i;
            pods.add(plan, name, Optional.of(node), running(node, 12));
            names.add(name);
        }
        controllers.addStatefulSet(plan, workload.name(), created(nodes), workload.replicas(), workload.replicas());
        return names;
    }

    /** The same node for the same place as long as the node answers; another one when it does not. */
    private static Node choose(List<Node> nodes, String place) {
        Comparator<Node> draw = Comparator.comparingLong(node -> Names.hash(place + "@" + node.name()));
        return nodes.stream().filter(Node::ready).max(draw).orElseGet(() -> nodes.stream().max(draw).orElseThrow());
    }

    private static PodLife running(Node node, long seconds) {
        return new PodLife.Running(node.bootedAt().plusSeconds(seconds), node.bootedAt().plusSeconds(seconds + 4));
    }

    private static Instant created(List<Node> nodes) {
        return nodes.stream().map(Node::bootedAt).min(Comparator.naturalOrder()).orElseThrow();
    }

    /** Build pods, one after the other: each is pulled, runs, stays a while as Completed and is removed. */
    private void churn(Churn churn) {
        List<Node> nodes = nodes("workers");
        if (nodes.isEmpty() || churn.every() <= 0) {
            return;
        }
        long now = view.now().getEpochSecond();
        long newest = now / churn.every();
        long oldest = (now - churn.pull() - churn.run() - churn.keep()) / churn.every() + 1;
        for (long number = oldest; number <= newest; number++) {
            Instant born = Instant.ofEpochSecond(number * churn.every());
            String name = churn.name() + "-" + Names.suffix("churn" + number, 8);
            PodPlan plan = new PodPlan(churn.namespace(), churn.name());
            plan.labels.put("app", churn.name());
            plan.restartPolicy = "Never";
            plan.main = new Container("step", churn.image(), Map.of("cpu", churn.cpu(), "memory", churn.memory()),
                    Map.of("memory", churn.memory()), 0, "");
            pods.add(plan, name, Optional.of(choose(nodes, name)), churnLife(churn, born));
        }
    }

    private PodLife churnLife(Churn churn, Instant born) {
        Instant started = born.plusSeconds(churn.pull());
        Instant ended = started.plusSeconds(churn.run());
        if (view.now().isBefore(started)) {
            return new PodLife.Held(born);
        }
        return view.now().isBefore(ended) ? new PodLife.Running(born, started)
                : new PodLife.Finished(born, started, ended);
    }
}
