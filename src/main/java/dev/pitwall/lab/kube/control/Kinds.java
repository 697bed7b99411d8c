package dev.pitwall.lab.kube.control;

import dev.pitwall.lab.kube.store.Resource;
import java.util.Optional;
import java.util.Set;

/** What kinds of objects the cluster has, those of CustomResourceDefinitions included. */
public interface Kinds {

    /** Everything that can be kept; the same set as long as nothing was added or taken away. */
    Set<Resource> resources();

    /** Those that live in namespaces. */
    Set<Resource> namespaced();

    /** @param group empty for the core group */
    Optional<Resource> find(String group, String kind);

    /** How objects of a resource call their kind; empty for a resource that is not served. */
    Optional<Named> named(Resource resource);

    /** A kind by its name. @param apiVersion for example {@code apps/v1} */
    record Named(String apiVersion, String kind) {
    }

    /** As a manifest names it, for example {@code apps/v1}; empty for a resource that is not served. */
    default Optional<Resource> findByApiVersion(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        return find(slash < 0 ? "" : apiVersion.substring(0, slash), kind);
    }
}
