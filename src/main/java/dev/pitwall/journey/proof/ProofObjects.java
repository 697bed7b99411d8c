package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.card.PodReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.Situation;
import dev.pitwall.site.Supply;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.ClusterSurvey.Charts;
import dev.pitwall.read.PodObject;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The objects that the last two steps rest on and nobody else has read. What may not be read is left out. */
final class ProofObjects {
    /** Read for the whole cluster: there are few of them. */
    private static final List<ObjectType> EVERYWHERE = List.of(ObjectType.STORAGE_CLASS, ObjectType.NAMESPACE,
            ObjectType.LIMIT_RANGE);

    private final Systems systems;
    private final Cluster cluster;
    private final ProofData data;
    private final Map<ObjectType, List<JsonNode>> objects = new HashMap<>();
    private final Map<String, Trouble> unread = new HashMap<>();

    ProofObjects(Systems systems, Cluster cluster, ProofData data) {
        this.systems = systems;
        this.cluster = cluster;
        this.data = data;
    }

    /** The same situation, with what was read in addition. */
    Situation added(Situation s) throws TroubleException, InterruptedException {
        ClusterSurvey seen = s.cluster().orElseThrow();
        objects.putAll(seen.objects());
        unread.putAll(seen.unread());
        for (ObjectType type : EVERYWHERE) {
            if (!objects.containsKey(type)) {
                add(type, "");
            }
        }
        String node = CardNode.of(s).orElseThrow().name();
        if (!objects.containsKey(ObjectType.POD)) {
            add(ObjectType.POD, "");
        }
        ServerWish wish = ServerWish.of(s, CardNode.of(s).orElseThrow(), data);
        Set<String> services = new HashSet<>();
        for (JsonNode pod : List.copyOf(all(ObjectType.POD))) {
            PodReport read = new PodObject().read(pod);
            if (read.node().filter(node::equals).isPresent() && !read.gpuRequests().isEmpty()) {
                Optional<ObjectRef> workload = Holder.workload(pod, read);
                if (workload.isPresent()) {
                    keep(workload.get());
                }
                if (ServerThere.isServer(pod) && services.add(read.namespace())) {
                    add(ObjectType.SERVICE, read.namespace());
                }
            }
        }
        keep(new ObjectRef(ObjectType.DEPLOYMENT, wish.namespace(), wish.name()));
        if (!services.contains(wish.namespace())) {
            add(ObjectType.POD, wish.namespace());
        }
        Map<String, Charts> charts = new HashMap<>(seen.charts());
        List<Release> releases = chart(wish, seen, charts);
        return s.with(Optional.of(seen.with(objects, releases, charts, unread)), s.node());
    }

    private List<JsonNode> all(ObjectType type) {
        return objects.getOrDefault(type, List.of());
    }

    private interface Read<T> {
        T read() throws TroubleException, InterruptedException;
    }

    /** What the person may not read is as if it were not there; a connection that is lost ends the look. */
    private <T> T allowed(Read<T> read, T otherwise) throws TroubleException, InterruptedException {
        try {
            return read.read();
        } catch (TroubleException e) {
            if (e.trouble().kind().unreachable()) {
                throw e;
            }
            return otherwise;
        }
    }

    private void add(ObjectType type, String namespace) throws TroubleException, InterruptedException {
        put(type, allowed(() -> cluster.list(type, namespace, ""), List.of()));
    }

    private void keep(ObjectRef object) throws TroubleException, InterruptedException {
        put(object.type(), allowed(() -> cluster.get(object), Optional.<JsonNode>empty()).map(List::of).orElse(List.of()));
    }

    /** One object is only once there, whoever has read it. */
    private void put(ObjectType type, List<JsonNode> more) {
        SortedMap<String, JsonNode> every = new TreeMap<>();
        all(type).forEach(object -> every.put(place(object), object));
        more.forEach(object -> every.put(place(object), object));
        objects.put(type, List.copyOf(every.values()));
    }

    private static String place(JsonNode object) {
        return object.at("/metadata/namespace").asText("") + "/" + object.at("/metadata/name").asText();
    }

    /** The chart is looked for where a server of this card would be made of it: those of other cards say nothing. */
    private List<Release> chart(ServerWish wish, ClusterSurvey seen, Map<String, Charts> charts)
            throws TroubleException, InterruptedException {
        Optional<Helm> helm = wish.form() == ServerWish.Form.CHART && !charts.containsKey(data.server().chart())
                ? systems.helm() : Optional.empty();
        if (helm.isEmpty()) {
            return seen.releases();
        }
        String repository = systems.address(Supply.OLLAMA_CHARTS);
        try {
            List<String> versions = helm.get().versions(repository, data.server().chart());
            String version = versions.contains(data.server().version()) ? data.server().version() : versions.getFirst();
            charts.put(data.server().chart(), new Charts(repository, versions,
                    helm.get().chart(repository, data.server().chart(), version)));
        } catch (TroubleException e) {
            unread.put(data.server().chart(), e.trouble());
        }
        return seen.releases().isEmpty() ? allowed(() -> helm.get().releases(), List.of()) : seen.releases();
    }
}
