package dev.pitwall.ui.shell;

import dev.pitwall.ui.theme.ThemeChoice;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Properties;
import javafx.geometry.Rectangle2D;
import org.slf4j.LoggerFactory;

/**
 * What the window must know before anything else is loaded: its size and its look. A small file of its own, since the
 * store is opened after the first frame.
 *
 * @param width  in pixels
 * @param height in pixels
 */
public record WindowMemory(double width, double height, boolean maximized, ThemeChoice theme) {

    public static final WindowMemory USUAL = new WindowMemory(1440, 900, false, ThemeChoice.SYSTEM);

    /** The smallest window in which every screen works. */
    public static final double SMALLEST_WIDTH = 1000;
    public static final double SMALLEST_HEIGHT = 700;

    /** Reads the file; what is missing or unreadable is as usual. */
    public static WindowMemory read(Path file) {
        Properties kept = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            kept.load(in);
        } catch (IOException | IllegalArgumentException _) {
            return USUAL;
        }
        ThemeChoice theme = Arrays.stream(ThemeChoice.values())
                .filter(t -> t.name().equals(kept.getProperty("theme"))).findFirst().orElse(USUAL.theme());
        return new WindowMemory(number(kept, "width", USUAL.width(), SMALLEST_WIDTH),
                number(kept, "height", USUAL.height(), SMALLEST_HEIGHT),
                Boolean.parseBoolean(kept.getProperty("maximized")), theme);
    }

    /** The same on a screen that may be smaller. */
    public WindowMemory within(Rectangle2D screen) {
        return new WindowMemory(Math.min(width, screen.getWidth()), Math.min(height, screen.getHeight()), maximized, theme);
    }

    /** Writes the file; that it cannot be written costs only the memory. */
    public void write(Path file) {
        Properties kept = new Properties();
        kept.setProperty("width", Long.toString(Math.round(width)));
        kept.setProperty("height", Long.toString(Math.round(height)));
        kept.setProperty("maximized", Boolean.toString(maximized));
        kept.setProperty("theme", theme.name());
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            try (Writer out = Files.newBufferedWriter(file)) {
                kept.store(out, null);
            }
        } catch (IOException e) {
            LoggerFactory.getLogger(WindowMemory.class).warn("{} cannot be written: {}", file, e.toString());
        }
    }

    private static double number(Properties kept, String key, double usual, double smallest) {
        try {
            return Math.max(smallest, Double.parseDouble(kept.getProperty(key, Double.toString(usual))));
        } catch (NumberFormatException _) {
            return usual;
        }
    }
}
