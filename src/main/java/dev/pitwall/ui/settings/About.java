package dev.pitwall.ui.settings;

import java.nio.file.Path;

/**
 * Facts about this installation for the settings page.
 *
 * @param version of Pitwall
 * @param data    folder that holds sites, journal and settings
 * @param secrets where secrets are kept, in one line
 */
public record About(String version, Path data, String secrets) {
}
