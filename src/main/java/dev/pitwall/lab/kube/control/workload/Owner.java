package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.store.StoredObject;

/** An object that owns what its controller makes, and whose events tell of it. */
record Owner(StoredObject object, String apiVersion, String kind, String component) {
}
