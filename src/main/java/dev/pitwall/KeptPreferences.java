package dev.pitwall;

import dev.pitwall.card.TroubleException;
import dev.pitwall.settings.KeptSettings;
import dev.pitwall.settings.Settings;
import dev.pitwall.ui.settings.Preferences;
import dev.pitwall.ui.settings.UserSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The window's preferences, kept in the settings of the store. */
final class KeptPreferences implements Preferences {
    private static final Logger LOG = LoggerFactory.getLogger(KeptPreferences.class);

    private final KeptSettings kept;
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private Settings settings;

    KeptPreferences(KeptSettings kept) throws TroubleException {
        this.kept = kept;
        this.settings = kept.load();
    }

    @Override
    public synchronized Optional<String> get(String key) {
        return switch (key) {
            case UserSettings.THEME -> Optional.of(settings.theme().name());
            case UserSettings.DENSITY -> Optional.of(settings.density().name());
            case UserSettings.REFRESH -> Optional.of(String.valueOf(settings.refreshSeconds()));
            case UserSettings.LAST_SITE -> settings.openSites().stream().findFirst();
            default -> Optional.empty();
        };
    }

    @Override
    public void set(String key, String value) {
        synchronized (this) {
            settings = switch (key) {
                case UserSettings.THEME -> settings.withTheme(Settings.Theme.valueOf(value));
                case UserSettings.DENSITY -> settings.withDensity(Settings.Density.valueOf(value));
                case UserSettings.REFRESH -> settings.withRefreshSeconds(Integer.parseInt(value));
                case UserSettings.LAST_SITE -> settings.withOpenSites(List.of(value));
                default -> settings;
            };
            keep(settings);
        }
        listeners.forEach(l -> l.accept(key));
    }

    private void keep(Settings changed) {
        Thread.ofVirtual().name("keep settings").start(() -> {
            try {
                kept.keep(changed);
            } catch (TroubleException e) {
                LOG.warn("{}", e.trouble().sentence());
            }
        });
    }

    @Override
    public Runnable observe(Consumer<String> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
