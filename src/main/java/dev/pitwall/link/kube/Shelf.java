package dev.pitwall.link.kube;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What is known of one resource: slim records of the objects that matter, and a count of the others. Written by one
 * reflector's thread, read by any.
 *
 * @param <T> the slim record
 */
final class Shelf<T> {
    private final Function<JsonNode, Optional<T>> slim;
    private final Runnable changed;
    private volatile NavigableMap<String, T> kept = new ConcurrentSkipListMap<>();
    private Set<String> others = new HashSet<>();
    private volatile int count;

    /**
     * @param slim    the record of an object; empty if it does not matter
     * @param changed called after every change that shows
     */
    Shelf(Function<JsonNode, Optional<T>> slim, Runnable changed) {
        this.slim = slim;
        this.changed = changed;
    }

    /** The records that matter, by namespace and name. */
    Collection<T> kept() {
        return kept.values();
    }

    /** All objects of the resource. */
    int count() {
        return count;
    }

    /** Takes the items of a new list; nothing shows before {@link Intake#commit()}. */
    Intake intake() {
        return new Intake();
    }

    void put(JsonNode object) {
        String key = key(object);
        Optional<T> record = slim.apply(object);
        T before = record.isPresent() ? kept.put(key, record.get()) : kept.remove(key);
        boolean counted = record.isPresent() ? others.remove(key) : !others.add(key);
        recount();
        if (!record.equals(Optional.ofNullable(before)) || !counted && before == null) {
            changed.run();
        }
    }

    void remove(JsonNode object) {
        String key = key(object);
        boolean was = kept.remove(key) != null | others.remove(key);
        recount();
        if (was) {
            changed.run();
        }
    }

    private void recount() {
        count = kept.size() + others.size();
    }

    private static String key(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return metadata.path("namespace").asText("") + "/" + metadata.path("name").asText("");
    }

    /** A list in the making. */
    final class Intake {
        private final Map<String, T> fresh = new TreeMap<>();
        private final Set<String> rest = new HashSet<>();

        void take(JsonNode object) {
            String key = key(object);
            slim.apply(object).ifPresentOrElse(record -> fresh.put(key, record), () -> rest.add(key));
        }

        /** Replaces everything known by this list. */
        void commit() {
            boolean same = fresh.equals(kept) && count == fresh.size() + rest.size();
            kept = new ConcurrentSkipListMap<>(fresh);
            others = rest;
            recount();
            if (!same) {
                changed.run();
            }
        }
    }
}
