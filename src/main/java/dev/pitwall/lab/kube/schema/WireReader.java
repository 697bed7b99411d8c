package dev.pitwall.lab.kube.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.pitwall.lab.kube.schema.ApiTypes.Field;
import dev.pitwall.lab.kube.schema.ApiTypes.Message;
import dev.pitwall.lab.kube.store.Json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads Kubernetes' protobuf into the JSON that means the same, driven by the table of types. A field that has its zero is
 * left out unless Kubernetes tells zero from nothing: on the wire both look alike. The envelope is
 * {@code k8s\0} and a {@code runtime.Unknown} (facts: generated.proto of k8s.io/apimachinery/pkg/runtime).
 */
public final class WireReader {
    /** As API clients name the format. */
    public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int UNKNOWN_TYPE = 1;
    private static final int UNKNOWN_RAW = 2;
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final ApiTypes types;

    public WireReader(ApiTypes types) {
        this.types = types;
    }

    /**
     * Reads an object in its envelope.
     *
     * @throws IOException with a text for the client if it is no such message or of a type that is not in the table
     */
    public ObjectNode read(byte[] body) throws IOException {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new IOException("provided data does not appear to be a protobuf message, expected prefix"
                    + " [107 56 115 0]");
        }
        byte[] type = {};
        byte[] raw = {};
        CodedInputStream in = CodedInputStream.newInstance(body, MAGIC.length, body.length - MAGIC.length);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case UNKNOWN_TYPE -> type = in.readByteArray();
                case UNKNOWN_RAW -> raw = in.readByteArray();
                default -> in.skipField(tag);
            }
        }
        Map<Integer, String> meta = texts(type);
        String apiVersion = meta.getOrDefault(1, "");
        String kind = meta.getOrDefault(2, "");
        ObjectNode object = Json.object().put("kind", kind).put("apiVersion", apiVersion);
        object.setAll(message(raw, type(apiVersion, kind)));
        return object;
    }

    private Message type(String apiVersion, String kind) throws IOException {
        int slash = apiVersion.indexOf('/');
        String name = kind.equals("DeleteOptions") ? "meta/v1.DeleteOptions"
                : ApiTypes.name(slash < 0 ? "" : apiVersion.substring(0, slash), apiVersion.substring(slash + 1), kind);
        return types.message(name).orElseThrow(() -> new IOException("no kind \"" + kind
                + "\" is registered for version \"" + apiVersion + "\""));
    }

    private static Map<Integer, String> texts(byte[] message) throws IOException {
        Map<Integer, String> found = new HashMap<>();
        CodedInputStream in = CodedInputStream.newInstance(message);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
                found.put(WireFormat.getTagFieldNumber(tag), new String(in.readByteArray(), StandardCharsets.UTF_8));
            } else {
                in.skipField(tag);
            }
        }
        return found;
    }

    private ObjectNode message(byte[] bytes, Message type) throws IOException {
        ObjectNode object = Json.object();
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            int number = WireFormat.getTagFieldNumber(tag);
            Field field = type.fields().stream().filter(f -> f.number() == number).findFirst().orElse(null);
            if (field == null) {
                in.skipField(tag);
            } else {
                read(in, tag, field, object);
            }
        }
        return object;
    }

    private void read(CodedInputStream in, int tag, Field field, ObjectNode into) throws IOException {
        if (field.inlined()) {
            into.setAll(message(in.readByteArray(), known(field.type())));
        } else if (field.type().startsWith("[]")) {
            list(in, tag, field.type().substring(2), into.withArrayProperty(field.name()));
        } else if (field.type().startsWith("{}")) {
            entry(in.readByteArray(), field.type().substring(2), into.withObjectProperty(field.name()));
        } else {
            JsonNode value = value(in, tag, field.type());
            boolean zero = value.isMissingNode() || value.isTextual() && value.asText().isEmpty()
                    || value.isNumber() && value.asDouble() == 0 || value.isBoolean() && !value.asBoolean();
            if (!value.isMissingNode() && (!zero || field.pointer() || field.required())) {
                into.set(field.name(), value);
            }
        }
    }

    private void list(CodedInputStream in, int tag, String type, ArrayNode into) throws IOException {
        boolean number = type.equals("int32") || type.equals("int64") || type.equals("bool");
        if (number && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
            CodedInputStream packed = CodedInputStream.newInstance(in.readByteArray());
            while (!packed.isAtEnd()) {
                into.add(value(packed, 0, type));
            }
            return;
        }
        into.add(value(in, tag, type));
    }

    /** An entry of a map: field 1 is the key, field 2 the value. */
    private void entry(byte[] bytes, String type, ObjectNode into) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        String key = "";
        JsonNode value = TextNode.valueOf("");
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> key = in.readString();
                case 2 -> value = value(in, tag, type);
                default -> in.skipField(tag);
            }
        }
        into.set(key, value);
    }

    private JsonNode value(CodedInputStream in, int tag, String type) throws IOException {
        return switch (type) {
            case "string" -> TextNode.valueOf(in.readString());
            case "bool" -> BooleanNode.valueOf(in.readBool());
            case "int32" -> IntNode.valueOf(in.readInt32());
            case "int64" -> LongNode.valueOf(in.readInt64());
            case "double" -> DoubleNode.valueOf(in.readDouble());
            case "bytes" -> TextNode.valueOf(Base64.getEncoder().encodeToString(in.readByteArray()));
            case "quantity" -> TextNode.valueOf(texts(in.readByteArray()).getOrDefault(1, ""));
            case "time" -> time(in.readByteArray(), DateTimeFormatter.ISO_INSTANT);
            case "microtime" -> time(in.readByteArray(), MICROS);
            case "duration" -> TextNode.valueOf(seconds(numbers(in.readByteArray()).getOrDefault(1, 0L)));
            case "intstr" -> intOrString(in.readByteArray());
            case "raw" -> json(in.readByteArray());
            case "strings" -> strings(in.readByteArray());
            default -> {
                if (types.message(type).isPresent()) {
                    yield message(in.readByteArray(), known(type));
                }
                in.skipField(tag);
                yield MissingNode.getInstance();
            }
        };
    }

    private Message known(String type) throws IOException {
        return types.message(type).orElseThrow(() -> new IOException("no type " + type));
    }

    private static JsonNode time(byte[] bytes, DateTimeFormatter format) throws IOException {
        Map<Integer, Long> parts = numbers(bytes);
        return parts.isEmpty() ? MissingNode.getInstance()
                : TextNode.valueOf(format.format(Instant.ofEpochSecond(parts.getOrDefault(1, 0L),
                parts.getOrDefault(2, 0L))));
    }

    private static String seconds(long nanos) {
        return Duration.ofNanos(nanos).toSeconds() + "s";
    }

    private static JsonNode intOrString(byte[] bytes) throws IOException {
        Map<Integer, Long> numbers = numbers(bytes);
        return numbers.getOrDefault(1, 0L) == 0 ? LongNode.valueOf(numbers.getOrDefault(2, 0L))
                : TextNode.valueOf(texts(bytes).getOrDefault(3, ""));
    }

    private static Map<Integer, Long> numbers(byte[] message) throws IOException {
        Map<Integer, Long> found = new HashMap<>();
        CodedInputStream in = CodedInputStream.newInstance(message);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT) {
                found.put(WireFormat.getTagFieldNumber(tag), in.readInt64());
            } else {
                in.skipField(tag);
            }
        }
        return found;
    }

    private static JsonNode json(byte[] message) throws IOException {
        String text = texts(message).getOrDefault(1, "");
        return text.isEmpty() ? MissingNode.getInstance() : Json.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode strings(byte[] message) throws IOException {
        ArrayNode list = Json.object().putArray("items");
        CodedInputStream in = CodedInputStream.newInstance(message);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagFieldNumber(tag) == 1) {
                list.add(in.readString());
            } else {
                in.skipField(tag);
            }
        }
        return list;
    }
}
