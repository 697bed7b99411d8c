package dev.pitwall.link.kube;

/**
 * What an API server was asked for, in the words of its refusals.
 *
 * @param verb      of RBAC, for example {@code create}
 * @param cluster   its name in the site
 * @param object    as a person finds it, for example {@code pods/proof in gpu-operator}
 * @param namespace empty text for the whole cluster
 * @param single    false for a whole list
 */
record Asked(String verb, String cluster, String object, String namespace, boolean single) {

    /** The place of a trouble: the object, and the cluster that it is in. */
    String where() {
        return object + (single || namespace.isEmpty() ? "" : " in " + namespace) + " (" + cluster + ")";
    }
}
