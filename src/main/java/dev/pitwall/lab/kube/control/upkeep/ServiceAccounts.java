package dev.pitwall.lab.kube.control.upkeep;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Gives every namespace its ServiceAccount {@code default} and the ConfigMap with the cluster's certificate authority,
 * and gives them back if somebody takes them. Stands before whatever makes pods, which need both.
 */
public final class ServiceAccounts implements Controller {
    private static final String DEFAULT = "default";
    private static final String ROOT_CA = "kube-root-ca.crt";
    private static final String DESCRIPTION = "Contains a CA bundle that can be used to verify the kube-apiserver when"
            + " using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is"
            + " guaranteed across distributions of Kubernetes clusters.";

    private final ControlPlane plane;
    private final ClusterHand accounts;
    private final ClusterHand publisher;
    private final String authority;
    private final WorkQueue queue = new WorkQueue();

    /** @param authority certificate of who signed the API server's, as PEM */
    public ServiceAccounts(ControlPlane plane, String authority) {
        this.plane = plane;
        this.accounts = plane.as("service-account-controller").hand();
        this.publisher = plane.as("root-ca-cert-publisher").hand();
        this.authority = authority;
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.NAMESPACES, Resource.SERVICE_ACCOUNTS, Resource.CONFIG_MAPS);
    }

    @Override
    public void seen(StoredObject object) {
        ObjectKey key = object.key();
        if (key.resource().equals(Resource.NAMESPACES)) {
            queue.add(key);
        } else if (key.resource().equals(Resource.CONFIG_MAPS) && key.name().equals(ROOT_CA)) {
            queue.add(namespace(key.namespace()));
        }
    }

    @Override
    public void gone(StoredObject object) {
        ObjectKey key = object.key();
        boolean ours = key.resource().equals(Resource.SERVICE_ACCOUNTS) && key.name().equals(DEFAULT)
                || key.resource().equals(Resource.CONFIG_MAPS) && key.name().equals(ROOT_CA);
        if (ours) {
            queue.add(namespace(key.namespace()));
        }
    }

    private static ObjectKey namespace(String name) {
        return new ObjectKey(Resource.NAMESPACES, "", name);
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, (key, moment) -> sync(key));
    }

    private void sync(ObjectKey key) {
        Optional<Item> namespace = plane.objects().find(key);
        if (namespace.isEmpty() || namespace.get().isLeaving()) {
            return;
        }
        ObjectKey account = new ObjectKey(Resource.SERVICE_ACCOUNTS, key.name(), DEFAULT);
        if (accounts.find(account).isEmpty()) {
            accounts.create(account, Json.object());
        }
        publish(new ObjectKey(Resource.CONFIG_MAPS, key.name(), ROOT_CA));
    }

    private void publish(ObjectKey key) {
        Optional<StoredObject> there = publisher.find(key);
        if (there.isEmpty()) {
            ObjectNode map = Json.object();
            fill(map);
            publisher.create(key, map);
        } else if (!there.get().tree().path("data").path("ca.crt").asText().equals(authority)) {
            publisher.change(key, this::fill);
        }
    }

    private void fill(ObjectNode map) {
        map.putObject("data").put("ca.crt", authority);
        map.withObjectProperty("metadata").withObjectProperty("annotations")
                .put("kubernetes.io/description", DESCRIPTION);
    }
}
