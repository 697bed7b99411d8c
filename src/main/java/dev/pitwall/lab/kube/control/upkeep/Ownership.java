package dev.pitwall.lab.kube.control.upkeep;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.pitwall.lab.kube.object.Finalizers;
import dev.pitwall.lab.kube.store.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What an object's metadata says of its owners and of how it goes. Read without building the object: the garbage
 * collector looks at every version of everything.
 *
 * @param isLeaving it has a {@code deletionTimestamp}
 */
record Ownership(List<Owner> owners, List<String> finalizers, boolean isLeaving) {
    private static final JsonFactory JSON = new JsonFactory();

    /** One owner reference. @param blocks its owner, deleted in the foreground, waits for this object */
    record Owner(String apiVersion, String kind, String name, String uid, boolean blocks) {
    }

    static Ownership of(StoredObject object) {
        try (JsonParser json = JSON.createParser(object.json())) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean metadata = json.currentName().equals("metadata");
                json.nextToken();
                if (metadata) {
                    return metadata(json);
                }
                json.skipChildren();
            }
            return new Ownership(List.of(), List.of(), false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** It is deleted and waits until its dependents have gone. */
    boolean waitsForDependents() {
        return isLeaving && finalizers.contains(Finalizers.FOREGROUND);
    }

    /** It is deleted and waits until its dependents are on their own. */
    boolean orphansDependents() {
        return isLeaving && finalizers.contains(Finalizers.ORPHAN);
    }

    private static Ownership metadata(JsonParser json) throws IOException {
        List<Owner> owners = new ArrayList<>();
        List<String> finalizers = new ArrayList<>();
        boolean leaving = false;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            boolean filled = json.nextToken() != JsonToken.VALUE_NULL;
            switch (field) {
                case "ownerReferences" -> owners(json, owners);
                case "finalizers" -> texts(json, finalizers);
                case "deletionTimestamp" -> leaving = filled;
                default -> json.skipChildren();
            }
        }
        return new Ownership(List.copyOf(owners), List.copyOf(finalizers), leaving);
    }

    private static void owners(JsonParser json, List<Owner> into) throws IOException {
        if (json.currentToken() == JsonToken.START_ARRAY) {
            while (json.nextToken() == JsonToken.START_OBJECT) {
                into.add(owner(json));
            }
        }
    }

    private static Owner owner(JsonParser json) throws IOException {
        String apiVersion = "";
        String kind = "";
        String name = "";
        String uid = "";
        boolean blocks = false;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "apiVersion" -> apiVersion = json.getText().intern();
                case "kind" -> kind = json.getText().intern();
                case "name" -> name = json.getText();
                case "uid" -> uid = json.getText();
                case "blockOwnerDeletion" -> blocks = json.currentToken() == JsonToken.VALUE_TRUE;
                default -> json.skipChildren();
            }
        }
        return new Owner(apiVersion, kind, name, uid, blocks);
    }

    private static void texts(JsonParser json, List<String> into) throws IOException {
        if (json.currentToken() == JsonToken.START_ARRAY) {
            while (json.nextToken() == JsonToken.VALUE_STRING) {
                into.add(json.getText());
            }
        }
    }
}
