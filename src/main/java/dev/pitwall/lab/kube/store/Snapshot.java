package dev.pitwall.lab.kube.store;

import java.util.List;

/**
 * The objects of a resource at one moment, sorted by namespace and name.
 *
 * @param revision of the whole store at that moment
 */
public record Snapshot(long revision, List<StoredObject> objects) {
}
