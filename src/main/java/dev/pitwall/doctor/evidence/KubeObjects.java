package dev.pitwall.doctor.evidence;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import org.yaml.snakeyaml.LoaderOptions;

import java.io.IOException;
import java.io.Reader;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Reads the objects of {@code kubectl get … -o json} and {@code -o yaml}, one after the other, so that a list of thousands
 * is never held whole. A text that breaks off gives the objects before the break.
 */
public final class KubeObjects {
    private static final Pattern YAML = Pattern.compile("(?m)^(?:- )?(?:apiVersion|kind): *\\S");
    private static final Pattern JSON = Pattern.compile("^\\s*[\\[{](?s:.{0,4000}?)\"(?:apiVersion|kind)\"\\s*:");
    private final ObjectMapper mapper = new ObjectMapper();
    private final YAMLFactory yaml;

    /** What became of a text. */
    public sealed interface Outcome {
    }

    /** All of it was read. */
    public record Whole(int objects) implements Outcome {
    }

    /** @param why in words, with the line */
    public record BrokeOff(int objects, String why) implements Outcome {
    }

    public KubeObjects() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        yaml = YAMLFactory.builder().loaderOptions(options).build();
    }

    /** The form of a text that holds objects. */
    public enum Form { JSON, YAML, NONE }

    /** @param head the first few thousand characters */
    public static Form form(String head) {
        if (JSON.matcher(head).find()) {
            return Form.JSON;
        }
        boolean both = head.contains("apiVersion:") && head.contains("kind:");
        return both && YAML.matcher(head).find() ? Form.YAML : Form.NONE;
    }

    /** @param objects gets each object that is whole, with its {@code kind} */
    public Outcome read(Reader text, Form form, Consumer<JsonNode> objects) {
        Count count = new Count(objects);
        try (JsonParser parser = form == Form.YAML ? yaml.createParser(text) : mapper.createParser(text)) {
            parser.setCodec(mapper);
            while (parser.nextToken() != null) {
                any(parser, count);
            }
            return new Whole(count.objects);
        } catch (IOException | RuntimeException e) {
            return new BrokeOff(count.objects, "it breaks off or is damaged after " + count.objects
                    + (count.objects == 1 ? " object" : " objects") + "; what came before was read");
        }
    }

    private static final class Count {
        private final Consumer<JsonNode> to;
        private int objects;

        Count(Consumer<JsonNode> to) {
            this.to = to;
        }

        void object(JsonNode object, String listKind) {
            if (object instanceof ObjectNode node) {
                if (!node.hasNonNull("kind") && listKind.endsWith("List")) {
                    node.put("kind", listKind.substring(0, listKind.length() - "List".length()));
                }
                if (node.hasNonNull("kind")) {
                    objects++;
                    to.accept(node);
                }
            }
        }
    }

    private void any(JsonParser parser, Count count) throws IOException {
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY && parser.currentToken() != null) {
                count.object(mapper.readTree(parser), "");
            }
        } else if (parser.currentToken() == JsonToken.START_OBJECT) {
            object(parser, count);
        } else {
            parser.skipChildren();
        }
    }

    private void object(JsonParser parser, Count count) throws IOException {
        ObjectNode object = mapper.createObjectNode();
        boolean list = false;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            String kind = object.path("kind").asText("");
            // The API server writes the kind before the items; kubectl sorts its fields, so "List" comes after them.
            if (field.equals("items") && value == JsonToken.START_ARRAY && (kind.isEmpty() || kind.endsWith("List"))) {
                list = true;
                while (parser.nextToken() != JsonToken.END_ARRAY && parser.currentToken() != null) {
                    count.object(mapper.readTree(parser), kind);
                }
            } else {
                object.set(field, mapper.readTree(parser));
            }
        }
        if (!list) {
            count.object(object, "");
        }
    }
}
