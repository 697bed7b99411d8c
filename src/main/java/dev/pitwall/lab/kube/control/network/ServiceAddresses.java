package dev.pitwall.lab.kube.control.network;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.api.Addresses;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Gives addresses to Services that the cluster's own agents have put into the store without the API server, which gives
 * them to those of clients.
 */
public final class ServiceAddresses implements Controller {
    private final ControlPlane plane;
    private final Addresses addresses;
    private final WorkQueue queue = new WorkQueue();

    public ServiceAddresses(ControlPlane plane) {
        this.plane = plane;
        this.addresses = new Addresses(plane.hand().store());
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(ControlPlane.SERVICES);
    }

    @Override
    public void observe(Change change) {
        switch (change) {
            case Change.Added added -> queue.add(added.now().key());
            case Change.Modified modified -> queue.add(modified.now().key());
            case Change.Deleted deleted -> {
                // Its address is free again, as nobody has it.
            }
        }
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, (key, moment) -> sync(key));
    }

    private void sync(ObjectKey key) {
        Optional<Item> service = plane.objects().find(key);
        if (service.filter(ServiceAddresses::lacksAddress).isPresent()) {
            plane.hand().change(key, addresses::allocate);
        }
    }

    private static boolean lacksAddress(Item service) {
        JsonNode spec = service.tree().path("spec");
        boolean external = spec.path("type").asText("").equals("ExternalName");
        return !external && (spec.path("clusterIP").asText("").isEmpty() || !spec.has("clusterIPs"));
    }
}
