package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.Nodes;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.Suffixes;
import dev.pitwall.lab.kube.object.Selector;
import dev.pitwall.lab.kube.object.Toleration;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** DaemonSets, and Deployments as one pod on the first node that takes it; no more than the operator's tests need. */
final class TinyWorkloads implements Controller {
    private static final String HASH = "controller-revision-hash";
    private final ClusterHand hand;
    private final Pods pods;
    private final Nodes nodes;
    private int made;

    TinyWorkloads(ClusterHand hand, Pods pods, Nodes nodes) {
        this.hand = hand;
        this.pods = pods;
        this.nodes = nodes;
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.DAEMON_SETS, Resource.DEPLOYMENTS, Resource.PODS, Resource.NODES);
    }

    @Override
    public void observe(Change change) {
        if (change instanceof Change.Deleted deleted && deleted.before().key().resource()
                .equals(Resource.DAEMON_SETS)) {
            pods.ownedBy(deleted.before().uid()).forEach(pod -> hand.delete(pod.key(), 1));
        }
    }

    @Override
    public Instant act(Instant now) {
        hand.store().list(Resource.DAEMON_SETS, "").objects().forEach(this::daemonSet);
        hand.store().list(Resource.DEPLOYMENTS, "").objects().forEach(this::deployment);
        return Instant.MAX;
    }

    private void daemonSet(StoredObject set) {
        ObjectNode tree = set.copy();
        JsonNode template = tree.at("/spec/template");
        String hash = Suffixes.hash(template);
        boolean rolling = !tree.at("/spec/updateStrategy/type").asText("").equals("OnDelete");
        int desired = 0;
        int ready = 0;
        boolean busy = pods.ownedBy(set.uid()).stream().anyMatch(pod -> !pod.ready() && hash.equals(
                pod.labels().get(HASH)));
        for (NodeFacts node : nodes.all()) {
            Optional<PodFacts> pod = pods.ownedBy(set.uid()).stream().filter(p -> p.node().equals(node.name()))
                    .findFirst();
            boolean wanted = fits(template.path("spec"), node);
            desired += wanted ? 1 : 0;
            ready += wanted && pod.filter(PodFacts::ready).isPresent() ? 1 : 0;
            if (wanted && pod.isEmpty()) {
                create(set, "DaemonSet", template, hash, node.name());
            } else if (pod.isPresent() && pod.get().deletion().isEmpty() && (!wanted || rolling
                    && !hash.equals(pod.get().labels().get(HASH)) && (!busy || !pod.get().ready()))) {
                busy = true;
                hand.delete(pod.get().key(), 1);
            }
        }
        int count = desired;
        int up = ready;
        hand.status(set.key(), object -> object.withObjectProperty("status").put("desiredNumberScheduled", count)
                .put("numberReady", up));
    }

    private void deployment(StoredObject deployment) {
        JsonNode template = deployment.tree().at("/spec/template");
        String hash = Suffixes.hash(template);
        List<PodFacts> own = pods.ownedBy(deployment.uid());
        own.stream().filter(pod -> !hash.equals(pod.labels().get(HASH)) && pod.deletion().isEmpty())
                .forEach(pod -> hand.delete(pod.key(), 1));
        if (own.isEmpty() && deployment.tree().at("/spec/replicas").asInt(1) > 0) {
            nodes.all().stream().filter(node -> fits(template.path("spec"), node)).findFirst()
                    .ifPresent(node -> create(deployment, "Deployment", template, hash, node.name()));
        }
    }

    private static boolean fits(JsonNode spec, NodeFacts node) {
        List<Toleration> tolerations = Toleration.of(spec.path("tolerations"));
        return (spec.path("nodeSelector").isEmpty() || Selector.ofMap(spec.path("nodeSelector")).test(node.labels()))
                && node.taints().stream().allMatch(taint -> Toleration.any(tolerations, taint));
    }

    private void create(StoredObject owner, String kind, JsonNode template, String hash, String node) {
        ObjectNode pod = Json.object();
        ObjectNode metadata = pod.putObject("metadata");
        metadata.set("labels", template.at("/metadata/labels").deepCopy());
        metadata.withObjectProperty("labels").put(HASH, hash);
        if (template.at("/metadata/annotations").isObject()) {
            metadata.set("annotations", template.at("/metadata/annotations").deepCopy());
        }
        metadata.putArray("ownerReferences").addObject().put("kind", kind).put("apiVersion", "apps/v1")
                .put("name", owner.key().name()).put("uid", owner.uid()).put("controller", true);
        pod.set("spec", template.path("spec").deepCopy());
        pod.withObjectProperty("spec").put("nodeName", node);
        hand.create(new ObjectKey(Resource.PODS, owner.key().namespace(), owner.key().name() + "-" + made++), pod);
    }
}
