package dev.pitwall.lab.kube.store;

/**
 * Where one object is kept.
 *
 * @param namespace empty for a cluster-scoped object
 */
public record ObjectKey(Resource resource, String namespace, String name) {

    /** Key within its resource; sorts by namespace, then name, as a list does. */
    String row() {
        return namespace + "/" + name;
    }
}
