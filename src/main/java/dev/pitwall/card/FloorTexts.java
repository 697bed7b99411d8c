package dev.pitwall.card;

import java.text.MessageFormat;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.concurrent.ConcurrentHashMap;

/** The sentences of the floors, out of {@code messages/floors.properties}. */
final class FloorTexts {
    private final ResourceBundle bundle = ResourceBundle.getBundle("messages/floors", Locale.ROOT);
    /** Parsed once: sixty-four towers are put into words five times a second. */
    private final Map<String, MessageFormat> formats = new ConcurrentHashMap<>();

    /**
     * The sentence under a key. Numbers are given as text, since a grouped "8,188 MiB" is not what the outside system
     * prints.
     *
     * @throws java.util.MissingResourceException for a key that is not in the bundle
     */
    String say(String key, Object... arguments) {
        Object[] texts = new Object[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            texts[i] = String.valueOf(arguments[i]);
        }
        MessageFormat format = formats.computeIfAbsent(key, k -> new MessageFormat(bundle.getString(k), Locale.ROOT));
        synchronized (format) {
            return format.format(texts);
        }
    }

    /** The name of a floor as it reads inside a sentence. */
    String name(Floor floor) {
        return bundle.getString("floor." + floor.wireName());
    }

    /** {@code 1:42}, or {@code 1:02:03} from an hour on. */
    static String clock(Duration d) {
        return d.toHours() > 0
                ? "%d:%02d:%02d".formatted(d.toHours(), d.toMinutesPart(), d.toSecondsPart())
                : "%d:%02d".formatted(d.toMinutes(), d.toSecondsPart());
    }

    /** {@code 45 s}, {@code 3 min}, {@code 2 h}, {@code 17 d}: one unit, cut down. */
    static String roughly(Duration d) {
        if (d.toMinutes() < 1) {
            return d.toSeconds() + " s";
        }
        if (d.toHours() < 1) {
            return d.toMinutes() + " min";
        }
        return d.toDays() < 1 ? d.toHours() + " h" : d.toDays() + " d";
    }
}
