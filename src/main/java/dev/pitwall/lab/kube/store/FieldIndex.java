package dev.pitwall.lab.kube.store;

import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.Map;

/** Picks the values of an object that field selectors may ask for. */
@FunctionalInterface
public interface FieldIndex {

    /** @return value by field path; absent and empty are the same */
    Map<String, String> fieldsOf(Resource resource, ObjectNode object);
}
