package dev.pitwall.ui.words;

import java.util.Locale;
import java.util.ResourceBundle;

/** The window's texts, from {@code messages/ui.properties}. A missing key is a bug, and a test finds it. */
public final class Texts {

    private final ResourceBundle bundle;

    public Texts() {
        this.bundle = ResourceBundle.getBundle("messages.ui", Locale.ROOT);
    }

    /** For FXML. */
    public ResourceBundle bundle() {
        return bundle;
    }

    /** The text with {@code {0}}, {@code {1}} … replaced, and nothing else: quotes need no doubling. */
    public String get(String key, Object... values) {
        String text = bundle.getString(key);
        for (int i = 0; i < values.length; i++) {
            text = text.replace("{" + i + "}", String.valueOf(values[i]));
        }
        return text;
    }

    /** The text of {@code key.one} or {@code key.many}, with {@code {0}} replaced by the number. */
    public String count(String key, int number) {
        return get(number == 1 ? key + ".one" : key + ".many", number);
    }

    public boolean has(String key) {
        return bundle.containsKey(key);
    }
}
