package dev.pitwall.link.kube;

import java.nio.file.Path;

/** Paths as a person writes them: with a tilde for the home folder. */
final class HomePath {
    private HomePath() {
    }

    static String shorten(Path path) {
        Path home = home();
        Path whole = path.toAbsolutePath().normalize();
        return whole.startsWith(home) && !whole.equals(home) ? "~/" + home.relativize(whole) : whole.toString();
    }

    /** kubectl does not expand a tilde inside a kubeconfig; people write it anyway. */
    static Path expand(String path) {
        return path.startsWith("~/") ? home().resolve(path.substring(2)) : Path.of(path);
    }

    private static Path home() {
        return Path.of(System.getProperty("user.home")).toAbsolutePath().normalize();
    }
}
