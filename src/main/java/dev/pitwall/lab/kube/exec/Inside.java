package dev.pitwall.lab.kube.exec;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What a process in a container finds around it, at one moment.
 *
 * @param node        whose kernel it runs on
 * @param hostname    as it sees it
 * @param address     of its pod; empty if it has none yet
 * @param image       repository with its registry, a colon, and its tag
 * @param environment in the order in which {@code env} prints it
 * @param directory   its first working folder
 * @param user        numeric id
 * @param mounted     files that its volumes show, by absolute path
 * @param folders     where volumes are mounted
 * @param readOnly    absolute paths at which it cannot write
 * @param cards       that it can use
 * @param processes   command lines of its first process and of those that it shares its numbers with
 */
public record Inside(String node, String hostname, String address, String image, Map<String, String> environment,
                     String directory, long user, Map<String, String> mounted, List<String> folders,
                     Predicate<String> readOnly, Cards cards, List<String> processes) {

    /** With more files, that were written there. */
    public Inside with(Map<String, byte[]> written) {
        Map<String, String> files = new TreeMap<>(mounted);
        written.forEach((path, bytes) -> files.put(path, new String(bytes, StandardCharsets.UTF_8)));
        return new Inside(node, hostname, address, image, environment, directory, user, files, folders, readOnly, cards,
                processes);
    }

    /**
     * Cards that the container runtime has put into it.
     *
     * @param ids     of the devices, {@code all} for every card of the node; empty if it has none
     * @param library release of the driver's libraries that came with them; empty if they are as the kernel module
     * @param host    processes of the whole node are seen, not only its own
     */
    public record Cards(Set<String> ids, String library, boolean host) {
        public static final Cards NONE = new Cards(Set.of(), "", false);

        /** The driver's programs and libraries are there. */
        public boolean any() {
            return !ids.isEmpty();
        }

        /** @param uuid {@code GPU-…}; a share of a card is named after it */
        boolean has(String uuid) {
            return ids.contains("all") || ids.stream().anyMatch(id -> id.equals(uuid) || id.startsWith(uuid + "::"));
        }
    }
}
