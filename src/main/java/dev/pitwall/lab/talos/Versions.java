package dev.pitwall.lab.talos;

import com.google.protobuf.ByteString;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Numbers the versions of resources: one more whenever what a resource says has changed. Safe for any number of threads. */
final class Versions {
    /** @param number from 1 on; boots do not begin anew, the resources of a node live as long as the lab */
    record Version(long number, Instant created, Instant updated, ByteString content) {
    }

    private final Map<String, Version> known = new HashMap<>();

    synchronized Version of(String key, ByteString content, Instant first, Instant now) {
        return known.compute(key, (k, before) -> before == null ? new Version(1, first, first, content)
                : before.content().equals(content) ? before
                : new Version(before.number() + 1, before.created(), now, content));
    }
}
