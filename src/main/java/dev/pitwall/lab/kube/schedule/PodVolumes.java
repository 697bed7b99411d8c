package dev.pitwall.lab.kube.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.KnownObjects;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.NodeTerms;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Quantities;
import dev.pitwall.lab.kube.object.Selector;
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
    static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";
    private static final String UNBOUND = "pod has unbound immediate PersistentVolumeClaims";

    private final KnownObjects objects;
    private final AssumedVolumes assumed;
    private final List<Item> bound = new ArrayList<>();
    private final List<Item> waiting = new ArrayList<>();
    private final Optional<String> hindrance;

    /** What is done for a claim that has waited for a node. */
    sealed interface Step {
        /** The claim gets a volume that is there. */
        record Bind(Item claim, Item volume) implements Step {
        }

        /** A volume is made for the claim where the node can use it. */
        record Provision(Item claim) implements Step {
        }
    }

    PodVolumes(PodFacts pod, Demand demand, KnownObjects objects, AssumedVolumes assumed) {
        this.objects = objects;
        this.assumed = assumed;
        Optional<String> found = Optional.empty();
        boolean unbound = false;
        for (Demand.Claim claim : demand.claims()) {
            Optional<Item> item = objects.find(key(pod, claim));
            found = found.or(() -> wrong(claim, item));
            unbound |= item.isPresent() && !sort(item.get());
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
    List<Item> waiting() {
        return waiting;
    }

    Optional<Refusal> against(NodeFacts node) {
        Optional<Refusal> elsewhere = Optional.empty();
        for (Item claim : bound) {
            Optional<Item> volume = volume(claim);
            if (volume.isEmpty()) {
                return Optional.of(Refusal.VOLUME_GONE);
            }
            if (!reaches(volume.get(), node)) {
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
        for (Item claim : waiting) {
            Optional<String> selected = selected(claim);
            if (selected.isPresent() && !selected.get().equals(node.name())) {
                return Optional.empty();
            }
            Optional<Item> volume = selected.isPresent() ? Optional.empty() : match(claim, node, taken);
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

    /** True if a claim has its volume and both know it. */
    static boolean isBound(JsonNode claim) {
        return !claim.at("/spec/volumeName").asText("").isEmpty() && claim.at("/status/phase").asText("").equals("Bound");
    }

    private static Optional<String> wrong(Demand.Claim claim, Optional<Item> item) {
        String quoted = "persistentvolumeclaim \"" + claim.name() + "\"";
        if (item.isEmpty()) {
            return Optional.of(claim.ephemeral()
                    ? "waiting for ephemeral volume controller to create the " + quoted : quoted + " not found");
        }
        if (item.get().tree().at("/status/phase").asText("").equals("Lost")) {
            return Optional.of(quoted + " bound to non-existent persistentvolume \""
                    + item.get().tree().at("/spec/volumeName").asText("") + "\"");
        }
        return item.get().isLeaving() ? Optional.of(quoted + " is being deleted") : Optional.empty();
    }

    /** @return false if the claim has no volume and does not wait for a node either */
    private boolean sort(Item claim) {
        if (isBound(claim.tree())) {
            bound.add(claim);
            return true;
        }
        boolean waits = claim.tree().at("/spec/volumeName").asText("").isEmpty() && storageClass(claim)
                .filter(found -> found.path("volumeBindingMode").asText("").equals("WaitForFirstConsumer")).isPresent();
        if (waits) {
            waiting.add(claim);
        }
        return waits;
    }

    private Optional<JsonNode> storageClass(Item claim) {
        return objects.find(new ObjectKey(Resource.STORAGE_CLASSES, "",
                claim.tree().at("/spec/storageClassName").asText(""))).map(Item::tree);
    }

    private Optional<Item> volume(Item claim) {
        return objects.find(new ObjectKey(Resource.VOLUMES, "", claim.tree().at("/spec/volumeName").asText()));
    }

    private Optional<String> selected(Item claim) {
        return assumed.node(claim.key()).or(() -> Optional.of(claim.tree().path("metadata").path("annotations")
                .path(SELECTED_NODE).asText("")).filter(node -> !node.isEmpty()));
    }

    private static boolean reaches(Item volume, NodeFacts node) {
        return NodeTerms.ofVolume(volume.tree().at("/spec/nodeAffinity")).accept(node);
    }

    /** The volume that is kept for the claim, or the smallest that will do. [FindMatchingVolume] */
    private Optional<Item> match(Item claim, NodeFacts node, Set<ObjectKey> taken) {
        List<Item> free = objects.all(Resource.VOLUMES).stream()
                .filter(volume -> !taken.contains(volume.key()) && !assumed.isBound(volume.key()))
                .filter(volume -> reaches(volume, node) && suits(volume, claim)).toList();
        return free.stream().filter(volume -> volume.tree().at("/spec/claimRef").isObject()).findFirst()
                .or(() -> free.stream().min(Comparator.comparingLong(volume -> size(volume, "/spec/capacity/storage"))));
    }

    private static boolean suits(Item volume, Item claim) {
        JsonNode offer = volume.tree().path("spec");
        JsonNode wish = claim.tree().path("spec");
        JsonNode reference = offer.path("claimRef");
        boolean free = !reference.isObject() && volume.tree().at("/status/phase").asText("").equals("Available");
        boolean kept = reference.path("namespace").asText("").equals(claim.key().namespace())
                && reference.path("name").asText("").equals(claim.key().name())
                && reference.path("uid").asText(claim.uid()).equals(claim.uid());
        Set<String> modes = new HashSet<>();
        offer.path("accessModes").forEach(mode -> modes.add(mode.asText()));
        boolean modesFit = true;
        for (JsonNode mode : wish.path("accessModes")) {
            modesFit &= modes.contains(mode.asText());
        }
        return (free || kept) && modesFit && !volume.isLeaving()
                && text(offer, "storageClassName", "").equals(text(wish, "storageClassName", ""))
                && text(offer, "volumeMode", "Filesystem").equals(text(wish, "volumeMode", "Filesystem"))
                && size(volume, "/spec/capacity/storage") >= size(claim, "/spec/resources/requests/storage")
                && (!wish.path("selector").isObject()
                || Selector.of(wish.path("selector")).test(volume.object().labels()));
    }

    private static String text(JsonNode spec, String field, String otherwise) {
        return spec.path(field).asText(otherwise);
    }

    private static long size(Item item, String path) {
        return Quantities.bytes(item.tree().at(path));
    }

    /** Whether the claim's class makes volumes that the node can use. */
    private boolean isMadeFor(Item claim, NodeFacts node) {
        return storageClass(claim).filter(found -> !found.path("provisioner").asText("").equals(NO_PROVISIONER)
                && isAllowed(found.path("allowedTopologies"), node)).isPresent();
    }

    private static boolean isAllowed(JsonNode topologies, NodeFacts node) {
        for (JsonNode topology : topologies) {
            boolean all = true;
            for (JsonNode expression : topology.path("matchLabelExpressions")) {
                String label = node.labels().getOrDefault(expression.path("key").asText(), "");
                boolean one = false;
                for (JsonNode value : expression.path("values")) {
                    one |= value.asText().equals(label);
                }
                all &= one;
            }
            if (all) {
                return true;
            }
        }
        return topologies.isEmpty();
    }
}
