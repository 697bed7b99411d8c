package dev.pitwall.lab.kube.store;

/**
 * A kind of object as the store keys it: versions of one group share their objects.
 *
 * @param group  empty for the core group
 * @param plural for example {@code pods}
 */
public record Resource(String group, String plural) {

    /** A resource of the core group. */
    public static Resource core(String plural) {
        return new Resource("", plural);
    }

    /** As error texts name it: {@code pods}, {@code daemonsets.apps}. */
    public String qualified() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
