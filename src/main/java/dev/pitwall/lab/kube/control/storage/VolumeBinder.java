package dev.pitwall.lab.kube.control.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.EventRecorder.Source;
import dev.pitwall.lab.kube.control.EventRecorder.Subject;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Brings claims and volumes together, and asks provisioners for volumes that are not there. [kubernetes:
 * pkg/controller/volume/persistentvolume/pv_controller.go]
 */
final class VolumeBinder {
    private static final Source SOURCE = Source.of("persistentvolume-controller");
    private static final String LATE = "WaitForFirstConsumer";

    private final ControlPlane plane;
    private final ClusterHand hand;
    private final ClaimUsers users;

    VolumeBinder(ControlPlane plane, ClaimUsers users) {
        this.plane = plane;
        this.hand = plane.as("persistent-volume-binder").hand();
        this.users = users;
    }

    /** Whether a claim is to be looked at again by and by. */
    enum Outcome { SETTLED, WAITS }

    Outcome claim(ObjectKey key, Instant now) {
        Optional<Claim> found = plane.objects().find(key).map(Claim::new);
        if (found.isEmpty()) {
            return Outcome.SETTLED;
        }
        Claim claim = found.get();
        if (claim.isBound()) {
            return bound(claim, now);
        }
        phase(key, "Pending");
        return claim.item().isLeaving() ? Outcome.SETTLED
                : claim.volume().isEmpty() ? unbound(claim, now) : wantsOne(claim, now);
    }

    private Outcome bound(Claim claim, Instant now) {
        Optional<Volume> volume = volume(claim.volume());
        if (volume.filter(there -> there.claimRef().isMissingNode() || there.isFor(claim)).isPresent()) {
            bind(claim, volume.get());
            return Outcome.SETTLED;
        }
        if (!claim.phase().equals("Lost")) {
            phase(claim.key(), "Lost");
            if (volume.isEmpty()) {
                event(claim, Type.Warning, "ClaimLost",
                        "Bound claim has lost its PersistentVolume. Any data on the volume is lost!", now);
            } else {
                event(claim, Type.Warning, "ClaimMisbound",
                        "Two claims are bound to the same volume, this one is bound incorrectly", now);
            }
        }
        return Outcome.SETTLED;
    }

    /** It names the volume that it wants. */
    private Outcome wantsOne(Claim claim, Instant now) {
        Optional<Volume> volume = volume(claim.volume());
        if (volume.filter(there -> there.isFor(claim) || there.claimRef().isMissingNode() && there.suits(claim))
                .isPresent()) {
            bind(claim, volume.get());
            return Outcome.SETTLED;
        }
        if (volume.filter(there -> there.claimRef().isObject()).isPresent()) {
            event(claim, Type.Warning, "FailedBinding",
                    "volume \"" + claim.volume() + "\" already bound to a different claim.", now);
        }
        return Outcome.WAITS;
    }

    private Outcome unbound(Claim claim, Instant now) {
        Optional<Item> storageClass = plane.objects().find(new ObjectKey(Resource.STORAGE_CLASSES, "",
                claim.storageClass()));
        boolean late = storageClass.filter(VolumeBinder::isLate).isPresent();
        String node = claim.annotation(Claim.SELECTED_NODE);
        Optional<Volume> volume = find(claim, late);
        if (volume.isPresent()) {
            bind(claim, volume.get());
            return Outcome.SETTLED;
        }
        if (late && node.isEmpty()) {
            return awaitPod(claim, now);
        }
        if (claim.storageClass().isEmpty()) {
            event(claim, Type.Normal, "FailedBinding",
                    "no persistent volumes available for this claim and no storage class is set", now);
        } else {
            provision(claim, storageClass, now);
        }
        return Outcome.WAITS;
    }

    private static boolean isLate(Item storageClass) {
        return storageClass.tree().path("volumeBindingMode").asText("").equals(LATE);
    }

    /**
     * One that is kept for it, else the smallest that is large enough. For a late claim it is the scheduler who chooses,
     * and keeps the volume for it.
     */
    private Optional<Volume> find(Claim claim, boolean late) {
        List<Volume> all = plane.objects().all(Resource.VOLUMES).stream().map(Volume::new).toList();
        Optional<Volume> kept = all.stream().filter(volume -> volume.isFor(claim)).findFirst();
        return kept.isPresent() || late ? kept : all.stream()
                .filter(volume -> volume.isFree() && volume.suits(claim))
                .min(Comparator.comparing(Volume::bytes).thenComparing(volume -> volume.key().name()));
    }

    /** A pod that wants the claim decides where it is to be; the scheduler writes that into the claim. */
    private Outcome awaitPod(Claim claim, Instant now) {
        List<PodFacts> pods = users.of(claim.key(), plane.pods()).stream()
                .filter(pod -> pod.isActive() && pod.node().isEmpty()).toList();
        if (pods.isEmpty()) {
            event(claim, Type.Normal, LATE, "waiting for first consumer to be created before binding", now);
        } else {
            event(claim, Type.Normal, "WaitForPodScheduled",
                    "waiting for pod " + pods.getFirst().key().name() + " to be scheduled", now);
        }
        return Outcome.WAITS;
    }

