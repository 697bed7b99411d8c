package dev.pitwall.link.trust;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sentences of the links, from {@code messages/links.properties}. A text holds places such as {@code {host}};
 * a trouble is a pair {@code KEY.what} and {@code KEY.next}, each of which a service may replace by
 * {@code KEY.SERVICE.what}.
 */
public final class Words {
    private static final String FILE = "/messages/links.properties";
    private static final Pattern HOLE = Pattern.compile("\\{([a-z]+)}");

    private final Properties texts = new Properties();

    public Words() {
        try (InputStream in = Words.class.getResourceAsStream(FILE)) {
            texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * One text.
     *
     * @param namesAndValues {@code "seconds", "10", …}
     */
    public String text(String key, String... namesAndValues) {
        return fill(raw(key), pairs(namesAndValues));
    }

    /** The trouble under a key. {@code {name}}, {@code {host}} and {@code {port}} come from the place. */
    public Trouble trouble(Trouble.Kind kind, Place place, String key, String... namesAndValues) {
        return troubleBehind(kind, place, place.where(), key, namesAndValues);
    }

    /** The same for something behind a place, for example a node that is asked through another one. */
    public Trouble troubleBehind(Trouble.Kind kind, Place place, String where, String key,
                                 String... namesAndValues) {
        Map<String, String> values = pairs(namesAndValues);
        values.putIfAbsent("name", place.name());
        values.putIfAbsent("host", place.host());
        values.putIfAbsent("port", Integer.toString(place.port()));
        return new Trouble(kind, where, fill(forService(place.service(), key, "what"), values),
                fill(forService(place.service(), key, "next"), values));
    }

    /** As {@link #trouble}, ready to be thrown. */
    public TroubleException failure(Trouble.Kind kind, Place place, String key, String... namesAndValues) {
        return new TroubleException(trouble(kind, place, key, namesAndValues));
    }

    private String forService(Service service, String key, String part) {
        String own = texts.getProperty(key + "." + service.key() + "." + part);
        return own != null ? own : raw(key + "." + part);
    }

    private String raw(String key) {
        String text = texts.getProperty(key);
        if (text == null) {
            throw new IllegalArgumentException("no text for " + key);
        }
        return text;
    }

    private static Map<String, String> pairs(String... namesAndValues) {
        Map<String, String> values = new TreeMap<>();
        for (int i = 0; i + 1 < namesAndValues.length; i += 2) {
            values.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return values;
    }

    private static String fill(String text, Map<String, String> values) {
        return HOLE.matcher(text).replaceAll(hole -> {
            String value = values.get(hole.group(1));
            if (value == null) {
                throw new IllegalArgumentException("no value for " + hole.group() + " in: " + text);
            }
            return Matcher.quoteReplacement(value);
        });
    }
}
