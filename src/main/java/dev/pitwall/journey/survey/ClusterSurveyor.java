package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Source;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.FieldManager;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.Helm.ChartFile;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ChartWishes.Chart;
import dev.pitwall.journey.survey.ClusterSurvey.Charts;
import dev.pitwall.journey.survey.ClusterSurvey.Kept;
import dev.pitwall.journey.survey.ClusterSurvey.Reach;
import dev.pitwall.site.Supply;
import dev.pitwall.site.Together;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads a cluster as far as the steps rest on it, several things at once. Of pods it reads those of one node and those
 * without a node, so that a large cluster costs little more than a small one. What cannot be read is kept with the
 * reason, and the look goes on. Thread-safe.
 */
public final class ClusterSurveyor {
    /** Types of the whole cluster, or of few objects in all of it. */
    private static final List<ObjectType> EVERYWHERE = List.of(ObjectType.NODE, ObjectType.NAMESPACE,
            ObjectType.DAEMON_SET, ObjectType.CLUSTER_POLICY, ObjectType.RUNTIME_CLASS, ObjectType.STORAGE_CLASS);
    /** Types that a cluster has only where something is installed: asked for once their definition is seen. */
    private static final List<ObjectType> WHERE_DEFINED = List.of(ObjectType.NVIDIA_DRIVER, ObjectType.GPU_CLUSTER,
            ObjectType.HELM_CHART, ObjectType.PROMETHEUS, ObjectType.SERVICE_MONITOR, ObjectType.KYVERNO_POLICY,
            ObjectType.MUTATING_POLICY, ObjectType.MODEL_PROVIDER, ObjectType.ARGO_APPLICATION, ObjectType.FLUX_RELEASE);
    /** What is read of each namespace of the stack. */
    private static final List<ObjectType> IN_NAMESPACES = List.of(ObjectType.DEPLOYMENT, ObjectType.CONFIG_MAP,
            ObjectType.RESOURCE_QUOTA, ObjectType.LIMIT_RANGE);

    private final InstantSource clock;
    private final ChartShelf shelf;

    public ClusterSurveyor(InstantSource clock) {
        this.clock = clock;
        this.shelf = new ChartShelf(clock);
    }

    /**
     * What of a cluster matters for a card.
     *
     * @param node       names the card's node among the cluster's nodes by SMBIOS UUID; empty while it has none
     * @param namespaces to be looked into beside those of the stack
     */
    public record Place(Function<Map<String, String>, Optional<String>> node, Set<String> namespaces) {
        public Place {
            namespaces = Set.copyOf(namespaces);
        }
    }

    /** @param addresses where a supply lies */
    public ClusterSurvey survey(Cluster cluster, Optional<Helm> helm, Place place, ChartWishes wishes,
                                Function<Supply, String> addresses) throws TroubleException, InterruptedException {
        Reading reading = new Reading(cluster, place);
        reading.first(helm);
        if (reading.survey().silence().isEmpty()) {
            reading.second(helm);
            if (helm.isPresent()) {
                reading.charts(helm.get(), wishes, addresses);
            }
        }
        return reading.survey();
    }

    /** One look. */
    private final class Reading {
        private final Cluster cluster;
        private final Place place;
        private final AtomicReference<String> version = new AtomicReference<>("");
        private final Map<ObjectType, List<JsonNode>> objects = new ConcurrentHashMap<>();
        private final AtomicReference<List<Release>> releases = new AtomicReference<>(List.of());
        private final Map<String, JsonNode> given = new ConcurrentHashMap<>();
        private final Map<String, Charts> charts = new ConcurrentHashMap<>();
        private final Map<String, Trouble> unread = new ConcurrentHashMap<>();
        private final AtomicReference<Set<String>> denied = new AtomicReference<>(Set.of());
        private final Map<String, Shown> shown = new ConcurrentHashMap<>();
        private final Map<ObjectRef, List<FieldManager>> managers = new ConcurrentHashMap<>();
        private final Map<String, Release> past = new ConcurrentHashMap<>();
        private final AtomicReference<Reach> reach = new AtomicReference<>(Reach.PARTS);

        Reading(Cluster cluster, Place place) {
            this.cluster = cluster;
            this.place = place;
        }

