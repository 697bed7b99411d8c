package dev.pitwall.store;

import dev.pitwall.card.TroubleException;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The fields of a JSON object, read with what is expected of them. Fields nobody asks for are ignored; {@code null}
 * counts as not there.
 */
record Fields(Json.Obj object) {

    /** Reads one item of a list. */
    @FunctionalInterface
    interface Item<T> {
        T of(Fields fields) throws TroubleException;
    }

    static Fields of(Json json) throws TroubleException {
        return switch (json) {
            case Json.Obj object -> new Fields(object);
            default -> throw json.at().trouble(json.noun() + " stands where an object is expected",
                    "Write { \"field\": value, … } here.");
        };
    }

    Json.Place at() {
        return object.at();
    }

    Json.Place at(String field) {
        Json value = object.fields().get(field);
        return value == null ? at() : value.at();
    }

    /** True if the field is there, be it {@code null}. */
    boolean names(String field) {
        return object.fields().containsKey(field);
    }

    private Optional<Json> value(String field) {
        return switch (object.fields().get(field)) {
            case null -> Optional.empty();
            case Json.Null _ -> Optional.empty();
            case Json value -> Optional.of(value);
        };
    }

    Optional<String> text(String field) throws TroubleException {
        Optional<Json> value = value(field);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        return switch (value.get()) {
            case Json.Text text when !text.value().isBlank() -> Optional.of(text.value());
            case Json.Text text -> throw text.at().trouble("\"" + field + "\" is empty", "Fill it in, or remove it.");
            default -> throw wrong(field, value.get(), "a text in quotes is expected");
        };
    }

    String needText(String field, String example) throws TroubleException {
        return text(field).orElseThrow(() -> at().trouble("\"" + field + "\" is missing in this object",
                "Add it, for example \"" + field + "\": \"" + example + "\"."));
    }

    int port(String field, int standard) throws TroubleException {
        Optional<Json> value = value(field);
        if (value.isEmpty()) {
            return standard;
        }
        return switch (value.get()) {
            case Json.Whole(long port, Json.Place _) when port >= 1 && port <= 65535 -> (int) port;
            default -> throw wrong(field, value.get(), "a port from 1 to 65535 is expected");
        };
    }

    boolean flag(String field) throws TroubleException {
        Optional<Json> value = value(field);
        if (value.isEmpty()) {
            return false;
        }
        return switch (value.get()) {
            case Json.Bool(boolean on, Json.Place _) -> on;
            default -> throw wrong(field, value.get(), "true or false is expected");
        };
    }

    Optional<Fields> object(String field) throws TroubleException {
        Optional<Json> value = value(field);
        return value.isEmpty() ? Optional.empty() : Optional.of(of(value.get()));
    }

    <T> List<T> list(String field, Item<T> item) throws TroubleException {
        List<T> items = new ArrayList<>();
        for (Json json : items(field)) {
            items.add(item.of(of(json)));
        }
        return items;
    }

    /** A list of texts; a single text counts as a list of one. */
    List<String> texts(String field) throws TroubleException {
        if (value(field).filter(Json.Text.class::isInstance).isPresent()) {
            return List.of(text(field).orElseThrow());
        }
        List<String> texts = new ArrayList<>();
        for (Json json : items(field)) {
            switch (json) {
                case Json.Text text when !text.value().isBlank() -> texts.add(text.value());
                default -> throw wrong(field, json, "texts in quotes are expected in its list");
            }
        }
        return texts;
    }

    private List<Json> items(String field) throws TroubleException {
        Optional<Json> value = value(field);
        if (value.isEmpty()) {
            return List.of();
        }
        return switch (value.get()) {
            case Json.Arr(List<Json> items, Json.Place _) -> items;
            default -> throw wrong(field, value.get(), "a list in [ ] is expected");
        };
    }

    /** One of the words of an enum, written in lower case with hyphens. */
    <E extends Enum<E>> Optional<E> word(String field, Class<E> type) throws TroubleException {
        Optional<String> text = text(field);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        List<String> words = new ArrayList<>();
        for (E constant : type.getEnumConstants()) {
            if (word(constant).equals(text.get())) {
                return Optional.of(constant);
            }
            words.add("\"" + word(constant) + "\"");
        }
        throw at(field).trouble("\"" + field + "\" is \"" + text.get() + "\", which is not known",
                "Write one of " + String.join(", ", words) + ".");
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    URI url(String field) throws TroubleException {
        String text = needText(field, "https://192.168.1.10:8006");
        try {
            URI uri = new URI(text.strip());
            boolean web = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            if (web && uri.getHost() != null && uri.getUserInfo() == null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Said below, in the same words as for every other text that is no address.
        }
        throw at(field).trouble("\"" + field + "\" is not a web address without a user in it",
                "Write it as https://host:port.");
    }

    private TroubleException wrong(String field, Json value, String expected) {
        return value.at().trouble("\"" + field + "\" is " + value.noun() + "; " + expected, "Correct it.");
    }
}
