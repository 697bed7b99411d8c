package dev.pitwall.link.proxmox;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Who of several readers reads which node of a Proxmox cluster. Each member of a cluster answers for all of them (pvedaemon
 * passes the question on), so a site with an access to each of sixteen hosts would read sixteen times sixteen.
 */
public final class NodeDuty {
    /** A reader that says neither that it goes on nor that it failed is taken for gone after this. */
    private static final Duration LAPSE = Duration.ofMinutes(3);

    private final Map<String, Turn> turns = new HashMap<>();

    private record Turn(Object reader, Instant at) {
    }

    /** Whether the node asked is the one the reader is connected to. */
    enum Way { DIRECT, THROUGH_ANOTHER }

    /**
     * True if this reader is to read the node now: it is connected to it, or nobody else reads it.
     *
     * @param node unique among all clusters
     */
    synchronized boolean take(String node, Object reader, Way way, Instant now) {
        Turn last = turns.get(node);
        boolean free = way == Way.DIRECT || last == null || last.reader() == reader
                || now.isAfter(last.at().plus(LAPSE));
        if (free) {
            turns.put(node, new Turn(reader, now));
        }
        return free;
    }

    /** The reader has failed or ended: the others take over at their next read. */
    synchronized void release(Object reader) {
        turns.values().removeIf(turn -> turn.reader() == reader);
    }
}
