package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.Moments;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoreRefusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One look at a StatefulSet: its pods from the first to the last, then those it does not want any more from the last to
 * the first, then one of an old revision. In order each waits for the one before it; in parallel only updates do.
 * [kubernetes: stateful_set_control.go, updateStatefulSet]
 */
final class StatefulTurn {
    private final ControlPlane plane;
    private final PodMaker maker;
    private final Owner owner;
    private final StatefulSpec spec;
    private final StatefulClaims claims;
    private final Revision current;
    private final Revision update;
    private final Instant now;
    private final Map<Integer, PodFacts> wanted = new HashMap<>();
    private final List<PodFacts> condemned = new ArrayList<>();
    private Instant due = Instant.MAX;
    private Optional<String> refused = Optional.empty();

    /** A template under its revision's name. */
    record Revision(String name, JsonNode template) {
    }

    /**
     * @param due     when it is to be looked at again though nothing has changed; {@link Instant#MAX} for never
     * @param refused why a pod or a claim could not be made
     */
    record Outcome(Instant due, Optional<String> refused) {
    }

    /** Whether the next pod has its turn. */
    private enum Next { GOES_ON, WAITS }

    /**
     * @param pods    all pods that are the set's
     * @param current the revision an update comes from; the other's where there is none
     * @param update  the revision of the set's template
     */
    StatefulTurn(ControlPlane plane, PodMaker maker, Owner owner, StatefulSpec spec, List<PodFacts> pods,
                 Revision current, Revision update, Instant now) {
        this.plane = plane;
        this.maker = maker;
        this.owner = owner;
        this.spec = spec;
        this.claims = new StatefulClaims(plane, maker, owner, spec);
        this.current = current;
        this.update = update;
        this.now = now;
        for (PodFacts pod : pods) {
            OptionalInt ordinal = spec.ordinal(pod.key().name());
            if (ordinal.isPresent() && spec.wants(ordinal.getAsInt())) {
                wanted.put(ordinal.getAsInt(), pod);
            } else if (ordinal.isPresent()) {
                condemned.add(pod);
            }
        }
        condemned.sort(Comparator.comparingInt(this::ordinal).reversed());
    }

    Outcome take() {
        if (!owner.isLeaving() && replicas() == Next.GOES_ON) {
            condemned.forEach(pod -> claims.own(pod, true));
            if (scaleDown() == Next.GOES_ON && spec.update() == StatefulSpec.Update.ROLLING) {
                roll();
            }
        }
        return new Outcome(due, refused);
    }

    private Next replicas() {
        for (int ordinal = spec.start(); ordinal < spec.start() + spec.replicas(); ordinal++) {
            Next next = replica(ordinal);
            if (refused.isPresent() || next == Next.WAITS && spec.isOrdered()) {
                return Next.WAITS;
            }
        }
        return Next.GOES_ON;
    }

    private Next replica(int ordinal) {
        PodFacts pod = wanted.get(ordinal);
        if (pod == null) {
            create(ordinal);
            return Next.WAITS;
        }
        if (pod.isDone()) {
            // A new one is made when it is gone.
            delete(pod);
            return Next.WAITS;
        }
        if (pod.phase().equals("Pending")) {
            refused = claims.make(pod.key().name(), now);
        }
        if (spec.isOrdered() && !isAvailable(pod)) {
            return Next.WAITS;
        }
        keep(pod, ordinal);
        return Next.GOES_ON;
    }

    private void keep(PodFacts pod, int ordinal) {
        claims.own(pod, false);
        if (!StatefulPod.isIdentified(pod, ordinal)) {
            plane.hand().change(pod.key(), object -> StatefulPod.identify(object, pod.key().name(), ordinal));
            tell("update", "SuccessfulUpdate", pod.key().name());
        }
    }

    private void create(int ordinal) {
        String name = spec.podName(ordinal);
        if (claims.areStale(name)) {
            return;
        }
        Optional<String> trouble = claims.make(name, now).or(() -> createPod(ordinal, name));
        if (trouble.isPresent()) {
            refused = trouble;
            maker.event(owner, Type.Warning, "FailedCreate", "create Pod " + name + " in StatefulSet " + spec.name()
                    + " failed error: " + trouble.get(), now);
        } else {
            tell("create", "SuccessfulCreate", name);
        }
    }

    private Optional<String> createPod(int ordinal, String name) {
        Revision of = spec.keepsRevision(ordinal) ? current : update;
        ObjectNode draft = StatefulPod.draft(spec, of.template(), of.name(), ordinal, owner);
        try {
            plane.hand().create(new ObjectKey(Resource.PODS, owner.object().key().namespace(), name), draft);
            return Optional.empty();
        } catch (AdmissionRefusal | StoreRefusal refusal) {
            return Optional.of(refusal.getMessage());
        }
    }

    private Next scaleDown() {
        Optional<PodFacts> firstUnavailable = condemned.reversed().stream().filter(pod -> !isAvailable(pod)).findFirst();
        for (PodFacts pod : condemned) {
            if (spec.isOrdered()) {
                boolean mayGo = pod.deletion().isEmpty()
                        && (isAvailable(pod) || firstUnavailable.filter(first -> first == pod).isPresent());
                if (mayGo) {
                    delete(pod);
                }
                return Next.WAITS;
            }
            delete(pod);
        }
        return Next.GOES_ON;
    }

    /** The last pod of another revision goes, when all after it are available again. */
    private void roll() {
        for (int index = spec.replicas() - 1; index >= spec.partition(); index--) {
            PodFacts pod = wanted.get(spec.start() + index);
            if (pod == null) {
                return;
            }
            if (pod.deletion().isEmpty() && !StatefulPod.revision(pod).equals(update.name())) {
                delete(pod);
                return;
            }
            if (!isAvailable(pod)) {
                return;
            }
        }
    }

    private boolean isAvailable(PodFacts pod) {
        if (pod.deletion().isPresent() || !pod.phase().equals("Running")) {
            return false;
        }
        boolean available = pod.isAvailable(spec.minReadySeconds(), now);
        if (!available) {
            pod.availableAt(spec.minReadySeconds()).filter(now::isBefore)
                    .ifPresent(moment -> due = Moments.earlier(due, moment));
        }
        return available;
    }

    private void delete(PodFacts pod) {
        if (pod.deletion().isEmpty()) {
            plane.hand().delete(pod.key());
            tell("delete", "SuccessfulDelete", pod.key().name());
        }
    }

    private void tell(String what, String reason, String podName) {
        maker.event(owner, Type.Normal, reason, what + " Pod " + podName + " in StatefulSet " + spec.name()
                + " successful", now);
    }

    private int ordinal(PodFacts pod) {
        return spec.ordinal(pod.key().name()).orElse(-1);
    }
}
