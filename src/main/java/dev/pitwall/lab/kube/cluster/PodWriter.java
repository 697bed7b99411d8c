package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.cluster.ClusterView.Node;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Writes pods: specification from a plan, status from where the pod is in its life. */
final class PodWriter {
    static final Resource PODS = Resource.core("pods");
    private static final long START_SECONDS = 3;

    private final Desired desired;
    private final ClusterData data;
    private final Instant now;

    PodWriter(Desired desired, ClusterData data, Instant now) {
        this.desired = desired;
        this.data = data;
        this.now = now;
    }

    /**
     * Adds the pod that fills a place of a controller, such as one node of a DaemonSet. Its name ends in a suffix that
     * is another once somebody has deleted the pod before it.
     *
     * @param base  what the name begins with
     * @param place unique in the cluster
     * @return the pod's name
     */
    String fill(PodPlan plan, String base, String place, Optional<Node> node, PodLife life) {
        Incarnations.Pod pod = desired.incarnations().of(place, life, now);
        String name = base + "-" + Names.suffix(place + pod.number(), 5);
        add(plan, name, node, lived(life, pod));
        desired.places().put(new ObjectKey(PODS, plan.namespace, name), place);
        return name;
    }

    /** A place's life, as this very pod lives it: nothing in it is older than the pod. */
    private PodLife lived(PodLife life, Incarnations.Pod pod) {
        Instant born = pod.born();
        return switch (life) {
            case PodLife.Unscheduled unscheduled -> new PodLife.Unscheduled(born, unscheduled.message());
            case PodLife.Held held -> new PodLife.Held(born);
            case PodLife.Initializing initializing ->
                    new PodLife.Initializing(born, initializing.done(), later(initializing.since(), born));
            case PodLife.NoImage none ->
                    new PodLife.NoImage(born, none.initDone(), none.reason(), none.message());
            case PodLife.Starting starting ->
                    new PodLife.Starting(born, later(starting.started(), born), starting.restarts());
            case PodLife.Crashing crashing -> new PodLife.Crashing(born, crashing.restarts(),
                    later(crashing.started(), born), later(crashing.ended(), born), crashing.exitCode(),
                    crashing.reason());
            case PodLife.Running running -> running(running, pod);
            case PodLife.Finished finished -> finished.started().isBefore(born)
                    ? new PodLife.Finished(born, pod.changed(), pod.changed()) : new PodLife.Finished(born,
                    finished.started(), finished.ended());
            case PodLife.Terminating terminating -> terminating;
        };
    }

