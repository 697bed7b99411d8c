package dev.pitwall.lab.kube.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.KnownObjects;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.storage.Claim;
import dev.pitwall.lab.kube.control.storage.Volume;
import dev.pitwall.lab.kube.object.Texts;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The claims of one pod that is to be placed: which nodes they let it go to, and what is to become of those that wait
 * for the pod's node. [kubernetes: plugins/volumebinding]
 */
final class PodVolumes {
    private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";
    private static final String UNBOUND = "pod has unbound immediate PersistentVolumeClaims";

    private final KnownObjects objects;
    private final AssumedVolumes assumed;
    private final List<Claim> bound = new ArrayList<>();
    private final List<Claim> waiting = new ArrayList<>();
    private final Optional<String> hindrance;

    /** What is done for a claim that has waited for a node. */
    sealed interface Step {
        /** The claim gets a volume that is there. */
        record Bind(Claim claim, Volume volume) implements Step {
        }

        /** A volume is made for the claim where the node can use it. */
        record Provision(Claim claim) implements Step {
        }
    }

    PodVolumes(PodFacts pod, Demand demand, KnownObjects objects, AssumedVolumes assumed) {
        this.objects = objects;
        this.assumed = assumed;
        Optional<String> found = Optional.empty();
        boolean unbound = false;
        for (Demand.Claim claim : demand.claims()) {
            Optional<Claim> there = objects.find(key(pod, claim)).map(Claim::new);
            found = found.or(() -> wrong(claim, there));
            unbound |= there.isPresent() && !sort(there.get());
        }
        this.hindrance = found.isEmpty() && unbound ? Optional.of(UNBOUND) : found;
    }

    static ObjectKey key(PodFacts pod, Demand.Claim claim) {
        return new ObjectKey(Resource.VOLUME_CLAIMS, pod.key().namespace(), claim.name());
    }

    /** What keeps the pod from every node. */
    Optional<String> hindrance() {
        return hindrance;
    }

    /** Claims that have waited for a node. */
    List<Claim> waiting() {
        return waiting;
    }

    Optional<Refusal> against(NodeFacts node) {
        Optional<Refusal> elsewhere = Optional.empty();
        for (Claim claim : bound) {
            Optional<Volume> volume = volume(claim);
            if (volume.isEmpty()) {
                return Optional.of(Refusal.VOLUME_GONE);
            }
            if (!volume.get().nodes().accept(node)) {
                elsewhere = Optional.of(Refusal.VOLUME_ELSEWHERE);
            }
        }
        if (waiting.isEmpty() || steps(node).isPresent()) {
            return elsewhere;
        }
        return Optional.of(elsewhere.map(refusal -> refusal.and(Refusal.NO_VOLUME)).orElse(Refusal.NO_VOLUME));
    }

    /** What is to be done for the waiting claims if the pod goes to a node; empty if it cannot be done there. */
    Optional<List<Step>> steps(NodeFacts node) {
        Map<ObjectKey, Step> steps = new LinkedHashMap<>();
        Set<ObjectKey> taken = new HashSet<>();
        for (Claim claim : waiting) {
            Optional<String> selected = selected(claim);
            if (selected.isPresent() && !selected.get().equals(node.name())) {
                return Optional.empty();
            }
            Optional<Volume> volume = selected.isPresent() ? Optional.empty() : match(claim, node, taken);
            if (volume.isPresent()) {
                taken.add(volume.get().key());
                steps.put(claim.key(), new Step.Bind(claim, volume.get()));
            } else if (isMadeFor(claim, node)) {
                steps.put(claim.key(), new Step.Provision(claim));
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(List.copyOf(steps.values()));
    }

    private static Optional<String> wrong(Demand.Claim wanted, Optional<Claim> claim) {
        String quoted = "persistentvolumeclaim \"" + wanted.name() + "\"";
        if (claim.isEmpty()) {
            return Optional.of(wanted.ephemeral()
                    ? "waiting for ephemeral volume controller to create the " + quoted : quoted + " not found");
        }
        if (claim.get().phase().equals("Lost")) {
            return Optional.of(quoted + " bound to non-existent persistentvolume \"" + claim.get().volume() + "\"");
        }
        return claim.get().item().isLeaving() ? Optional.of(quoted + " is being deleted") : Optional.empty();
    }

    /** @return false if the claim has no volume and does not wait for a node either */
    private boolean sort(Claim claim) {
        if (claim.isUsable()) {
            bound.add(claim);
            return true;
        }
        boolean waits = claim.volume().isEmpty() && storageClass(claim)
                .filter(found -> found.path("volumeBindingMode").asText("").equals("WaitForFirstConsumer")).isPresent();
        if (waits) {
            waiting.add(claim);
        }
        return waits;
    }

    private Optional<JsonNode> storageClass(Claim claim) {
        return objects.find(new ObjectKey(Resource.STORAGE_CLASSES, "", claim.storageClass())).map(Item::tree);
    }

    private Optional<Volume> volume(Claim claim) {
        return objects.find(new ObjectKey(Resource.VOLUMES, "", claim.volume())).map(Volume::new);
    }

    private Optional<String> selected(Claim claim) {
        return assumed.node(claim.key())
                .or(() -> Optional.of(claim.annotation(Claim.SELECTED_NODE)).filter(node -> !node.isEmpty()));
    }

    /** The volume that is kept for the claim, or the smallest that will do. [FindMatchingVolume] */
    private Optional<Volume> match(Claim claim, NodeFacts node, Set<ObjectKey> taken) {
        List<Volume> fitting = objects.all(Resource.VOLUMES).stream().map(Volume::new)
                .filter(volume -> !taken.contains(volume.key()) && !assumed.isBound(volume.key()))
                .filter(volume -> volume.isFree() || volume.isFor(claim))
                .filter(volume -> volume.nodes().accept(node) && volume.suits(claim)).toList();
        return fitting.stream().filter(volume -> !volume.isFree()).findFirst()
                .or(() -> fitting.stream().min(Comparator.comparingLong(Volume::bytes)));
    }

    /** Whether the claim's class makes volumes that the node can use. */
    private boolean isMadeFor(Claim claim, NodeFacts node) {
        return storageClass(claim).filter(found -> !found.path("provisioner").asText("").equals(NO_PROVISIONER)
                && isAllowed(found.path("allowedTopologies"), node)).isPresent();
    }

    private static boolean isAllowed(JsonNode topologies, NodeFacts node) {
        for (JsonNode topology : topologies) {
            boolean all = true;
            for (JsonNode expression : topology.path("matchLabelExpressions")) {
                all &= Texts.list(expression.path("values"))
                        .contains(node.labels().getOrDefault(expression.path("key").asText(), ""));
            }
            if (all) {
                return true;
            }
        }
        return topologies.isEmpty();
    }
}
