package dev.pitwall.journey.guest;

import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/** The sentences of the VM steps, out of {@code journey/guest.properties}. */
final class GuestTexts {
    private final ResourceBundle bundle = ResourceBundle.getBundle("journey/guest", Locale.ROOT);

    /**
     * The sentence under a key. Numbers are given as text, since a grouped "8,188 MiB" is not what Proxmox prints.
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
}