    private void provision(Claim claim, Optional<Item> storageClass, Instant now) {
        String provisioner = storageClass.map(found -> found.tree().path("provisioner").asText()).orElse("");
        if (storageClass.isEmpty()) {
            event(claim, Type.Warning, "ProvisioningFailed",
                    "storageclass.storage.k8s.io \"" + claim.storageClass() + "\" not found", now);
        } else if (provisioner.startsWith("kubernetes.io/")) {
            event(claim, Type.Warning, "ProvisioningFailed", "no volume plugin matched name: " + provisioner, now);
        } else {
            hand.change(claim.key(), object -> {
                annotate(object, "volume.beta.kubernetes.io/storage-provisioner", provisioner);
                annotate(object, Claim.PROVISIONER, provisioner);
            });
            event(claim, Type.Normal, "ExternalProvisioning", "Waiting for a volume to be created either by the"
                    + " external provisioner '" + provisioner + "' or manually by the system administrator. If volume"
                    + " creation is delayed, please verify that the provisioner is running and correctly registered.",
                    now);
        }
    }

    private Optional<Volume> volume(String name) {
        return plane.objects().find(new ObjectKey(Resource.VOLUMES, "", name)).map(Volume::new);
    }

    /** Writes into both that they belong together; what is there already stays. */
    private void bind(Claim claim, Volume volume) {
        if (volume.claimRef().path("uid").asText("").isEmpty()) {
            boolean chosen = volume.claimRef().isMissingNode();
            hand.change(volume.key(), object -> {
                claim.refer(object);
                if (chosen) {
                    annotate(object, Volume.BOUND_BY_CONTROLLER, "yes");
                }
            });
        }
        phase(volume.key(), "Bound");
        boolean chosen = claim.volume().isEmpty();
        hand.change(claim.key(), object -> {
            object.withObjectProperty("spec").put("volumeName", volume.key().name());
            annotate(object, Claim.BIND_COMPLETED, "yes");
            if (chosen) {
                annotate(object, Volume.BOUND_BY_CONTROLLER, "yes");
            }
        });
        hand.status(claim.key(), object -> {
            ObjectNode status = object.withObjectProperty("status").put("phase", "Bound");
            status.set("accessModes", volume.item().tree().at("/spec/accessModes").deepCopy());
            status.set("capacity", volume.item().tree().at("/spec/capacity").deepCopy());
        });
    }

    /** Looks after a volume: its phase, and what becomes of it once its claim has gone. */
    void volume(ObjectKey key, Instant now) {
        Optional<Volume> found = plane.objects().find(key).map(Volume::new);
        if (found.isEmpty()) {
            return;
        }
        Volume volume = found.get();
        JsonNode ref = volume.claimRef();
        String uid = ref.path("uid").asText("");
        if (uid.isEmpty()) {
            phase(key, "Available");
            return;
        }
        Optional<Claim> claim = plane.objects().find(Claim.of(ref)).map(Claim::new)
                .filter(there -> there.item().uid().equals(uid));
        if (claim.isEmpty()) {
            release(volume, now);
        } else if (claim.get().volume().equals(key.name())) {
            phase(key, "Bound");
        } else if (!claim.get().volume().isEmpty()) {
            misbound(volume);
        }
    }

    private void release(Volume volume, Instant now) {
        boolean canBeDeleted = !volume.reclaimPolicy().equals("Delete")
                || !volume.annotation(Volume.PROVISIONED_BY).isEmpty();
        phase(volume.key(), canBeDeleted ? "Released" : "Failed");
        if (!canBeDeleted && !volume.phase().equals("Failed")) {
            plane.events().record(Subject.core(volume.item().object(), "PersistentVolume"), SOURCE, Type.Warning,
                    "VolumeFailedDelete", "error getting deleter volume plugin for volume \"" + volume.key().name()
                            + "\": no deletable volume plugin matched", now);
        }
    }

    /** Its claim has found another volume meanwhile. */
    private void misbound(Volume volume) {
        boolean chosen = volume.annotation(Volume.BOUND_BY_CONTROLLER).equals("yes");
        hand.change(volume.key(), object -> {
            if (chosen) {
                ((ObjectNode) object.path("spec")).remove("claimRef");
            } else {
                ((ObjectNode) object.at("/spec/claimRef")).remove("uid");
            }
        });
    }

    private void phase(ObjectKey key, String phase) {
        hand.status(key, object -> object.withObjectProperty("status").put("phase", phase));
    }

    private static void annotate(ObjectNode object, String name, String value) {
        object.withObjectProperty("metadata").withObjectProperty("annotations").put(name, value);
    }

    private void event(Claim claim, Type type, String reason, String message, Instant now) {
        plane.events().record(Subject.core(claim.item().object(), "PersistentVolumeClaim"), SOURCE, type, reason,
                message, now);
    }
}
