package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;

import java.time.Instant;
import java.util.Optional;

/** The objects that own pods: DaemonSets, Deployments with their ReplicaSets, StatefulSets. */
final class Controllers {
    private static final Resource DAEMON_SETS = new Resource("apps", "daemonsets");
    private static final Resource DEPLOYMENTS = new Resource("apps", "deployments");
    private static final Resource REPLICA_SETS = new Resource("apps", "replicasets");
    private static final Resource STATEFUL_SETS = new Resource("apps", "statefulsets");

    private final Desired desired;
    private final PodWriter pods;

    Controllers(Desired desired, PodWriter pods) {
        this.desired = desired;
        this.pods = pods;
    }

    static Owner daemonSet(String namespace, String name) {
        return Desired.owner("apps/v1", "DaemonSet", new ObjectKey(DAEMON_SETS, namespace, name));
    }

    static Owner replicaSet(String namespace, String name) {
        return Desired.owner("apps/v1", "ReplicaSet", new ObjectKey(REPLICA_SETS, namespace, name));
    }

    static Owner statefulSet(String namespace, String name) {
        return Desired.owner("apps/v1", "StatefulSet", new ObjectKey(STATEFUL_SETS, namespace, name));
    }

    /** A Deployment's ReplicaSet is named after the hash of its template. */
    static String replicaSetName(String namespace, String deployment) {
        return deployment + "-" + Names.suffix(namespace + deployment + "template", 10);
    }

    /**
     * @param desired      nodes that ought to run the pod
     * @param misscheduled pods on nodes that ought not
     */
    record DaemonCounts(int desired, int current, int ready, int updated, int misscheduled) {
    }

    ObjectNode addDaemonSet(PodPlan plan, String name, Instant created, boolean onDelete, DaemonCounts counts) {
        ObjectNode set = desired.add(DAEMON_SETS, plan.namespace, name, created);
        Desired.labels(set, plan.labels);
        ObjectNode spec = set.putObject("spec");
        template(spec, plan);
        ObjectNode strategy = spec.putObject("updateStrategy").put("type", onDelete ? "OnDelete" : "RollingUpdate");
        if (!onDelete) {
            strategy.putObject("rollingUpdate").put("maxSurge", 0).put("maxUnavailable", 1);
        }
        spec.put("revisionHistoryLimit", 10);
        ObjectNode status = set.putObject("status").put("currentNumberScheduled", counts.current())
                .put("desiredNumberScheduled", counts.desired()).put("numberMisscheduled", counts.misscheduled())
                .put("numberReady", counts.ready()).put("observedGeneration", 1)
                .put("updatedNumberScheduled", counts.updated());
        if (counts.ready() > 0) {
            status.put("numberAvailable", counts.ready());
        }
        if (counts.desired() > counts.ready()) {
            status.put("numberUnavailable", counts.desired() - counts.ready());
        }
        return set;
    }

    void addDeployment(PodPlan plan, String name, Instant created, int replicas, int ready, boolean recreate) {
        ObjectNode deployment = desired.add(DEPLOYMENTS, plan.namespace, name, created);
        Desired.labels(deployment, plan.labels);
        Desired.metadata(deployment).putObject("annotations").put("deployment.kubernetes.io/revision", "1");
        ObjectNode spec = deployment.putObject("spec").put("replicas", replicas);
        template(spec, plan);
        spec.putObject("strategy").put("type", recreate ? "Recreate" : "RollingUpdate");
        ObjectNode status = counts(deployment.putObject("status"), replicas, ready).put("updatedReplicas", replicas);
        ObjectNode available = status.putArray("conditions").addObject().put("type", "Available");
        boolean enough = ready >= Math.max(1, replicas - replicas / 4);
        available.put("status", enough ? "True" : "False")
                .put("reason", enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable")
                .put("message", enough ? "Deployment has minimum availability."
                        : "Deployment does not have minimum availability.");
        replicaSet(plan, name, created, replicas, ready);
    }

    private void replicaSet(PodPlan plan, String deployment, Instant created, int replicas, int ready) {
        String name = replicaSetName(plan.namespace, deployment);
        ObjectNode set = desired.add(REPLICA_SETS, plan.namespace, name, created);
        Desired.labels(set, plan.labels);
        Desired.ownedBy(set, Desired.owner("apps/v1", "Deployment",
                new ObjectKey(DEPLOYMENTS, plan.namespace, deployment)));
        template(set.putObject("spec").put("replicas", replicas), plan);
        counts(set.putObject("status"), replicas, ready);
    }

    ObjectNode addStatefulSet(PodPlan plan, String name, Instant created, int replicas, int ready) {
        ObjectNode set = desired.add(STATEFUL_SETS, plan.namespace, name, created);
        Desired.labels(set, plan.labels);
        ObjectNode spec = set.putObject("spec").put("replicas", replicas).put("serviceName", name);
        template(spec, plan);
        counts(set.putObject("status"), replicas, ready).put("currentReplicas", replicas)
                .put("updatedReplicas", replicas);
        return set;
    }

    private static ObjectNode counts(ObjectNode status, int replicas, int ready) {
        status.put("observedGeneration", 1).put("replicas", replicas);
        if (ready > 0) {
            status.put("readyReplicas", ready).put("availableReplicas", ready);
        }
        return status;
    }

    private void template(ObjectNode spec, PodPlan plan) {
        ObjectNode match = spec.putObject("selector").putObject("matchLabels");
        plan.labels.entrySet().stream().limit(1).forEach(label -> match.put(label.getKey(), label.getValue()));
        ObjectNode template = spec.putObject("template");
        ObjectNode labels = template.putObject("metadata").putObject("labels");
        plan.labels.forEach((key, value) -> {
            if (!key.equals("pod-template-hash") && !key.equals("controller-revision-hash")) {
                labels.put(key, value);
            }
        });
        String bound = plan.boundTo;
        plan.boundTo = "";
        template.set("spec", pods.spec(plan, Optional.empty()));
        plan.boundTo = bound;
    }

}
