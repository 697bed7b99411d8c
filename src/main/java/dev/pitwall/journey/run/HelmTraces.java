package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HelmChange.Traces;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * What a chart and those whom it starts leave in a cluster when its release goes: Helm never removes the definitions of
 * {@code crds/}, and what a program has written on nodes stays when the program is gone (facts: cluster.md 1.1, 1.3).
 */
final class HelmTraces {
    private static final int TRIES = 10;
    private static final int NAMED = 3;

    private final HelmChange change;
    private final Cluster cluster;
    private final Patience patience;

    HelmTraces(HelmChange change, Cluster cluster, Patience patience) {
        this.change = change;
        this.cluster = cluster;
        this.patience = patience;
    }

    /** True if nothing is left of what came with the release. */
    boolean cleared() throws TroubleException, InterruptedException {
        if (!definitionsThere().isEmpty()) {
            return false;
        }
        for (JsonNode node : nodes()) {
            if (!differing(node).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Of the definitions that came with the release, those that are in the cluster. */
    List<String> definitionsThere() throws TroubleException, InterruptedException {
        List<String> there = new ArrayList<>();
        for (String name : change.traces().definitions()) {
            if (definition(name).isPresent()) {
                there.add(name);
            }
        }
        return there;
    }

    private Optional<JsonNode> definition(String name) throws TroubleException, InterruptedException {
        return cluster.get(ObjectRef.of(ObjectType.DEFINITION, name));
    }

    private List<JsonNode> nodes() throws TroubleException, InterruptedException {
        return change.traces().prefixes().isEmpty() && change.traces().labels().isEmpty()
                && change.traces().prefixed().isEmpty() ? List.of()
                : cluster.list(ObjectType.NODE, "", "");
    }

    /**
     * The objects of those definitions that neither the release nor its programs have made: they would go with their
     * definition.
     *
     * @return one sentence that begins with the place
     */
    Optional<String> keptByOthers() throws TroubleException, InterruptedException {
        for (String name : change.traces().definitions()) {
            Optional<JsonNode> definition = definition(name);
            if (definition.isPresent()) {
                List<String> foreign = objects(definition.get()).stream().filter(object -> !ours(object))
                        .map(object -> object.at("/metadata/name").asText()).toList();
                if (!foreign.isEmpty()) {
                    return Optional.of(name + " has objects that are not of this release, and would take them along: "
                            + some(foreign));
                }
            }
        }
        return Optional.empty();
    }

    private List<JsonNode> objects(JsonNode definition) throws TroubleException, InterruptedException {
        return cluster.list(type(definition), "", "");
    }

    private static ObjectType type(JsonNode definition) {
        JsonNode spec = definition.path("spec");
        String version = spec.path("versions").valueStream().filter(v -> v.path("storage").asBoolean()).findFirst()
                .map(v -> v.path("name").asText()).orElse("v1");
        return new ObjectType(spec.path("group").asText(), version, spec.at("/names/plural").asText(),
                spec.at("/names/kind").asText(), spec.path("scope").asText().equals("Cluster") ? ObjectType.Scope.CLUSTER
                : ObjectType.Scope.NAMESPACE);
    }

    /** Made by the chart, or by a program that owns it. */
    private boolean ours(JsonNode object) {
        JsonNode about = object.path("metadata");
        return !about.path("ownerReferences").isEmpty()
                || about.path("annotations").path("meta.helm.sh/release-name").asText().equals(change.release())
                || about.path("labels").path("app.kubernetes.io/instance").asText().equals(change.release());
    }

    private static String some(List<String> names) {
        return String.join(", ", names.subList(0, Math.min(NAMED, names.size())))
                + (names.size() > NAMED ? " and " + (names.size() - NAMED) + " more" : "");
    }

    /**
     * Removes them, definitions first: with their objects go the programs that those have started, and only when all
     * programs are gone do the labels stay as they are set.
     */
    void clear() throws TroubleException, InterruptedException {
        Instant end = patience.in(change.limit());
        for (String name : change.traces().definitions()) {
            cluster.delete(ObjectRef.of(ObjectType.DEFINITION, name));
        }
        awaitDefinitionsGone(end);
        awaitProgramsGone(end);
        for (int tried = 1; !cleared(); tried++) {
            setBack(tried == TRIES);
        }
    }

    private void awaitDefinitionsGone(Instant end) throws TroubleException, InterruptedException {
        Patience.Looks looks = patience.looks();
        for (List<String> left = definitionsThere(); !left.isEmpty(); left = definitionsThere()) {
            if (patience.past(end)) {
                throw Refusal.failed("customresourcedefinitions/" + left.getFirst(), "it is deleted and does not go since "
                        + Spans.words(change.limit()) + holder(left.getFirst()),
                        "Take that finalizer off if nothing waits for it any more, then go on.");
            }
            looks.untilNext();
        }
    }

    /** Which object keeps a definition, as its controller is gone and nobody takes the finalizer off. */
    private String holder(String name) throws TroubleException, InterruptedException {
        Optional<JsonNode> definition = definition(name);
        if (definition.isEmpty()) {
            return "";
        }
        for (JsonNode object : objects(definition.get())) {
            if (!object.at("/metadata/finalizers").isEmpty()) {
                String namespace = object.at("/metadata/namespace").asText("");
                return ": " + object.at("/metadata/name").asText() + (namespace.isEmpty() ? "" : " in " + namespace)
                        + " has finalizer " + object.at("/metadata/finalizers/0").asText();
            }
        }
        return "";
    }

    private void awaitProgramsGone(Instant end) throws TroubleException, InterruptedException {
        if (change.traces().prefixes().isEmpty()) {
            return;
        }
        Patience.Looks looks = patience.looks();
        for (List<String> left = programs(); !left.isEmpty(); left = programs()) {
            if (patience.past(end)) {
                throw Refusal.failed(change.target(), "it is uninstalled, and these still run since "
                        + Spans.words(change.limit()) + ": " + some(left),
                        "See why they do not end (\"kubectl -n " + change.namespace() + " get pods\"), then go on.");
            }
            looks.untilNext();
        }
    }

    /** Pods of the release, of what its custom resources own, and whatever in its namespace is on its way out. */
    private List<String> programs() throws TroubleException, InterruptedException {
        Set<String> going = new HashSet<>();
        List<String> left = new ArrayList<>();
        for (JsonNode set : cluster.list(ObjectType.DAEMON_SET, change.namespace(), "")) {
            if (ofRelease(set) || ownedByTheirs(set)) {
                going.add(set.at("/metadata/name").asText());
                left.add(set.at("/metadata/name").asText());
            }
        }
        for (JsonNode pod : cluster.list(ObjectType.POD, change.namespace(), "")) {
            JsonNode owner = pod.at("/metadata/ownerReferences/0");
            if (ofRelease(pod) || pod.at("/metadata/deletionTimestamp").isTextual()
                    || owner.path("kind").asText().equals("DaemonSet") && going.contains(owner.path("name").asText())) {
                left.add(pod.at("/metadata/name").asText());
            }
        }
        return left;
    }

    private boolean ofRelease(JsonNode object) {
        return object.at("/metadata/annotations").path("meta.helm.sh/release-name").asText().equals(change.release())
                || object.at("/metadata/labels").path("app.kubernetes.io/instance").asText().equals(change.release());
    }

    /** The owner is of a group whose labels the chart's programs write, for example {@code nvidia.com/v1}. */
    private boolean ownedByTheirs(JsonNode object) {
        return object.at("/metadata/ownerReferences").valueStream().map(o -> o.path("apiVersion").asText())
                .anyMatch(version -> change.traces().prefixes().stream().anyMatch(version::startsWith)
                        || change.traces().definitions().stream().anyMatch(definition -> version.startsWith(
                                definition.substring(definition.indexOf('.') + 1) + "/")));
    }

    /** @param last whether a node that changes in this very moment is no longer tried again */
    private void setBack(boolean last) throws TroubleException, InterruptedException {
        for (JsonNode node : nodes()) {
            ObjectNode metadata = differing(node);
            if (metadata.isEmpty()) {
                continue;
            }
            ObjectNode patch = JsonNodeFactory.instance.objectNode();
            patch.set("metadata", metadata);
            try {
                cluster.patch(ObjectRef.of(ObjectType.NODE, node.at("/metadata/name").asText()), patch,
                        node.at("/metadata/resourceVersion").asText(), Earnest.MAKE);
            } catch (TroubleException e) {
                // A kubelet writes its node every few seconds.
                if (last || e.trouble().kind() != Trouble.Kind.BUSY) {
                    throw e;
                }
                patience.untilNextTry();
            }
        }
    }

    /** What has to be set on a node so that it has the labels and annotations of before. */
    private ObjectNode differing(JsonNode node) {
        Traces traces = change.traces();
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        ObjectNode labels = differing(node, "labels", traces.labels(), traces.prefixes());
        ObjectNode annotations = differing(node, "annotations", traces.annotations(), traces.prefixed());
        if (!labels.isEmpty()) {
            metadata.set("labels", labels);
        }
        if (!annotations.isEmpty()) {
            metadata.set("annotations", annotations);
        }
        return metadata;
    }

    /** {@code null} for one that was not there. */
    private static ObjectNode differing(JsonNode node, String what, SortedMap<String, SortedMap<String, String>> all,
                                        List<String> prefixes) {
        SortedMap<String, String> before = all.getOrDefault(node.at("/metadata/name").asText(),
                Collections.emptySortedMap());
        JsonNode now = node.path("metadata").path(what);
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        now.properties().stream().map(Map.Entry::getKey).filter(key -> !before.containsKey(key)
                && prefixes.stream().anyMatch(key::startsWith)).forEach(patch::putNull);
        before.forEach((key, value) -> {
            if (!now.path(key).isTextual() || !now.path(key).asText().equals(value)) {
                patch.put(key, value);
            }
        });
        return patch;
    }
}