        /** What does not depend on anything else. */
        void first(Optional<Helm> helm) throws TroubleException, InterruptedException {
            List<Callable<Boolean>> questions = new ArrayList<>();
            questions.add(asking("version", () -> {
                version.set(cluster.version());
                show("version", "kubectl version", version.get());
            }));
            EVERYWHERE.forEach(type -> questions.add(asking(type.resource(),
                    () -> keep(type, owned(type, ""), "-A"))));
            questions.add(asking(ObjectType.DEFINITION.resource(),
                    () -> keep(ObjectType.DEFINITION, cluster.names(ObjectType.DEFINITION), "")));
            helm.ifPresent(h -> questions.add(asking(ClusterSurvey.RELEASES, () -> {
                releases.set(h.releases());
                show(ClusterSurvey.RELEASES, "helm list --all --all-namespaces", releases.get().stream()
                        .map(r -> r.namespace() + "/" + r.name() + " " + r.chart() + " " + r.chartVersion() + " revision "
                                + r.revision() + " " + r.status()).collect(Collectors.joining("\n")));
            })));
            Together.all(questions);
        }

        /** What lies in the namespaces that were found, and of types that not every cluster has. */
        void second(Optional<Helm> helm) throws TroubleException, InterruptedException {
            List<Callable<Boolean>> questions = new ArrayList<>();
            WHERE_DEFINED.stream().filter(type -> survey().defines(type.resource())).forEach(type ->
                    questions.add(asking(type.resource(), () -> keep(type, cluster.list(type, "", ""), "-A"))));
            node().ifPresent(node -> questions.add(picking(ObjectType.POD, "", "spec.nodeName=" + node)));
            Set<String> stack = StackNames.namespaces(releases.get(), all(ObjectType.CLUSTER_POLICY),
                    all(ObjectType.DAEMON_SET));
            Set<String> namespaces = new TreeSet<>(stack);
            namespaces.addAll(place.namespaces());
            namespaces.stream().filter(this::isThere).forEach(namespace -> {
                IN_NAMESPACES.forEach(type -> questions.add(asking(type.resource() + " " + namespace,
                        () -> add(type, owned(type, namespace), "-n " + namespace))));
                questions.add(picking(ObjectType.POD, namespace, "spec.nodeName="));
                questions.add(picking(ObjectType.EVENT, namespace, "type=Warning"));
            });
            questions.add(asking(ClusterSurvey.RIGHTS, this::rights));
            helm.ifPresent(h -> releases.get().stream().filter(StackNames::isOfStack).forEach(release ->
                    questions.add(asking("values of " + release.name(), () -> values(h, release)))));
            Together.all(questions);
        }

        private void rights() throws TroubleException, InterruptedException {
            reach.set(cluster.may("*", ClusterSurvey.EVERY_TYPE, "") ? Reach.EVERYTHING : Reach.PARTS);
            if (reach.get() == Reach.PARTS && !cluster.may("patch", ObjectType.NAMESPACE, "")) {
                denied.set(Set.of(ClusterSurvey.right("patch", ObjectType.NAMESPACE, "")));
            }
            show(ClusterSurvey.RIGHTS, "kubectl auth can-i --list", reach.get() == Reach.EVERYTHING ? "everything is allowed"
                    : "not everything is allowed");
        }

        /** Those of the revision that counts: what an operation that died was given was never tried to its end. */
        private void values(Helm helm, Release release) throws TroubleException, InterruptedException {
            String key = release.namespace() + "/" + release.name();
            Optional<Release> counts = Optional.of(release);
            if (release.pending()) {
                counts = helm.history(release.namespace(), release.name()).stream().filter(r -> !r.pending()
                        && !r.status().equals("uninstalled")).findFirst();
                counts.ifPresent(r -> past.put(key, r));
            }
            if (counts.isPresent()) {
                helm.values(release.namespace(), release.name(), counts.get().revision())
                        .ifPresent(values -> given.put(key, values));
            }
        }

