package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.cluster.ClusterView.Node;
import dev.pitwall.lab.kube.cluster.ClusterView.Server;
import dev.pitwall.lab.kube.cluster.PodPlan.Container;
import dev.pitwall.lab.kube.cluster.PodPlan.Toleration;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What uses cards, or would like to: model servers, notebooks and jobs. */
final class ServerObjects {
    private static final String GPU = "nvidia.com/gpu";
    private static final Resource NOTEBOOKS = new Resource("kubeflow.org", "notebooks");

    private final Desired desired;
    private final ClusterData data;
    private final ClusterView view;
    private final Texts texts;
    private final PodWriter pods;
    private final Controllers controllers;
    private final Services services;
    private final Events events;
    private final CardClaims claims;

    ServerObjects(Desired desired, ClusterData data, ClusterView view, Texts texts) {
        this.desired = desired;
        this.data = data;
        this.view = view;
        this.texts = texts;
        this.pods = new PodWriter(desired, data, view.now());
        this.controllers = new Controllers(desired, pods);
        this.services = new Services(desired, data);
        this.events = new Events(desired, view.now());
        this.claims = new CardClaims(view, data);
    }

    void addAll() {
        view.servers().forEach(this::server);
        data.notebooks().forEach(notebook -> view.nodes().stream().filter(node -> !node.master() && !node.hasCards())
                .findFirst().ifPresent(node -> notebook(notebook, node, Optional.empty())));
        claims.notebook().ifPresent(held -> notebook(data.gpuNotebook(), held.node(), Optional.of(held)));
        view.fault(Trap.GPUS_HELD_BY_OTHER_PODS).ifPresent(this::heldCards);
    }

    private void server(Server server) {
        ClusterData.Ollama program = data.program(server.kind());
        String word = server.kind().word();
        PodPlan plan = new PodPlan(server.namespace(), server.name());
        plan.labels.put("app.kubernetes.io/instance", server.name());
        plan.labels.put("app.kubernetes.io/name", word);
        plan.main = new Container(word, program.image().replace("{version}", server.version()),
                Map.of("cpu", program.cpu(), "memory", program.memory(), GPU, "1"), Map.of(GPU, "1"), program.port(),
                "http");
        plan.nodeSelector.put("kubernetes.io/hostname", server.node());
        admitted(plan);
        String set = Controllers.replicaSetName(server.namespace(), server.name());
        plan.labels.put("pod-template-hash", set.substring(server.name().length() + 1));
        plan.owner = Optional.of(Controllers.replicaSet(server.namespace(), set));
        PodLife life = claims.life(server) instanceof PodLife.Unscheduled waiting
                ? new PodLife.Unscheduled(waiting.born(), insufficient(1)) : claims.life(server);
        Optional<Node> node = life instanceof PodLife.Unscheduled ? Optional.empty() : view.node(server.node());
        String pod = pods.fill(plan, set, server.namespace() + "/" + server.name(), node, life);
        waits(new ObjectKey(PodWriter.PODS, server.namespace(), pod), life);
        boolean ready = life instanceof PodLife.Running && node.filter(Node::ready).isPresent();
        Instant created = life.born().minus(Duration.ofDays(2));
        controllers.addDeployment(plan, server.name(), created, 1, ready ? 1 : 0, true);
        services.add(new Services.Plan(server.namespace(), server.name(), Map.of("app.kubernetes.io/name", word,
                "app.kubernetes.io/instance", server.name()), Map.of("app.kubernetes.io/instance", server.name()),
                program.port(), program.port(), "http", created, List.of(pod)));
    }

    /** What the policy {@code gpu-pods-to-gpu-nodes} writes into every pod that asks for a card. */
    private void admitted(PodPlan plan) {
        plan.tolerations.add(new Toleration(GPU, "Equal", new Taints(view).usualValue(), "NoSchedule"));
        boolean pooled = view.gpuNodes().stream().anyMatch(node -> "gpu".equals(node.labels().get("nodepool")));
        if (pooled) {
            plan.nodeLabel = "nodepool";
            plan.nodeLabelValue = "gpu";
        }
    }

    private String insufficient(int gpuNodes) {
        return texts.get("insufficientGpu", Map.of("nodes", view.nodes().size(), "gpuNodes", gpuNodes, "others",
                view.nodes().size() - gpuNodes));
    }

    private void waits(ObjectKey pod, PodLife life) {
        if (life instanceof PodLife.Unscheduled unscheduled) {
            events.about("Pod", pod, Events.Type.Warning, "default-scheduler", "FailedScheduling",
                    unscheduled.message(), unscheduled.born());
        }
    }

