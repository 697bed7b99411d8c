package dev.pitwall.card;

import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import java.util.concurrent.ConcurrentHashMap;

/** The sentences of one feature, out of its bundle of resources. Thread-safe. */
public final class Sentences {
    private final ResourceBundle bundle;
    /** Parsed once: sixty-four towers are put into words five times a second. */
    private final Map<String, MessageFormat> formats = new ConcurrentHashMap<>();

    /** @param bundle for example {@code journey/host}, for {@code journey/host.properties} */
    public Sentences(String bundle) {
        this.bundle = ResourceBundle.getBundle(bundle, Locale.ROOT);
    }

    /**
     * The sentence under a key. Numbers are given as text, since a grouped "8,188 MiB" is not what the outside system
     * prints.
     *
     * @throws MissingResourceException for a key that is not in the bundle
     */
    public String say(String key, Object... arguments) {
        Object[] texts = new Object[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            texts[i] = String.valueOf(arguments[i]);
        }
        MessageFormat format = formats.computeIfAbsent(key, k -> new MessageFormat(bundle.getString(k), Locale.ROOT));
        synchronized (format) {
            return format.format(texts);
        }
    }

    /** {@code KEY.one} or {@code KEY.many}; the count is argument 0, the others follow. */
    public String count(String key, int count, Object... more) {
        Object[] arguments = new Object[more.length + 1];
        arguments[0] = count;
        System.arraycopy(more, 0, arguments, 1, more.length);
        return say(key + (count == 1 ? ".one" : ".many"), arguments);
    }

    /** {@code a}, {@code a and b}, {@code a, b and c}; the bundle has the words under {@code none} and {@code list}. */
    public String list(List<String> words) {
        return switch (words.size()) {
            case 0 -> say("none");
            case 1 -> words.getFirst();
            default -> say("list", String.join(", ", words.subList(0, words.size() - 1)), words.getLast());
        };
    }
}
