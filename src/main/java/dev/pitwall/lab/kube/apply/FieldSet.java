package dev.pitwall.lab.kube.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A set of field paths, as {@code managedFields} writes it ({@code FieldsV1}): {@code f:NAME} is a field, {@code k:{…}} an entry of a list by its
 * keys, {@code v:…} a value of a set, and {@code .} says that the thing itself is in the set.
 */
final class FieldSet {
    private boolean member;
    private final TreeMap<String, FieldSet> children = new TreeMap<>();

    static FieldSet of(JsonNode fields) {
        FieldSet set = new FieldSet();
        fields.properties().forEach(entry -> {
            if (entry.getKey().equals(".")) {
                set.member = true;
            } else {
                FieldSet child = of(entry.getValue());
                child.member |= entry.getValue().isEmpty();
                set.children.put(entry.getKey(), child);
            }
        });
        return set;
    }

    ObjectNode json() {
        ObjectNode json = Json.object();
        if (member && !children.isEmpty()) {
            json.putObject(".");
        }
        children.forEach((element, child) -> json.set(element, child.json()));
        return json;
    }

    boolean isEmpty() {
        return !member && children.isEmpty();
    }

    boolean isMember() {
        return member;
    }

    Map<String, FieldSet> children() {
        return children;
    }

    FieldSet child(String element) {
        return children.computeIfAbsent(element, name -> new FieldSet());
    }

    /** What is below an element; empty if nothing is. */
    FieldSet below(String element) {
        FieldSet found = children.get(element);
        return found == null ? new FieldSet() : found;
    }

    FieldSet add() {
        member = true;
        return this;
    }

    FieldSet union(FieldSet other) {
        FieldSet result = new FieldSet();
        result.member = member || other.member;
        children.forEach((element, child) -> result.children.put(element, child.union(other.below(element))));
        other.children.forEach((element, child) ->
                result.children.computeIfAbsent(element, name -> child.union(new FieldSet())));
        return result;
    }

    FieldSet minus(FieldSet other) {
        FieldSet result = new FieldSet();
        result.member = member && !other.member;
        children.forEach((element, child) -> {
            FieldSet rest = child.minus(other.below(element));
            if (!rest.isEmpty()) {
                result.children.put(element, rest);
            }
        });
        return result;
    }

    /** Without the other's members and everything below them. */
    FieldSet minusWithin(FieldSet other) {
        FieldSet result = new FieldSet();
        result.member = member && !other.member;
        children.forEach((element, child) -> {
            FieldSet gone = other.below(element);
            FieldSet rest = gone.member ? new FieldSet() : child.minusWithin(gone);
            if (!rest.isEmpty()) {
                result.children.put(element, rest);
            }
        });
        return result;
    }

    FieldSet intersection(FieldSet other) {
        FieldSet result = new FieldSet();
        result.member = member && other.member;
        children.forEach((element, child) -> {
            FieldSet common = child.intersection(other.below(element));
            if (!common.isEmpty()) {
                result.children.put(element, common);
            }
        });
        return result;
    }

    /** The members as conflicts name them, for example {@code .spec.containers[name="web"].image}. */
    List<String> paths() {
        List<String> paths = new ArrayList<>();
        collect("", paths);
        return paths;
    }

    private void collect(String path, List<String> paths) {
        if (member) {
            paths.add(path);
        }
        children.forEach((element, child) -> child.collect(path + PathElement.shown(element), paths));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldSet set && member == set.member && children.equals(set.children);
    }

    @Override
    public int hashCode() {
        return 31 * Boolean.hashCode(member) + children.hashCode();
    }
}
