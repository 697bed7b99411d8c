package dev.pitwall.lab.kube.control.storage;

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
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The provisioners of a cluster, as far as they do what sig-storage-lib-external-provisioner has them do: make a volume
 * for a claim that waits for them, and take it away when its claim has gone. They work only while a pod of theirs does.
 */
final class Provisioning {
    private final ControlPlane plane;
    private final ClusterHand hand;
    private final List<Provisioner> provisioners = Provisioner.all();

    Provisioning(ControlPlane plane) {
        this.plane = plane;
        this.hand = plane.as("persistent-volume-provisioner").hand();
    }

    /** True if a pod is one of theirs. */
    boolean isOne(PodFacts pod) {
        return provisioners.stream().anyMatch(provisioner -> provisioner.isOne(pod));
    }

    void claim(ObjectKey key, Instant now) {
        plane.objects().find(key).map(Claim::new)
                .filter(claim -> claim.volume().isEmpty() && !claim.item().isLeaving())
                .ifPresent(claim -> of(claim.annotation(Claim.PROVISIONER)).ifPresent(provisioner ->
                        pod(provisioner).ifPresent(pod -> make(provisioner, claim, pod, now))));
    }

    private Optional<Provisioner> of(String name) {
        return provisioners.stream().filter(provisioner -> provisioner.name().equals(name)).findFirst();
    }

    private Optional<PodFacts> pod(Provisioner provisioner) {
        return plane.pods().all().stream()
                .filter(pod -> pod.ready() && pod.deletion().isEmpty() && provisioner.isOne(pod))
                .min(Comparator.comparing(pod -> pod.key().name()));
    }

    private void make(Provisioner provisioner, Claim claim, PodFacts pod, Instant now) {
        Optional<Item> storageClass = plane.objects().find(new ObjectKey(Resource.STORAGE_CLASSES, "",
                claim.storageClass()));
        ObjectKey key = new ObjectKey(Resource.VOLUMES, "", Provisioner.nameOf(claim));
        if (storageClass.isEmpty() || hand.find(key).isPresent()) {
            return;
        }
        event(provisioner, claim, pod, Type.Normal, "Provisioning", "External provisioner is provisioning volume for"
                + " claim \"" + claim.key().namespace() + "/" + claim.key().name() + "\"", now);
        Optional<String> refusal = refusal(provisioner, claim);
        if (refusal.isPresent()) {
            event(provisioner, claim, pod, Type.Warning, "ProvisioningFailed", "failed to provision volume with"
                    + " StorageClass \"" + claim.storageClass() + "\": " + refusal.get(), now);
            return;
        }
        hand.create(key, provisioner.volume(claim, (ObjectNode) storageClass.get().tree(), pod));
        event(provisioner, claim, pod, Type.Normal, "ProvisioningSucceeded",
                "Successfully provisioned volume " + key.name(), now);
    }

    private static Optional<String> refusal(Provisioner provisioner, Claim claim) {
        if (!provisioner.modes().containsAll(claim.modes())) {
            return Optional.of(provisioner.refusal());
        }
        boolean nowhere = provisioner.source() == Provisioner.Source.path
                && claim.annotation(Claim.SELECTED_NODE).isEmpty();
        return nowhere ? Optional.of("configuration error, no node was specified") : Optional.empty();
    }

    /** A volume whose claim has gone is deleted, if it is to be and one of these has made it. */
    void volume(ObjectKey key) {
        plane.objects().find(key).map(Volume::new)
                .filter(volume -> volume.phase().equals("Released") && volume.reclaimPolicy().equals("Delete")
                        && !volume.item().isLeaving())
                .filter(volume -> of(volume.annotation(Volume.PROVISIONED_BY)).flatMap(this::pod).isPresent())
                .ifPresent(volume -> hand.delete(key));
    }

    private void event(Provisioner provisioner, Claim claim, PodFacts pod, Type type, String reason, String message,
                       Instant now) {
        UUID instance = UUID.nameUUIDFromBytes(pod.uid().getBytes(StandardCharsets.UTF_8));
        plane.events().record(Subject.core(claim.item().object(), "PersistentVolumeClaim"),
                Source.of(provisioner.name() + "_" + pod.key().name() + "_" + instance), type, reason, message, now);
    }
}
