package dev.pitwall.lab.kube.control.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Says what is behind Services with a selector, in their Endpoints and EndpointSlices. A pod of which nothing has
 * changed that endpoints show costs one comparison.
 */
public final class ServiceEndpoints implements Controller {
    private static final String CUT = "endpoints.kubernetes.io/over-capacity";

    private final ControlPlane plane;
    private final ClusterHand hand;
    private final Slices slices;
    private final WorkQueue queue = new WorkQueue();
    private final Map<String, Map<ObjectKey, ServiceFacts>> services = new HashMap<>();
    /** Read once from each version of a pod. */
    private final Map<ObjectKey, Backend> backends = new HashMap<>();

    public ServiceEndpoints(ControlPlane plane) {
        this.plane = plane;
        this.hand = plane.as("endpoint-controller").hand();
        this.slices = new Slices(plane);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.SERVICES, Resource.PODS, Resource.ENDPOINTS, Resource.ENDPOINT_SLICES);
    }

    @Override
    public void seen(StoredObject object) {
        ObjectKey key = object.key();
        if (key.resource().equals(Resource.PODS)) {
            podChanged();
        } else if (key.resource().equals(Resource.SERVICES)) {
            plane.objects().find(key).ifPresent(item -> services.computeIfAbsent(key.namespace(),
                    n -> new LinkedHashMap<>()).put(key, ServiceFacts.of(item)));
            queue.add(key);
        }
    }

    @Override
    public void gone(StoredObject object) {
        ObjectKey key = object.key();
        if (key.resource().equals(Resource.PODS)) {
            backends.remove(key);
            podChanged();
        } else if (key.resource().equals(Resource.SERVICES)) {
            in(key.namespace()).remove(key);
            queue.add(key);
        } else {
            String name = key.resource().equals(Resource.ENDPOINT_SLICES)
                    ? object.labels().getOrDefault(Slices.SERVICE, "") : key.name();
            queue.add(new ObjectKey(Resource.SERVICES, key.namespace(), name));
        }
    }

    private Map<ObjectKey, ServiceFacts> in(String namespace) {
        return services.getOrDefault(namespace, new HashMap<>());
    }

    private void podChanged() {
        Pods.News news = plane.pods().news();
        boolean same = news.before().isPresent() && news.now().isPresent()
                && !Backend.differ(news.before().get(), news.now().get());
        if (!same) {
            in(news.last().key().namespace()).forEach((key, service) -> {
                if (selects(service, news.before()) || selects(service, news.now())) {
                    queue.add(key);
                }
            });
        }
    }

    private static boolean selects(ServiceFacts service, Optional<PodFacts> pod) {
        return pod.isPresent() && service.selector().test(pod.get().labels());
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, this::sync);
    }

    private void sync(ObjectKey key, Instant now) {
        ServiceFacts service = in(key.namespace()).get(key);
        if (service == null) {
            hand.delete(new ObjectKey(Resource.ENDPOINTS, key.namespace(), key.name()));
        } else if (service.isSelecting() && !service.item().isLeaving()) {
            List<Backend> behind = plane.pods().in(key.namespace()).stream()
                    .filter(pod -> service.selector().test(pod.labels()) && !pod.isDone()
                            && !pod.address().isEmpty()).map(this::backend)
                    .sorted(Comparator.comparing(backend -> backend.pod().key().name())).toList();
            endpoints(service, behind, now);
            slices.write(service, behind, now);
        }
    }

    private Backend backend(PodFacts pod) {
        Backend known = backends.get(pod.key());
        if (known == null || known.pod() != pod) {
            known = Backend.of(pod);
            backends.put(pod.key(), known);
        }
        return known;
    }

    private void endpoints(ServiceFacts service, List<Backend> behind, Instant now) {
        ObjectKey key = new ObjectKey(Resource.ENDPOINTS, service.item().key().namespace(), service.name());
        ArrayNode subsets = EndpointsObject.subsets(service, behind);
        boolean cut = EndpointsObject.isCut(service, behind);
        if (hand.find(key).isEmpty()) {
            ObjectNode endpoints = Json.object();
            fill(endpoints, service, subsets, cut, now);
            hand.create(key, endpoints);
        } else {
            hand.change(key, endpoints -> fill(endpoints, service, subsets, cut, now));
        }
    }

    private static void fill(ObjectNode endpoints, ServiceFacts service, ArrayNode subsets, boolean cut, Instant now) {
        ObjectNode before = endpoints.deepCopy();
        Labels.ofService(service, endpoints).put("endpoints.kubernetes.io/managed-by", "endpoint-controller");
        if (subsets.isEmpty()) {
            endpoints.remove("subsets");
        } else {
            endpoints.set("subsets", subsets);
        }
        if (cut) {
            endpoints.withObjectProperty("metadata").withObjectProperty("annotations").put(CUT, "truncated");
        } else if (endpoints.at("/metadata/annotations").has(CUT)) {
            ((ObjectNode) endpoints.at("/metadata/annotations")).remove(CUT);
        }
        Labels.trigger(endpoints, before, now);
    }
}
