package dev.pitwall.site;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How the machine API of the Talos nodes is reached. The file holds the client key; it is read when it is needed.
 *
 * @param talosconfig as {@code talosctl} reads it
 * @param context     empty means the current context
 */
public record TalosAccess(Path talosconfig, Optional<String> context) {
}