    private void notebook(ClusterData.Notebook notebook, Node node, Optional<CardClaims.Notebook> held) {
        Instant created = view.nodes().stream().map(Node::bootedAt).min(Instant::compareTo).orElse(view.now())
                .minus(Duration.ofDays(notebook.days()));
        boolean stopped = held.filter(by -> by.trap() == Trap.CLAIM_HELD_BY_TERMINATING_POD).isPresent();
        PodPlan plan = new PodPlan(notebook.namespace(), notebook.name());
        plan.labels.put("statefulset", notebook.name());
        plan.labels.put("app", notebook.name());
        plan.labels.put("notebook-name", notebook.name());
        plan.owner = Optional.of(Controllers.statefulSet(notebook.namespace(), notebook.name()));
        Map<String, String> plain = Map.of("cpu", notebook.cpu(), "memory", notebook.memory());
        Map<String, String> withCard = Map.of("cpu", notebook.cpu(), "memory", notebook.memory(), GPU, "1");
        plan.main = new Container(notebook.name(), notebook.image(), held.isPresent() ? withCard : plain,
                held.isPresent() ? Map.of(GPU, "1") : Map.of(), 8888, "notebook-port");
        if (held.isPresent()) {
            admitted(plan);
        }
        Instant started = created.plusSeconds(41);
        PodLife life = stopped ? new PodLife.Terminating(created, started, held.orElseThrow().since(),
                data.times().terminationGrace()) : new PodLife.Running(created, started);
        String pod = notebook.name() + "-0";
        pods.add(plan, pod, Optional.of(node), life);
        controllers.addStatefulSet(plan, notebook.name(), created, stopped ? 0 : 1, stopped ? 0 : 1);
        notebookObject(notebook, plan, created, stopped, held);
        services.add(new Services.Plan(notebook.namespace(), notebook.name(), Map.of(),
                Map.of("statefulset", notebook.name()), 80, 8888, "http-" + notebook.name(), created, List.of(pod)));
        if (stopped) {
            events.about("Pod", new ObjectKey(PodWriter.PODS, notebook.namespace(), pod), Events.Type.Normal,
                    "kubelet", "Killing", "Stopping container " + notebook.name(), held.orElseThrow().since());
        }
    }

    private void notebookObject(ClusterData.Notebook notebook, PodPlan plan, Instant created, boolean stopped,
                                Optional<CardClaims.Notebook> held) {
        ObjectNode object = desired.add(NOTEBOOKS, notebook.namespace(), notebook.name(), created);
        Instant idle = view.nodes().stream().map(Node::bootedAt).min(Instant::compareTo).orElse(created)
                .minus(Duration.ofDays(notebook.idleDays()));
        ObjectNode annotations = Desired.metadata(object).putObject("annotations")
                .put("notebooks.kubeflow.org/last-activity", ObjectStore.timestamp(idle));
        if (stopped) {
            annotations.put("kubeflow-resource-stopped", ObjectStore.timestamp(held.orElseThrow().since()));
        }
        Desired.labels(object, Map.of("app", notebook.name()));
        object.putObject("spec").putObject("template").set("spec", pods.spec(plan, Optional.empty()));
        ObjectNode status = object.putObject("status").put("readyReplicas", stopped ? 0 : 1);
        status.putArray("conditions");
        ObjectNode state = status.putObject("containerState");
        if (!stopped) {
            state.putObject("running").put("startedAt", ObjectStore.timestamp(created.plusSeconds(41)));
        }
    }

    /** Jobs hold whatever is free, and one more waits. */
    private void heldCards(ClusterView.Fault fault) {
        for (Node node : view.gpuNodes()) {
            for (long i = claims.free(node); i > 0; i--) {
                job("sweep-" + node.name() + "-" + i, Optional.of(node),
                        new PodLife.Running(fault.since(), fault.since().plusSeconds(5)));
            }
        }
        job(data.pendingJob().name(), Optional.empty(),
                new PodLife.Unscheduled(fault.since(), insufficient(view.gpuNodes().size())));
    }

    private void job(String name, Optional<Node> node, PodLife life) {
        ClusterData.Job job = data.pendingJob();
        PodPlan plan = new PodPlan(job.namespace(), name);
        plan.labels.put("katib.kubeflow.org/experiment", job.name());
        plan.labels.put("katib.kubeflow.org/trial", name);
        plan.restartPolicy = "Never";
        plan.main = new Container("training-container", job.image(),
                Map.of("cpu", job.cpu(), "memory", job.memory(), GPU, "1"), Map.of(GPU, "1"), 0, "");
        admitted(plan);
        String pod = name + "-" + Names.suffix(name, 5);
        pods.add(plan, pod, node, life);
        waits(new ObjectKey(PodWriter.PODS, job.namespace(), pod), life);
    }
}
