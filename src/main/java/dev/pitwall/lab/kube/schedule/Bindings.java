package dev.pitwall.lab.kube.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.KnownObjects;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.storage.Claim;
import dev.pitwall.lab.kube.control.storage.Volume;
import dev.pitwall.lab.kube.schedule.PodVolumes.Step;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pods that have a node and wait for their volumes: the claims are told the node, and the pod is bound when all of them
 * are. [kubernetes: plugins/volumebinding, PreBind and its {@code bindTimeoutSeconds}]
 */
final class Bindings {
    private static final Duration MOST = Duration.ofMinutes(10);
    private static final String FAILED = "running PreBind plugin \"VolumeBinding\": binding volumes: ";

    private final KnownObjects objects;
    private final Reports reports;
    private final AssumedVolumes assumed = new AssumedVolumes();
    private final Map<ObjectKey, Binding> open = new LinkedHashMap<>();

    /** A pod on its way to a node. @param refused why a claim could not be told the node; empty if all were */
    record Binding(Waiting waiting, String node, List<ObjectKey> claims, Instant end, Optional<String> refused) {
    }

    /** How a binding has ended. */
    sealed interface End {
        Binding binding();

        /** All volumes are there. */
        record Bound(Binding binding) implements End {
        }

        /** The pod has to look for a node again. */
        record Failed(Binding binding, String text) implements End {
        }
    }

    Bindings(ControlPlane plane, Reports reports) {
        this.objects = plane.objects();
        this.reports = reports;
    }

    AssumedVolumes assumed() {
        return assumed;
    }

    /** A claim or a volume is known as it is. */
    void seen(ObjectKey key) {
        assumed.seen(key);
    }

    boolean isOpen(ObjectKey pod) {
        return open.containsKey(pod);
    }

    void remove(ObjectKey pod) {
        open.remove(pod);
    }

    /** Tells the claims which node it is to be. */
    void begin(Waiting waiting, NodeFacts node, PodVolumes volumes, Instant now) {
        Optional<String> refused = Optional.empty();
        try {
            volumes.steps(node).orElse(List.of()).forEach(step -> take(step, node.name()));
        } catch (AdmissionRefusal refusal) {
            refused = Optional.of(refusal.getMessage());
        }
        open.put(waiting.key(), new Binding(waiting, node.name(), volumes.waiting().stream().map(Claim::key).toList(),
                now.plus(MOST), refused));
    }

    /** Those that have come to their end; they are open no more. */
    List<End> ended(Instant now) {
        List<End> ends = new ArrayList<>();
        open.values().forEach(binding -> end(binding, now).ifPresent(ends::add));
        ends.forEach(end -> open.remove(end.binding().waiting().key()));
        return ends;
    }

    Instant due() {
        return open.values().stream()
                .map(binding -> binding.refused().isPresent() ? Instant.MIN : binding.end())
                .min(Instant::compareTo).orElse(Instant.MAX);
    }

    private Optional<End> end(Binding binding, Instant now) {
        if (binding.refused().isPresent()) {
            return Optional.of(new End.Failed(binding, FAILED + binding.refused().get()));
        }
        boolean all = true;
        for (ObjectKey key : binding.claims()) {
            Optional<Claim> claim = objects.find(key).map(Claim::new);
            if (claim.isEmpty()) {
                return Optional.of(new End.Failed(binding, FAILED + "persistentvolumeclaim \"" + key.name()
                        + "\" not found"));
            }
            if (claim.get().isUsable()) {
                continue;
            }
            all = false;
            if (isReset(claim.get(), binding.node())) {
                return Optional.of(new End.Failed(binding, FAILED + "selectedNode annotation reset for PVC \""
                        + key.name() + "\""));
            }
        }
        if (all) {
            return Optional.of(new End.Bound(binding));
        }
        return now.isBefore(binding.end()) ? Optional.empty()
                : Optional.of(new End.Failed(binding, FAILED + "context deadline exceeded"));
    }

    /** The provisioner could make no volume there: it has taken the node away. */
    private boolean isReset(Claim claim, String node) {
        return claim.volume().isEmpty() && assumed.node(claim.key()).isEmpty() && !isKeptFor(claim)
                && !claim.annotation(Claim.SELECTED_NODE).equals(node);
    }

    private boolean isKeptFor(Claim claim) {
        return objects.all(Resource.VOLUMES).stream().map(Volume::new).anyMatch(volume -> volume.isFor(claim));
    }

    private void take(Step step, String node) {
        switch (step) {
            case Step.Bind bind -> {
                reports.hand().change(bind.volume().key(), volume -> refer(volume, bind.claim()));
                assumed.bind(bind.volume().key(), bind.claim().key());
            }
            case Step.Provision provision -> {
                reports.hand().change(provision.claim().key(), claim -> claim.withObjectProperty("metadata")
                        .withObjectProperty("annotations").put(Claim.SELECTED_NODE, node));
                assumed.select(provision.claim().key(), node);
            }
        }
    }

    private static void refer(ObjectNode volume, Claim claim) {
        volume.withObjectProperty("metadata").withObjectProperty("annotations").put(Volume.BOUND_BY_CONTROLLER, "yes");
        claim.refer(volume);
    }
}
