package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.Suffixes;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One turn of the controller with one Deployment: its ReplicaSets, which of them is made from its template, and how they
 * are made, sized and forgotten. [kubernetes: pkg/controller/deployment/sync.go]
 */
final class Rollout {
    private final ControlPlane plane;
    private final DeploymentPlan plan;
    private final Owner owner;
    private final List<RevisionSet> sets;
    private final DeploymentStatus status;
    private final PodMaker maker;
    private final Instant now;
    private Optional<RevisionSet> newest;

    Rollout(ControlPlane plane, DeploymentPlan plan, Owner owner, List<RevisionSet> sets, Instant now) {
        this.plane = plane;
        this.plan = plan;
        this.owner = owner;
        this.sets = new ArrayList<>(sets);
        this.status = new DeploymentStatus(plane, plan, now);
        this.maker = new PodMaker(plane);
        this.now = now;
        // Of several that are made from the same template the oldest goes on.
        this.newest = sets.stream().sorted(RevisionSet.BY_AGE).filter(set -> set.isMadeFrom(plan.template()))
                .findFirst();
    }

    DeploymentPlan plan() {
        return plan;
    }

    DeploymentStatus status() {
        return status;
    }

    Optional<RevisionSet> newest() {
        return newest;
    }

    List<RevisionSet> all() {
        return List.copyOf(sets);
    }

    /** Those of other templates, oldest first. */
    List<RevisionSet> old() {
        return sets.stream().filter(set -> newest.isEmpty() || set != newest.get()).sorted(RevisionSet.BY_AGE).toList();
    }

    List<RevisionSet> activeOld() {
        return old().stream().filter(RevisionSet::isActive).toList();
    }

    int replicas() {
        return sets.stream().mapToInt(RevisionSet::replicas).sum();
    }

    int available() {
        return sets.stream().mapToInt(RevisionSet::available).sum();
    }

    /** Gives the ReplicaSet of the template, if there is one, the highest number, and the Deployment the same. */
    void number() {
        newest.ifPresent(set -> {
            plane.hand().change(set.key(), there -> {
                RevisionNotes.copy(plan.item().tree(), there);
                RevisionNotes.raise(there, highestOld() + 1);
                minReady((ObjectNode) there.path("spec"));
            }).ifPresent(set::changed);
            set.number(RevisionNotes.REVISION).ifPresent(status::revision);
            if (!status.hasProgress()) {
                status.progress("True", "FoundNewReplicaSet", "Found new replica set \"" + set.name() + "\"");
            }
        });
    }

    /**
     * Makes the ReplicaSet of the template if there is none.
     *
     * @throws AdmissionRefusal if admission does not let it through; the status says so
     * @throws StoreRefusal     if its name is taken by another template's; the next try takes another
     */
    RevisionSet require() {
        if (newest.isPresent()) {
            return newest.get();
        }
        ObjectNode draft = draft(Suffixes.hash(plan.template(), status.collisions()));
        ObjectKey key = new ObjectKey(Resource.REPLICA_SETS, plan.item().key().namespace(),
                plan.name() + "-" + draft.at("/metadata/labels").path(RevisionSet.HASH).asText());
        RevisionSet made = new RevisionSet(new Item(create(key, draft)));
        sets.add(made);
        newest = Optional.of(made);
        if (made.isActive()) {
            tell("Scaled up replica set " + made.name() + " from 0 to " + made.replicas());
        }
        made.number(RevisionNotes.REVISION).ifPresent(status::revision);
        status.progress("True", "NewReplicaSetCreated", "Created new replica set \"" + made.name() + "\"");
        return made;
    }

    /** How many pods the newest ReplicaSet may have now. */
    int roomForNewest(int has) {
        return switch (plan.strategy()) {
            case RECREATE -> plan.replicas();
            case ROLLING_UPDATE -> has + Math.max(0,
                    Math.min(plan.mostReplicas() - replicas(), plan.replicas() - has));
        };
    }

    /** Gives a ReplicaSet a size, and notes what the Deployment wanted when it did. @return true if that is another size */
    boolean size(RevisionSet set, int replicas) {
        int before = set.replicas();
        plane.hand().change(set.key(), there -> {
            ((ObjectNode) there.path("spec")).put("replicas", replicas);
            RevisionNotes.size(there, plan);
        }).ifPresent(set::changed);
        if (before == replicas) {
            return false;
        }
        tell("Scaled " + (before < replicas ? "up" : "down") + " replica set " + set.name() + " from " + before + " to "
                + replicas);
        return true;
    }

    /** As {@link #size}, but a ReplicaSet that has the size already is left as it is. */
    boolean resize(RevisionSet set, int replicas) {
        return set.replicas() != replicas && size(set, replicas);
    }

    /** Forgets old ReplicaSets that nothing is left of, those of the lowest numbers first. */
    void forget() {
        List<RevisionSet> old = old().stream().filter(set -> !set.isLeaving()).sorted(Comparator.comparingLong(
                set -> set.number(RevisionNotes.REVISION).orElse(0))).toList();
        int spare = plan.historyLimit().map(limit -> old.size() - limit).orElse(0);
        old.stream().limit(Math.max(0, spare))
                .filter(set -> set.actual() == 0 && !set.isActive() && set.isObserved())
                .forEach(set -> plane.hand().delete(set.key()));
    }

    /** Writes what the turn has come to, without a word on progress. */
    void report() {
        status.count(sets, newest);
        status.write();
    }

    /** Writes what the turn has come to, and how far the rollout is. */
    void reportProgress() {
        status.count(sets, newest);
        status.judge(sets, newest);
        status.write();
    }

    private StoredObject create(ObjectKey key, ObjectNode draft) {
        try {
            return plane.hand().create(key, draft);
        } catch (AdmissionRefusal refused) {
            if (!maker.isEnding(key.namespace())) {
                String message = "Failed to create new replica set \"" + key.name() + "\": " + refused.getMessage();
                status.progress("False", "ReplicaSetCreateError", message);
                status.write();
                maker.event(owner, Type.Warning, "ReplicaSetCreateError", message, now);
            }
            throw refused;
        } catch (StoreRefusal taken) {
            status.collided();
            status.write();
            throw taken;
        }
    }

    private ObjectNode draft(String hash) {
        ObjectNode draft = Json.object();
        ObjectNode template = plan.template().deepCopy();
        template.withObjectProperty("metadata").withObjectProperty("labels").put(RevisionSet.HASH, hash);
        draft.putObject("metadata").set("labels", template.at("/metadata/labels").deepCopy());
        Owners.own(draft, owner.object(), owner.apiVersion(), owner.kind());
        ObjectNode spec = draft.putObject("spec").put("replicas", roomForNewest(0));
        minReady(spec);
        ObjectNode selector = plan.item().tree().at("/spec/selector").deepCopy();
        selector.withObjectProperty("matchLabels").put(RevisionSet.HASH, hash);
        spec.set("selector", selector);
        spec.set("template", template);
        RevisionNotes.copy(plan.item().tree(), draft);
        RevisionNotes.raise(draft, highestOld() + 1);
        RevisionNotes.size(draft, plan);
        return draft;
    }

    private void minReady(ObjectNode spec) {
        if (plan.minReadySeconds() == 0) {
            spec.remove("minReadySeconds");
        } else {
            spec.put("minReadySeconds", plan.minReadySeconds());
        }
    }

    private long highestOld() {
        return old().stream().mapToLong(set -> set.number(RevisionNotes.REVISION).orElse(0)).max().orElse(0);
    }

    private void tell(String message) {
        maker.event(owner, Type.Normal, "ScalingReplicaSet", message, now);
    }
}
