package dev.pitwall.settings;

import java.util.List;
import java.util.Optional;

/**
 * What the person has chosen, and how the window was left.
 *
 * @param refreshSeconds time between two reads of a source, {@link #FASTEST} to {@link #SLOWEST}
 * @param window         where the main window was last; empty before its first close
 * @param openSites      names of the sites that were open last, in the order of the site switcher
 */
public record Settings(Theme theme, Density density, int refreshSeconds, Optional<Window> window,
                       List<String> openSites) {

    /** Seconds. Faster would keep Proxmox's API workers busy with one client. */
    public static final int FASTEST = 2;

    /** Seconds. Slower, and a page full of old values would look alive. */
    public static final int SLOWEST = 60;

    public static final Settings DEFAULT =
            new Settings(Theme.SYSTEM, Density.COMFORTABLE, 5, Optional.empty(), List.of());

    public enum Theme { SYSTEM, LIGHT, DARK }

    public enum Density { COMFORTABLE, COMPACT }

    public enum WindowState { NORMAL, MAXIMIZED }

    /** In logical pixels of the virtual desktop; x and y may be negative on a second screen. */
    public record Window(double x, double y, double width, double height, WindowState state) {
        public Window {
            if (!(width > 0) || !(height > 0) || !Double.isFinite(x + y + width + height)) {
                throw new IllegalArgumentException("a window has a place and a size");
            }
        }
    }

    public Settings {
        openSites = List.copyOf(openSites);
        if (refreshSeconds < FASTEST || refreshSeconds > SLOWEST) {
            throw new IllegalArgumentException("refresh is " + FASTEST + " to " + SLOWEST + " seconds");
        }
    }

    public Settings withTheme(Theme newTheme) {
        return new Settings(newTheme, density, refreshSeconds, window, openSites);
    }

    public Settings withDensity(Density newDensity) {
        return new Settings(theme, newDensity, refreshSeconds, window, openSites);
    }

    /** @param seconds {@link #FASTEST} to {@link #SLOWEST} */
    public Settings withRefreshSeconds(int seconds) {
        return new Settings(theme, density, seconds, window, openSites);
    }

    public Settings withWindow(Window newWindow) {
        return new Settings(theme, density, refreshSeconds, Optional.of(newWindow), openSites);
    }

    public Settings withOpenSites(List<String> names) {
        return new Settings(theme, density, refreshSeconds, window, names);
    }
}
