package dev.pitwall.lab.kube.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.schema.Schema;
import dev.pitwall.lab.kube.store.Json;

import java.util.ArrayList;
import java.util.List;

/**
 * Keeps {@code metadata.managedFields} as the API server does: who applied or updated which field, conflicts between them,
 * and what an applied configuration no longer names.
 */
public final class FieldOwners {
    /** Fields nobody owns. */
    private static final FieldSet NOBODYS = nobodys();

    /** What a conflict is to lead to. */
    public enum OnConflict { REFUSE, FORCE }

    /**
     * A write.
     *
     * @param manager     who writes
     * @param apiVersion  that it speaks
     * @param subresource empty for the object itself
     * @param time        now, as Kubernetes writes it
     */
    public record Write(String manager, String apiVersion, String subresource, String time) {
    }

    private record Entry(Manager manager, FieldSet fields, String time) {
    }

    private FieldOwners() {
    }

    private static FieldSet nobodys() {
        FieldSet set = new FieldSet();
        set.child("f:apiVersion").add();
        set.child("f:kind").add();
        FieldSet metadata = set.child("f:metadata");
        for (String name : List.of("name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName",
                "generation", "managedFields", "resourceVersion", "deletionTimestamp",
                "deletionGracePeriodSeconds")) {
            metadata.child("f:" + name).add();
        }
        return set;
    }

    /**
     * Writes into {@code after} who owns what once it takes the place of {@code before}.
     *
     * @param before what is there now, without apiVersion and kind; empty for a new object
     */
    public static void update(ObjectNode before, ObjectNode after, Schema schema, Write write) {
        JsonNode sent = after.at("/metadata/managedFields");
        JsonNode had = before.at("/metadata/managedFields");
        boolean reset = sent.isArray() && (sent.isEmpty() || sent.size() == 1 && sent.get(0).isEmpty());
        List<Entry> entries = reset ? new ArrayList<>() : entries(sent.isArray() ? sent : had);
        boolean chosen = sent.isArray() && !sent.equals(had);
        FieldSet changed = Values.changed(bare(before), bare(after), schema).minusWithin(NOBODYS);
        FieldSet removed = Values.removed(bare(before), bare(after), schema);
        Manager manager = new Manager(write.manager(), "Update", write.apiVersion(), write.subresource());
        List<Entry> kept = new ArrayList<>();
        FieldSet own = changed;
        for (Entry entry : entries) {
            FieldSet rest = entry.fields().minusWithin(removed);
            if (entry.manager().isSame(manager)) {
                own = rest.union(changed);
                if (own.equals(entry.fields())) {
                    kept.add(entry);
                    own = new FieldSet();
                }
            } else {
                keep(kept, entry, before.isEmpty() ? rest : rest.minus(changed));
            }
        }
        boolean silent = reset || chosen && changed.isEmpty();
        if (!own.isEmpty() && !silent) {
            kept.add(new Entry(manager, own, write.time()));
        }
        write(after, kept);
    }

    /**
     * Applies a configuration.
     *
     * @param before what is there now; empty for a new object
     * @return the object as it is to be kept
     * @throws ApplyConflict if others own what it names with another value
     */
    public static ObjectNode apply(ObjectNode before, ObjectNode configuration, Schema schema, Write write,
                                   OnConflict onConflict) {
        ObjectNode live = bare(before);
        ObjectNode wanted = bare(configuration);
        FieldSet named = Values.paths(wanted, schema).minusWithin(NOBODYS);
        Manager manager = new Manager(write.manager(), "Apply", write.apiVersion(), write.subresource());
        List<Entry> entries = entries(before.at("/metadata/managedFields"));
        ObjectNode merged = (ObjectNode) Values.merge(live, wanted, schema);
        FieldSet changed = Values.changed(live, merged, schema);
        if (onConflict == OnConflict.REFUSE) {
            requireNoConflict(entries, manager, changed);
        }
        FieldSet mine = new FieldSet();
        FieldSet others = named;
        List<Entry> kept = new ArrayList<>();
        Entry old = null;
        for (Entry entry : entries) {
            if (entry.manager().isSame(manager)) {
                mine = entry.fields();
                old = entry;
            } else {
                FieldSet rest = entry.fields().minus(changed);
                keep(kept, entry, rest);
                others = others.union(rest);
            }
        }
        Values.remove(merged, mine.minus(named), others, schema);
        if (!named.isEmpty()) {
            kept.add(old != null && old.fields().equals(named) ? old : new Entry(manager, named, write.time()));
        }
        write(merged, kept);
        return merged;
    }

    private static void requireNoConflict(List<Entry> entries, Manager manager, FieldSet changed) {
        List<ApplyConflict.Cause> causes = new ArrayList<>();
        for (Entry entry : entries) {
            if (!entry.manager().isSame(manager)) {
                entry.fields().intersection(changed).paths().forEach(path -> causes.add(
                        new ApplyConflict.Cause(entry.manager().shown(entry.time()), path)));
            }
        }
        if (!causes.isEmpty()) {
            throw new ApplyConflict(causes);
        }
    }

    private static void keep(List<Entry> kept, Entry entry, FieldSet rest) {
        if (!rest.isEmpty()) {
            kept.add(new Entry(entry.manager(), rest, entry.time()));
        }
    }

    private static List<Entry> entries(JsonNode managedFields) {
        List<Entry> entries = new ArrayList<>();
        for (JsonNode entry : managedFields) {
            entries.add(new Entry(Manager.of(entry), FieldSet.of(entry.path("fieldsV1")),
                    entry.path("time").asText("")));
        }
        return entries;
    }

    private static void write(ObjectNode object, List<Entry> entries) {
        ObjectNode metadata = object.withObjectProperty("metadata");
        metadata.remove("managedFields");
        if (!entries.isEmpty()) {
            ArrayNode list = metadata.putArray("managedFields");
            entries.forEach(entry -> list.add(entry.manager().json(entry.fields(), entry.time())));
        }
    }

    /** A copy without the book of owners itself, with numbers as they are read. */
    private static ObjectNode bare(ObjectNode object) {
        ObjectNode copy = Json.copy(object);
        copy.remove(List.of("apiVersion", "kind"));
        if (copy.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return copy;
    }
}
