package dev.pitwall.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON value that knows where it stands in its text, so that an error in it can be pointed at. */
sealed interface Json {

    Place at();

    /** What it is, for a message: {@code a text}, {@code a list}. */
    String noun();

    /** @param source the file's name, for messages; @param line and @param column count from 1 */
    record Place(String source, int line, int column) {
        @Override
        public String toString() {
            return source + " line " + line + " column " + column;
        }

        TroubleException trouble(String what, String next) {
            return new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, toString(), what, next));
        }
    }

    record Obj(Map<String, Json> fields, Place at) implements Json {
        @Override
        public String noun() {
            return "an object";
        }
    }

    record Arr(List<Json> items, Place at) implements Json {
        @Override
        public String noun() {
            return "a list";
        }
    }

    /** Its value may be a secret, so it is not part of any text made of this. */
    record Text(String value, Place at) implements Json {
        @Override
        public String noun() {
            return "a text";
        }

        @Override
        public String toString() {
            return "Text[" + at + "]";
        }
    }

    record Whole(long value, Place at) implements Json {
        @Override
        public String noun() {
            return "the number " + value;
        }
    }

    /** A number with a fraction, or too large to count with. */
    record Fraction(Place at) implements Json {
        @Override
        public String noun() {
            return "a number with a fraction";
        }
    }

    record Bool(boolean value, Place at) implements Json {
        @Override
        public String noun() {
            return Boolean.toString(value);
        }
    }

    record Null(Place at) implements Json {
        @Override
        public String noun() {
            return "null";
        }
    }

    /**
     * Reads one JSON document.
     *
     * @param source the file's name, for messages
     * @throws TroubleException with line and column; the text itself is never part of it
     */
    static Json parse(String source, byte[] text) throws TroubleException {
        try (JsonParser parser = JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build()
                .createParser(text)) {
            if (parser.nextToken() == null) {
                throw new Place(source, 1, 1).trouble("the file is empty", "Write a site into it: {\"name\": \"…\"}.");
            }
            Json json = value(source, parser);
            if (parser.nextToken() != null) {
                throw place(source, parser.currentTokenLocation())
                        .trouble("something follows after the end of the JSON document", "Remove it.");
            }
            return json;
        } catch (JsonEOFException e) {
            throw place(source, e.getLocation()).trouble("the file ends in the middle of the JSON document",
                    "Complete it, or write the file again: the rest is missing.");
        } catch (JsonProcessingException e) {
            throw place(source, e.getLocation()).trouble("this is not valid JSON" + reason(e),
                    "Look at this place and just before it: a comma, quote or bracket is missing or too much.");
        } catch (IOException e) {
            throw new Place(source, 1, 1).trouble("this is not UTF-8 text", "Save the file as UTF-8.");
        }
    }

    private static String reason(JsonProcessingException e) {
        return String.valueOf(e.getOriginalMessage()).startsWith("Duplicate field") ? ": a field is there twice" : "";
    }

    private static Place place(String source, JsonLocation location) {
        return location == null ? new Place(source, 1, 1)
                : new Place(source, Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
    }

    private static Json value(String source, JsonParser parser) throws IOException {
        Place at = place(source, parser.currentTokenLocation());
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(source, parser, at);
            case START_ARRAY -> array(source, parser, at);
            case VALUE_STRING -> new Text(parser.getText(), at);
            case VALUE_NUMBER_INT -> parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                    ? new Fraction(at) : new Whole(parser.getLongValue(), at);
            case VALUE_NUMBER_FLOAT -> new Fraction(at);
            case VALUE_TRUE -> new Bool(true, at);
            case VALUE_FALSE -> new Bool(false, at);
            case VALUE_NULL -> new Null(at);
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                    throw new IllegalStateException("Jackson gave a token where a value begins: " + parser.currentToken());
        };
    }

    private static Obj object(String source, JsonParser parser, Place at) throws IOException {
        Map<String, Json> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            fields.put(name, value(source, parser));
        }
        return new Obj(fields, at);
    }

    private static Arr array(String source, JsonParser parser, Place at) throws IOException {
        List<Json> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(source, parser));
        }
        return new Arr(items, at);
    }
}