        /** Who has written what of those objects that steps may change is in the answer anyway. */
        private List<JsonNode> owned(ObjectType type, String namespace) throws TroubleException, InterruptedException {
            List<JsonNode> objects = new ArrayList<>();
            for (Cluster.Owned owned : cluster.owned(type, namespace)) {
                JsonNode about = owned.object().path("metadata");
                if (!owned.managers().isEmpty()) {
                    managers.put(new ObjectRef(type, about.path("namespace").asText(""), about.path("name").asText()),
                            owned.managers());
                }
                objects.add(owned.object());
            }
            return objects;
        }

        private boolean isThere(String namespace) {
            return all(ObjectType.NAMESPACE).isEmpty() || survey().one(ObjectType.NAMESPACE, "", namespace).isPresent();
        }

        private Callable<Boolean> picking(ObjectType type, String namespace, String fields) {
            return asking((type.resource() + " " + namespace).strip(), () -> add(type,
                    cluster.picked(type, namespace, fields), (namespace.isEmpty() ? "-A" : "-n " + namespace)
                            + " --field-selector " + fields));
        }

        void charts(Helm helm, ChartWishes wishes, Function<Supply, String> addresses)
                throws TroubleException, InterruptedException {
            ClusterSurvey seen = survey();
            Together.all(wishes.charts(seen).stream().map(chart -> asking(chart.name(), () ->
                    chart(helm, seen, chart, wishes, addresses.apply(chart.supply())))).toList());
        }

        private void chart(Helm helm, ClusterSurvey seen, Chart chart, ChartWishes wishes, String repository)
                throws TroubleException, InterruptedException {
            List<String> versions = shelf.versions(helm, repository, chart.name());
            show(chart.name(), "helm search repo " + chart.name() + " --versions", repository + "\n"
                    + String.join("\n", versions));
            Optional<String> wanted = wishes.version(seen, chart, versions);
            if (wanted.isPresent()) {
                ChartFile file = shelf.file(helm, repository, chart.name(), wanted.get());
                charts.put(chart.name(), new Charts(repository, versions, file));
            }
        }

        @FunctionalInterface
        private interface Question {
            void ask() throws TroubleException, InterruptedException;
        }

        /** A question whose trouble is kept and ends nothing. */
        private Callable<Boolean> asking(String what, Question question) {
            return () -> {
                try {
                    question.ask();
                    return true;
                } catch (TroubleException e) {
                    unread.put(what, e.trouble());
                    shown.put(what, new Shown(source("kubectl get " + what), clock.instant(), e.trouble().what(), false));
                    return false;
                }
            };
        }

        private List<JsonNode> all(ObjectType type) {
            return objects.getOrDefault(type, List.of());
        }

        private void keep(ObjectType type, List<JsonNode> found, String how) {
            objects.put(type, List.copyOf(found));
            show(type.resource(), ("kubectl get " + type.resource() + " " + how).strip(), listing(found));
        }

        /** More of a type of which others are here; a pod is only once in a cluster, wherever it was found. */
        private synchronized void add(ObjectType type, List<JsonNode> found, String how) {
            SortedMap<String, JsonNode> every = new TreeMap<>();
            Stream.concat(all(type).stream(), found.stream()).forEach(object -> every.put(place(object), object));
            objects.put(type, List.copyOf(every.values()));
            show(type.resource(), "kubectl get " + type.resource() + " " + how, listing(objects.get(type)));
        }

        private void show(String what, String how, String raw) {
            shown.put(what, new Shown(source(how), clock.instant(), raw, true));
        }

        private Source source(String how) {
            return new Source(Source.Kind.CLUSTER, cluster.name(), how);
        }

        private static String listing(Collection<JsonNode> found) {
            return found.stream().map(Reading::place).sorted().collect(Collectors.joining("\n"));
        }

        private static String place(JsonNode object) {
            String name = object.at("/metadata/name").asText();
            return object.at("/metadata/namespace").isTextual() ? object.at("/metadata/namespace").asText() + "/" + name
                    : name;
        }

        private Optional<String> node() {
            return place.node().apply(survey().nodesByUuid());
        }

        ClusterSurvey survey() {
            return new ClusterSurvey(cluster.name(), version.get(), Distributions.of(version.get(), all(ObjectType.NODE)), objects,
                    releases.get(), given, charts, unread, denied.get(), shown,
                    new Kept(managers, past, reach.get()));
        }

    }
}
