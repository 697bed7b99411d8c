package dev.pitwall.ui.theme;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import javafx.scene.text.Font;

/** The fonts that ship with Pitwall. They must be there before the first scene, or CSS falls back to the system's. */
public final class Fonts {

    private static final List<String> FILES = List.of("Inter-Regular.otf", "Inter-SemiBold.otf",
            "JetBrainsMono-Regular.ttf", "JetBrainsMono-SemiBold.ttf");

    private Fonts() {
    }

    public static void load() {
        FILES.forEach(Fonts::load);
    }

    private static void load(String file) {
        try (InputStream in = Fonts.class.getResourceAsStream("/fonts/" + file)) {
            if (in == null || Font.loadFont(in, 13) == null) {
                throw new IllegalStateException("font " + file + " is missing in the jar");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
