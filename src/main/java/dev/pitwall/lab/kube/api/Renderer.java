package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.api.ResourceType.Column;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.StoredObject;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;

/** Writes objects and lists in the form a client asked for. */
final class Renderer {
    private final Cells cells = new Cells();
    private final InstantSource clock;

    Renderer(InstantSource clock) {
        this.clock = clock;
    }

    /** One object. @param withColumns whether a table says its columns; in a watch only the first does */
    byte[] one(ResourceType type, StoredObject object, Form form, boolean withColumns) {
        return switch (form.kind()) {
            case OBJECT -> type.named(object.json());
            case METADATA -> Json.bytes(partial(object));
            case TABLE -> {
                ObjectNode table = tableHead(type, Long.toString(object.revision()), withColumns);
                table.putArray("rows").add(row(type, object, form));
                yield Json.bytes(table);
            }
        };
    }

    void list(ResourceType type, Page page, Form form, OutputStream out) throws IOException {
        switch (form.kind()) {
            case OBJECT -> objects(type, page, out);
            case METADATA -> metadata(page, out);
            case TABLE -> table(type, page, form, out);
        }
    }

    private void objects(ResourceType type, Page page, OutputStream out) throws IOException {
        text(out, "{\"kind\":\"" + type.kind() + "List\",\"apiVersion\":\"" + type.apiVersion() + "\",\"metadata\":");
        out.write(Json.bytes(page.metadata()));
        text(out, ",\"items\":[");
        boolean first = true;
        for (StoredObject object : page.objects()) {
            if (!first) {
                out.write(',');
            }
            first = false;
            // Items of built-in kinds leave out kind and apiVersion, as the API server's typed lists do.
            out.write(type.custom() ? type.named(object.json()) : object.json());
        }
        text(out, "]}\n");
    }

    private void metadata(Page page, OutputStream out) throws IOException {
        text(out, "{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":");
        out.write(Json.bytes(page.metadata()));
        text(out, ",\"items\":[");
        for (int i = 0; i < page.objects().size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            out.write(Json.bytes(partial(page.objects().get(i))));
        }
        text(out, "]}\n");
    }

    private void table(ResourceType type, Page page, Form form, OutputStream out) throws IOException {
        ObjectNode head = tableHead(type, "", true);
        head.set("metadata", page.metadata());
        String text = new String(Json.bytes(head), StandardCharsets.UTF_8);
        text(out, text.substring(0, text.length() - 1) + ",\"rows\":[");
        boolean first = true;
        for (StoredObject object : page.objects()) {
            if (!first) {
                out.write(',');
            }
            first = false;
            out.write(Json.bytes(row(type, object, form)));
        }
        text(out, "]}\n");
    }

    private ObjectNode tableHead(ResourceType type, String resourceVersion, boolean withColumns) {
        ObjectNode table = Json.object().put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
        ObjectNode metadata = table.putObject("metadata");
        if (!resourceVersion.isEmpty()) {
            metadata.put("resourceVersion", resourceVersion);
        }
        if (withColumns) {
            ArrayNode columns = table.putArray("columnDefinitions");
            if (!type.nameIsWide()) {
                column(columns, "Name", "string", "name", false);
            }
            type.columns().forEach(column -> column(columns, column.name(), column.type(), "", column.wide()));
            if (type.nameIsWide()) {
                column(columns, "Name", "string", "name", true);
            }
        } else {
            table.putNull("columnDefinitions");
        }
        return table;
    }

    private static void column(ArrayNode columns, String name, String type, String format, boolean wide) {
        columns.addObject().put("name", name).put("type", type).put("format", format).put("description", "")
                .put("priority", wide ? 1 : 0);
    }

    private ObjectNode row(ResourceType type, StoredObject object, Form form) {
        JsonNode body = object.tree();
        ObjectNode row = Json.object();
        ArrayNode values = row.putArray("cells");
        if (!type.nameIsWide()) {
            values.add(object.key().name());
        }
        for (Column column : type.columns()) {
            values.add(cells.value(column, body, clock.instant()));
        }
        if (type.nameIsWide()) {
            values.add(object.key().name());
        }
        switch (form.include()) {
            case NONE -> row.putNull("object");
            case METADATA -> row.set("object", partialOf(body));
            case OBJECT -> row.set("object", Json.read(type.named(object.json())));
        }
        return row;
    }

    private static ObjectNode partial(StoredObject object) {
        return partialOf(object.tree());
    }

    private static ObjectNode partialOf(JsonNode body) {
        ObjectNode partial = Json.object().put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", body.path("metadata"));
        return partial;
    }

    private static void text(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A page of a list with the metadata that goes with it. */
    record Page(ObjectNode metadata, List<StoredObject> objects) {
    }
}
