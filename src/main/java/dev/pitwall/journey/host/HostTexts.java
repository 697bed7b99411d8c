package dev.pitwall.journey.host;

import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;

/** The sentences of the host steps, out of {@code journey/host.properties}. */
final class HostTexts {
    private final ResourceBundle bundle = ResourceBundle.getBundle("journey/host", Locale.ROOT);

    /**
     * The sentence under a key. Arguments are given as text, so that numbers are not grouped.
     *
     * @throws java.util.MissingResourceException for a key that is not in the bundle
     */
    String say(String key, Object... arguments) {
        Object[] texts = new Object[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            texts[i] = String.valueOf(arguments[i]);
        }
        return new MessageFormat(bundle.getString(key), Locale.ROOT).format(texts);
    }

    /** {@code KEY.one} or {@code KEY.many}; the count is argument 0, the others follow. */
    String count(String key, int count, Object... more) {
        Object[] arguments = new Object[more.length + 1];
        arguments[0] = count;
        System.arraycopy(more, 0, arguments, 1, more.length);
        return say(key + (count == 1 ? ".one" : ".many"), arguments);
    }

    /** {@code a}, {@code a and b}, {@code a, b and c}. */
    String list(List<String> words) {
        return switch (words.size()) {
            case 0 -> say("none");
            case 1 -> words.getFirst();
            default -> say("list", String.join(", ", words.subList(0, words.size() - 1)), words.getLast());
        };
    }
}
