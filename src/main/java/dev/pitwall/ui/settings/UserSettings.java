package dev.pitwall.ui.settings;

import dev.pitwall.settings.Preferences;
import dev.pitwall.ui.theme.Density;
import dev.pitwall.ui.theme.ThemeChoice;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The preferences with their types and defaults. A value that is not understood counts as not chosen. */
public final class UserSettings {

    public static final String THEME = "theme";
    public static final String DENSITY = "density";
    /** Seconds between two reads of a source that has no live watch. */
    public static final String REFRESH = "refresh.seconds";
    /** Seconds between two looks of the Doctor that nobody has asked for; 0 for none. */
    public static final String WATCH = "watch.seconds";
    /** Name of the site that showed last. */
    public static final String LAST_SITE = "site.last";

    /** What the settings page offers, in seconds. */
    public static final List<Integer> REFRESH_CHOICES = List.of(2, 5, 10, 30);

    /** The same for the Doctor's own looks; 0 is never. */
    public static final List<Integer> WATCH_CHOICES = List.of(0, 60, 300);

    private static final int USUAL_REFRESH = 5;
    private static final int USUAL_WATCH = 60;

    private final Preferences preferences;

    public UserSettings(Preferences preferences) {
        this.preferences = preferences;
    }

    public ThemeChoice theme() {
        return choice(ThemeChoice.values(), THEME, ThemeChoice.SYSTEM);
    }

    public void theme(ThemeChoice choice) {
        preferences.set(THEME, choice.name());
    }

    public Density density() {
        return choice(Density.values(), DENSITY, Density.COMFORTABLE);
    }

    public void density(Density density) {
        preferences.set(DENSITY, density.name());
    }

    public Duration refresh() {
        int seconds = preferences.get(REFRESH).flatMap(UserSettings::number)
                .filter(REFRESH_CHOICES::contains).orElse(USUAL_REFRESH);
        return Duration.ofSeconds(seconds);
    }

    public void refresh(Duration interval) {
        preferences.set(REFRESH, Long.toString(interval.toSeconds()));
    }

    /** How often the Doctor looks without being asked; empty for never. */
    public Optional<Duration> watch() {
        int seconds = preferences.get(WATCH).flatMap(UserSettings::number).filter(WATCH_CHOICES::contains).orElse(USUAL_WATCH);
        return seconds == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    }

    /** @param seconds one of {@link #WATCH_CHOICES} */
    public void watch(int seconds) {
        preferences.set(WATCH, Integer.toString(seconds));
    }

    public Optional<String> lastSite() {
        return preferences.get(LAST_SITE);
    }

    public void lastSite(String name) {
        preferences.set(LAST_SITE, name);
    }

    private <E extends Enum<E>> E choice(E[] values, String key, E usual) {
        return preferences.get(key)
                .flatMap(v -> Arrays.stream(values).filter(e -> e.name().equals(v)).findFirst())
                .orElse(usual);
    }

    private static Optional<Integer> number(String text) {
        try {
            return Optional.of(Integer.valueOf(text));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
