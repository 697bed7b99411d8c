package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.store.StoredObject;

/**
 * An object that owns what its controller makes, and whose events tell of it.
 *
 * @param component as events name the controller
 * @param isLeaving true while it is being deleted
 */
record Owner(StoredObject object, String apiVersion, String kind, String component, boolean isLeaving) {
    static Owner of(Item item, String apiVersion, String kind, String component) {
        return new Owner(item.object(), apiVersion, kind, component, item.isLeaving());
    }
}