    private PodLife running(PodLife.Running running, Incarnations.Pod pod) {
        boolean inTime = !running.started().isBefore(pod.born());
        Instant started = inTime ? running.started() : pod.changed().plusSeconds(START_SECONDS);
        return now.isBefore(started) ? new PodLife.Held(pod.born()) : new PodLife.Running(pod.born(), started);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /**
     * Adds a pod.
     *
     * @param node where it is bound; empty while no node takes it
     * @return the object, for what is particular to it
     */
    ObjectNode add(PodPlan plan, String name, Optional<Node> node, PodLife planned) {
        PodLife life = node.filter(bound -> !bound.ready()).isPresent() ? unanswered(planned) : planned;
        ObjectNode pod = desired.add(PODS, plan.namespace, name, life.born());
        Desired.labels(pod, plan.labels);
        if (!plan.annotations.isEmpty()) {
            ObjectNode annotations = Desired.metadata(pod).putObject("annotations");
            plan.annotations.forEach(annotations::put);
        }
        plan.owner.ifPresent(owner -> Desired.ownedBy(pod, owner));
        pod.set("spec", spec(plan, node));
        pod.set("status", status(plan, name, node, life));
        if (life instanceof PodLife.Terminating terminating) {
            Desired.metadata(pod)
                    .put("deletionTimestamp", time(terminating.told().plusSeconds(terminating.graceSeconds())))
                    .put("deletionGracePeriodSeconds", terminating.graceSeconds());
        }
        return pod;
    }

    /** On a node that does not answer, nothing is known to be ready. */
    private static PodLife unanswered(PodLife life) {
        return life instanceof PodLife.Running running
                ? new PodLife.Starting(running.born(), running.started(), 0) : life;
    }

    ObjectNode spec(PodPlan plan, Optional<Node> node) {
        ObjectNode spec = Json.object();
        if (!plan.boundTo.isEmpty()) {
            spec.putObject("affinity").putObject("nodeAffinity")
                    .putObject("requiredDuringSchedulingIgnoredDuringExecution").putArray("nodeSelectorTerms")
                    .addObject().putArray("matchFields").addObject().put("key", "metadata.name").put("operator", "In")
                    .putArray("values").add(plan.boundTo);
        }
        if (!plan.init.isEmpty()) {
            ArrayNode init = spec.putArray("initContainers");
            plan.init.forEach(container -> container(init, container));
        }
        container(spec.putArray("containers"), plan.main);
        node.ifPresent(bound -> spec.put("nodeName", bound.name()));
        if (!plan.nodeSelector.isEmpty()) {
            ObjectNode selector = spec.putObject("nodeSelector");
            plan.nodeSelector.forEach(selector::put);
        }
        put(spec, "priorityClassName", plan.priorityClass);
        put(spec, "runtimeClassName", plan.runtimeClass);
        if (plan.hostNetwork) {
            spec.put("hostNetwork", true);
        }
        spec.put("restartPolicy", plan.restartPolicy).put("dnsPolicy", "ClusterFirst")
                .put("schedulerName", "default-scheduler").put("serviceAccountName", "default")
                .put("terminationGracePeriodSeconds", plan.graceSeconds);
        if (!plan.nodeLabel.isEmpty()) {
            requireLabel(spec, plan.nodeLabel, plan.nodeLabelValue);
        }
        ArrayNode tolerations = spec.putArray("tolerations");
        for (PodPlan.Toleration toleration : plan.tolerations) {
            ObjectNode entry = tolerations.addObject();
            put(entry, "key", toleration.key());
            entry.put("operator", toleration.operator());
            put(entry, "value", toleration.value());
            put(entry, "effect", toleration.effect());
        }
        return spec;
    }

    private static void requireLabel(ObjectNode spec, String label, String value) {
        spec.withObjectProperty("affinity").putObject("nodeAffinity")
                .putObject("requiredDuringSchedulingIgnoredDuringExecution").putArray("nodeSelectorTerms").addObject()
                .putArray("matchExpressions").addObject().put("key", label).put("operator", "In")
                .putArray("values").add(value);
    }

    private static void container(ArrayNode list, PodPlan.Container container) {
        ObjectNode entry = list.addObject().put("name", container.name()).put("image", container.image())
                .put("imagePullPolicy", "IfNotPresent");
        if (container.port() > 0) {
            ObjectNode port = entry.putArray("ports").addObject();
            put(port, "name", container.portName());
            port.put("containerPort", container.port()).put("protocol", "TCP");
        }
        ObjectNode resources = entry.putObject("resources");
        quantities(resources, "limits", container.limits());
        quantities(resources, "requests", container.requests());
    }

    private static void quantities(ObjectNode resources, String name, Map<String, String> quantities) {
        if (!quantities.isEmpty()) {
            ObjectNode node = resources.putObject(name);
            quantities.forEach(node::put);
        }
    }

    private ObjectNode status(PodPlan plan, String name, Optional<Node> node, PodLife life) {
        ObjectNode status = Json.object();
        status.put("phase", phase(life));
        boolean initialized = initDone(plan, life) == plan.init.size() && !(life instanceof PodLife.Unscheduled)
                && !(life instanceof PodLife.Held && !plan.init.isEmpty());
        boolean ready = life instanceof PodLife.Running;
        boolean finished = life instanceof PodLife.Finished;
        ArrayNode conditions = status.putArray("conditions");
        if (life instanceof PodLife.Unscheduled unscheduled) {
            condition(conditions, "PodScheduled", false, life.born(), "Unschedulable", unscheduled.message());
            status.put("qosClass", qos(plan));
            return status;
        }
        Instant changed = started(life);
        condition(conditions, "Initialized", initialized, changed,
                initialized ? finished ? "PodCompleted" : "" : "ContainersNotInitialized",
                initialized ? "" : "containers with incomplete status: [" + pending(plan, life) + "]");
        String notReady = finished ? "PodCompleted" : "ContainersNotReady";
        String message = finished ? "" : "containers with unready status: [" + plan.main.name() + "]";
        condition(conditions, "Ready", ready, changed, ready ? "" : notReady, ready ? "" : message);
        condition(conditions, "ContainersReady", ready, changed, ready ? "" : notReady, ready ? "" : message);
        condition(conditions, "PodScheduled", true, life.born(), "", "");
        node.ifPresent(bound -> {
            status.put("hostIP", bound.address());
            if (!(life instanceof PodLife.Held)) {
                status.put("podIP", plan.hostNetwork ? bound.address() : podIp(bound, name));
            }
        });
        status.put("startTime", time(life.born()));
        new ContainerStatuses(plan, name, life).into(status);
        status.put("qosClass", qos(plan));
        return status;
    }

    private String podIp(Node node, String name) {
        return desired.claimIp(data.podNetwork() + "." + node.index() % 256, name);
    }

    private static String phase(PodLife life) {
        return switch (life) {
            case PodLife.Unscheduled u -> "Pending";
            case PodLife.Held h -> "Pending";
            case PodLife.Initializing i -> "Pending";
            case PodLife.NoImage n -> "Pending";
            case PodLife.Starting s -> "Running";
            case PodLife.Running r -> "Running";
            case PodLife.Crashing c -> "Running";
            case PodLife.Terminating t -> "Running";
            case PodLife.Finished f -> "Succeeded";
        };
    }

    private static int initDone(PodPlan plan, PodLife life) {
        return switch (life) {
            case PodLife.Unscheduled u -> 0;
            case PodLife.Held h -> 0;
            case PodLife.Initializing initializing -> initializing.done();
            default -> plan.init.size();
        };
    }

    private static String pending(PodPlan plan, PodLife life) {
        return String.join(" ", plan.init.stream().skip(initDone(plan, life)).map(PodPlan.Container::name).toList());
    }

    private static Instant started(PodLife life) {
        return switch (life) {
            case PodLife.Initializing initializing -> initializing.since();
            case PodLife.Starting starting -> starting.started();
            case PodLife.Running running -> running.started();
            case PodLife.Crashing crashing -> crashing.ended();
            case PodLife.Finished finished -> finished.ended();
            case PodLife.Terminating terminating -> terminating.told();
            case PodLife.Unscheduled u -> u.born();
            case PodLife.Held h -> h.born();
            case PodLife.NoImage n -> n.born();
        };
    }

    private static void condition(ArrayNode conditions, String type, boolean is, Instant since, String reason,
                                  String message) {
        ObjectNode condition = conditions.addObject().put("type", type).put("status", is ? "True" : "False");
        condition.putNull("lastProbeTime");
        condition.put("lastTransitionTime", time(since));
        put(condition, "reason", reason);
        put(condition, "message", message);
    }

    private static String qos(PodPlan plan) {
        Map<String, String> requests = plan.main.requests();
        Map<String, String> limits = plan.main.limits();
        if (requests.isEmpty() && limits.isEmpty()) {
            return "BestEffort";
        }
        boolean both = limits.containsKey("cpu") && limits.containsKey("memory");
        return both && limits.equals(requests) ? "Guaranteed" : "Burstable";
    }

    private static void put(ObjectNode node, String name, String value) {
        if (!value.isEmpty()) {
            node.put(name, value);
        }
    }

    private static String time(Instant instant) {
        return ObjectStore.timestamp(instant);
    }
}
