package dev.pitwall.engine.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.ModelSpec;
import dev.pitwall.engine.Pin;
import dev.pitwall.engine.ProviderSpec;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads a fleet: {@code {providers: […], models: […], pins: […]}}, with the fields of the records; others are passed over. */
public final class FleetReader {
    private final BadInput bad;
    private final Map<String, List<Entry>> lists = new HashMap<>();

    /** @param file how the file is called in a trouble */
    public FleetReader(String file) {
        this.bad = new BadInput(file, "A fleet is {providers: […], models: […], pins: […]}; sizes are MiB, and names are there"
                + " once.");
    }

    /** Reads to the end; closes nothing. */
    public Fleet read(Reader json) throws TroubleException {
        try (JsonParser parser = new JsonFactory().disable(JsonParser.Feature.AUTO_CLOSE_SOURCE).createParser(json)) {
            document(parser);
        } catch (JsonProcessingException e) {
            JsonLocation where = e.getLocation();
            throw bad.at(where == null ? 1 : where.getLineNr(), "this is no JSON");
        } catch (IOException e) {
            throw bad.whole("it cannot be read as UTF-8 text");
        }
        return fleet();
    }

    /** An object of one of the lists. */
    private final class Entry {
        private final String what;
        private final long line;
        private final Map<String, String> texts = new HashMap<>();
        private final Map<String, Double> numbers = new HashMap<>();

        Entry(String what, long line) {
            this.what = what;
            this.line = line;
        }

        String text(String field) throws TroubleException {
            String text = texts.get(field);
            if (text == null || text.isBlank()) {
                throw fails("has no text \"" + field + "\"");
            }
            return text;
        }

        String textOr(String field, String other) {
            return texts.getOrDefault(field, other);
        }

        double number(String field) throws TroubleException {
            Double number = numbers.get(field);
            if (number == null) {
                throw fails("has no number \"" + field + "\"");
            }
            if (number < 0) {
                throw fails(field + " is below zero");
            }
            if (number > BadInput.LARGEST) {
                throw fails(field + " is too large");
            }
            return number;
        }

        double positive(String field) throws TroubleException {
            double number = number(field);
            if (number <= 0) {
                throw fails(field + " must be above zero");
            }
            return number;
        }

        TroubleException fails(String why) {
            return bad.at(line, what + " " + why);
        }
    }

    private void document(JsonParser parser) throws IOException, TroubleException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw bad.at(1, "this is no JSON object");
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String list = parser.currentName();
            parser.nextToken();
            switch (list) {
                case "providers" -> list(parser, list, "this provider");
                case "models" -> list(parser, list, "this model");
                case "pins" -> list(parser, list, "this pin");
                default -> parser.skipChildren();
            }
        }
        if (parser.nextToken() != null) {
            throw bad.at(parser.currentTokenLocation().getLineNr(), "something follows the fleet");
        }
    }

    private void list(JsonParser parser, String list, String what) throws IOException, TroubleException {
        long at = parser.currentTokenLocation().getLineNr();
        if (lists.containsKey(list)) {
            throw bad.at(at, list + " is there twice");
        }
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw bad.at(at, list + " is no list");
        }
        List<Entry> entries = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            long line = parser.currentTokenLocation().getLineNr();
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw bad.at(line, what + " is no object");
            }
            entries.add(entry(parser, new Entry(what, line)));
        }
        lists.put(list, entries);
    }

    private static Entry entry(JsonParser parser, Entry entry) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.VALUE_STRING) {
                entry.texts.put(field, parser.getText());
            } else if (value.isNumeric()) {
                entry.numbers.put(field, parser.getDoubleValue());
            } else {
                parser.skipChildren();
            }
        }
        return entry;
    }

    private Fleet fleet() throws TroubleException {
        Map<String, Integer> providerIndexes = new HashMap<>();
        List<ProviderSpec> providers = new ArrayList<>();
        for (Entry e : listed("providers")) {
            providers.add(provider(e));
            once(e, e.text("id"), providerIndexes);
        }
        Map<String, Integer> modelIndexes = new HashMap<>();
        List<ModelSpec> models = new ArrayList<>();
        for (Entry e : listed("models")) {
            models.add(new ModelSpec(e.text("name"), e.positive("weightsMiB"), e.number("kvKiBPerToken"),
                    e.number("contextTokens"), e.positive("tokensPerSecond")));
            once(e, e.text("name"), modelIndexes);
        }
        return new Fleet(providers, models, pins(providers, models, providerIndexes, modelIndexes));
    }

    private List<Entry> listed(String list) throws TroubleException {
        List<Entry> entries = lists.getOrDefault(list, List.of());
        if (entries.isEmpty()) {
            throw bad.whole("it has no " + list);
        }
        return entries;
    }

    private static ProviderSpec provider(Entry e) throws TroubleException {
        double parallel = e.number("maxParallel");
        if (parallel < 1 || parallel != Math.rint(parallel) || parallel > Integer.MAX_VALUE) {
            throw e.fails("maxParallel must be a whole number above zero");
        }
        return new ProviderSpec(e.text("id"), e.textOr("node", ""), e.number("vramMiB"), e.number("reserveMiB"),
                e.positive("loadMiBPerSecond"), (int) parallel);
    }

    private static void once(Entry e, String name, Map<String, Integer> indexes) throws TroubleException {
        if (indexes.putIfAbsent(name, indexes.size()) != null) {
            throw e.fails("is called \"" + name + "\" like one before it");
        }
    }

    private List<Pin> pins(List<ProviderSpec> providers, List<ModelSpec> models, Map<String, Integer> providerIndexes,
                           Map<String, Integer> modelIndexes) throws TroubleException {
        double[] free = providers.stream().mapToDouble(ProviderSpec::capacityMiB).toArray();
        List<Pin> pins = new ArrayList<>();
        for (Entry e : lists.getOrDefault("pins", List.of())) {
            Pin pin = new Pin(known(e, "model", modelIndexes), known(e, "provider", providerIndexes));
            if (pins.contains(pin)) {
                throw e.fails("is there twice");
            }
            free[pin.provider()] -= providers.get(pin.provider()).needMiB(models.get(pin.model()));
            if (free[pin.provider()] < 0) {
                throw e.fails("does not fit: " + Math.round(-free[pin.provider()]) + " MiB are missing on "
                        + providers.get(pin.provider()).id());
            }
            pins.add(pin);
        }
        return pins;
    }

    private static int known(Entry e, String what, Map<String, Integer> indexes) throws TroubleException {
        Integer index = indexes.get(e.text(what));
        if (index == null) {
            throw e.fails("names the " + what + " \"" + e.text(what) + "\", which is not there");
        }
        return index;
    }
}
