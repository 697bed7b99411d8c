package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.consent.FieldGuard;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes, alters or removes an object of a cluster. */
final class ManifestMaking implements Making {
    /** What is removed may have finalizers, pods and their grace before it is gone. */
    private static final Duration GOING = Duration.ofMinutes(3);
    /** [kubernetes: namespace controller, status_condition_utils.go] */
    private static final List<String> TELLING = List.of("NamespaceContentRemaining", "NamespaceFinalizersRemaining",
            "NamespaceDeletionContentFailure", "NamespaceDeletionDiscoveryFailure");
    /** What people and programs keep things in. */
    private static final List<ObjectType> CONTENTS = List.of(ObjectType.POD, ObjectType.DEPLOYMENT, ObjectType.DAEMON_SET,
            ObjectType.SERVICE, ObjectType.VOLUME_CLAIM, ObjectType.CONFIG_MAP, ObjectType.SECRET);
    private static final List<String> OF_EVERY_NAMESPACE = List.of("kube-root-ca.crt", "openshift-service-ca.crt",
            "istio-ca-root-cert");
    private static final int NAMED = 3;
    private static final int TRIES = 10;

    private final ManifestChange change;
    private final FieldGuard fields = new FieldGuard();
    private final Cluster cluster;
    private final Patience patience;

    ManifestMaking(ManifestChange change, Cluster cluster, Patience patience) {
        this.change = change;
        this.cluster = cluster;
        this.patience = patience;
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        Standing standing = judge(cluster.get(change.object()));
        Optional<String> kept = standing instanceof Standing.Before ? fields.kept(change, cluster) : Optional.empty();
        return kept.<Standing>map(Standing.Other::new).orElse(standing);
    }

    private Standing judge(Optional<JsonNode> now) {
        boolean before = is(now, change.before());
        if (is(now, change.after()) && !(before && shortens())) {
            return Standing.AFTER;
        }
        return before ? Standing.BEFORE : new Standing.Other(change.object()
                + (now.isEmpty() ? " is gone" : change.before().isEmpty() ? " is there already, and is another one"
                        : " has other values than before"));
    }

    /** An object with a longer list holds the shorter one too: an item that is to go is still there. */
    private boolean shortens() {
        return change.before().isPresent() && change.after().isPresent()
                && Tree.holds(change.before().get(), change.after().get())
                && !Tree.holds(change.after().get(), change.before().get());
    }

    /** One that is on its way out is as good as gone only when it is gone. */
    private static boolean is(Optional<JsonNode> now, Optional<JsonNode> wanted) {
        return wanted.isEmpty() ? now.isEmpty() : now.filter(object -> !goes(object)
                && Tree.holds(object, wanted.get())).isPresent();
    }

    private static boolean goes(JsonNode object) {
        return object.at("/metadata/deletionTimestamp").isTextual();
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        if (change.after().isEmpty()) {
            remove();
        } else if (change.before().isEmpty()) {
            cluster.create(change.object(), change.after().get(), Earnest.MAKE);
        } else {
            set(change.after().get());
        }
        return "";
    }

    /** Others write other fields of it, as a kubelet writes its node every few seconds: then it is judged anew. */
    private void set(JsonNode fields) throws TroubleException, InterruptedException {
        for (int tried = 1; ; tried++) {
            Optional<JsonNode> now = cluster.get(change.object());
            if (!(judge(now) instanceof Standing.Before)) {
                throw Refusal.busy(change.object().toString(), "somebody changed it in this moment",
                        "Look at it again, then go on.");
            }
            this.fields.refuseIfKept(change, cluster);
            try {
                cluster.patch(change.object(), fields, now.orElseThrow().at("/metadata/resourceVersion").asText(),
                        Earnest.MAKE);
                return;
            } catch (TroubleException e) {
                if (e.trouble().kind() != Trouble.Kind.BUSY || tried == TRIES) {
                    throw e;
                }
            }
        }
    }

    private void remove() throws TroubleException, InterruptedException {
        if (change.object().type().equals(ObjectType.NAMESPACE)) {
            refuseIfInUse();
        }
        fields.refuseIfKept(change, cluster);
        cluster.delete(change.object());
        Instant end = patience.in(GOING);
        Patience.Looks looks = patience.looks();
        for (Optional<JsonNode> now = cluster.get(change.object()); now.isPresent(); now = cluster.get(change.object())) {
            if (patience.past(end)) {
                throw Refusal.failed(change.object().toString(), "it is deleted and does not go since "
                        + Spans.words(GOING) + holders(now.get()),
                        "Let whoever has that finalizer do its work, or take it off if nobody is left who would; then go on.");
            }
            looks.untilNext();
        }
    }

    /** With a namespace goes all that is in it. What this run has put there is gone by now. */
    private void refuseIfInUse() throws TroubleException, InterruptedException {
        String namespace = change.object().name();
        List<String> others = new ArrayList<>();
        for (ObjectType type : CONTENTS) {
            for (JsonNode object : cluster.list(type, namespace, "")) {
                String name = object.at("/metadata/name").asText();
                if (!goes(object) && object.at("/metadata/ownerReferences").isEmpty() && !OF_EVERY_NAMESPACE.contains(name)) {
                    others.add(type.plural() + "/" + name);
                }
            }
        }
        if (!others.isEmpty()) {
            throw Refusal.busy(change.object().toString(), "others have something in it, which would go with it: "
                    + String.join(", ", others.subList(0, Math.min(NAMED, others.size())))
                    + (others.size() > NAMED ? " and " + (others.size() - NAMED) + " more" : ""),
                    "Move or delete that first, or keep the namespace.");
        }
    }

    /** What the namespace controller says, or the first finalizer of an object. */
    private static String holders(JsonNode object) {
        List<String> said = new ArrayList<>();
        for (JsonNode condition : object.at("/status/conditions")) {
            if (TELLING.contains(condition.path("type").asText()) && condition.path("status").asText().equals("True")) {
                said.add(condition.path("message").asText());
            }
        }
        JsonNode finalizers = object.at("/metadata/finalizers");
        return !said.isEmpty() ? ": " + String.join("; ", said)
                : finalizers.isEmpty() ? "" : ": finalizer " + finalizers.path(0).asText();
    }
}
