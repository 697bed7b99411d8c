package dev.pitwall.journey.guest;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.regex.Pattern;

/** Limits, rights and names of the VM steps, out of {@code journey/guest-settings.properties}. */
final class GuestSettings {
    private final ResourceBundle bundle = ResourceBundle.getBundle("journey/guest-settings", Locale.ROOT);

    String text(String key) {
        return bundle.getString(key);
    }

    Pattern pattern(String key) {
        return Pattern.compile(text(key));
    }

    int number(String key) {
        return Integer.parseInt(text(key));
    }

    Duration seconds(String key) {
        return Duration.ofSeconds(number(key));
    }

    /** The right that a key of a VM's configuration needs on the VM; the number of {@code hostpci0} does not matter. */
    String right(String configKey) {
        return text("right." + stem(configKey));
    }

    /** True for the keys whose change waits until the VM was off. */
    boolean waitsForPower(String configKey) {
        return List.of(text("waitsForPower").split(",")).contains(stem(configKey));
    }

    private static String stem(String configKey) {
        return configKey.replaceFirst("\\d+$", "");
    }
}
