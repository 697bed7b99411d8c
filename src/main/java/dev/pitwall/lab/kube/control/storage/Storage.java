package dev.pitwall.lab.kube.control.storage;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.Moments;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * Everything about volume claims and volumes: they are bound to each other, provisioned, kept while they are used, and
 * reclaimed. A pod without claims is read once.
 */
public final class Storage implements Controller {
    /** So often kube-controller-manager looks at all claims again ({@code --pvclaimbinder-sync-period}). */
    private static final Duration AGAIN = Duration.ofSeconds(15);

    private final ControlPlane plane;
    private final ClaimUsers users = new ClaimUsers();
    private final VolumeBinder binder;
    private final Provisioning provisioning;
    private final Protection protection;
    private final WorkQueue claims = new WorkQueue();
    private final WorkQueue volumes = new WorkQueue();

    public Storage(ControlPlane plane) {
        this.plane = plane;
        this.binder = new VolumeBinder(plane, users);
        this.provisioning = new Provisioning(plane);
        this.protection = new Protection(plane, users);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.VOLUME_CLAIMS, Resource.VOLUMES, Resource.STORAGE_CLASSES, Resource.PODS);
    }

    @Override
    public void seen(StoredObject object) {
        ObjectKey key = object.key();
        if (key.resource().equals(Resource.PODS)) {
            podChanged(plane.pods().news());
        } else if (key.resource().equals(Resource.VOLUME_CLAIMS)) {
            claims.add(key);
        } else if (key.resource().equals(Resource.VOLUMES)) {
            volumes.add(key);
            waiting();
        } else {
            waiting();
        }
    }

    @Override
    public void gone(StoredObject object) {
        ObjectKey key = object.key();
        if (key.resource().equals(Resource.PODS)) {
            podChanged(plane.pods().news());
        } else if (key.resource().equals(Resource.VOLUME_CLAIMS)) {
            String volume = object.tree().at("/spec/volumeName").asText("");
            volumes.add(new ObjectKey(Resource.VOLUMES, "", volume));
        } else if (key.resource().equals(Resource.VOLUMES)) {
            claims.add(Claim.of(object.tree().at("/spec/claimRef")));
        }
    }

    private void podChanged(Pods.News news) {
        users.note(news).forEach(claims::add);
        PodFacts pod = news.last();
        boolean turned = news.before().filter(before -> before.ready() == pod.ready()).isEmpty();
        if (turned && pod.ready() && provisioning.isOne(pod)) {
            waiting();
            plane.objects().all(Resource.VOLUMES).forEach(volume -> volumes.add(volume.key()));
        }
    }

    /** What is not bound yet may be now. */
    private void waiting() {
        plane.objects().all(Resource.VOLUME_CLAIMS).stream().filter(claim -> !new Claim(claim).isBound())
                .forEach(claim -> claims.add(claim.key()));
    }

    @Override
    public Instant act(Instant now) {
        Instant claim = claims.work(now, this::claim);
        Instant volume = volumes.work(now, this::volume);
        return Moments.earlier(claim, volume);
    }

    private void claim(ObjectKey key, Instant now) {
        protection.claim(key);
        if (binder.claim(key, now) == VolumeBinder.Outcome.WAITS && !plane.clock().isPast()) {
            claims.at(key, now.plus(AGAIN));
        }
        provisioning.claim(key, now);
    }

    private void volume(ObjectKey key, Instant now) {
        binder.volume(key, now);
        protection.volume(key);
        provisioning.volume(key);
    }
}
