package dev.pitwall.ui.icon;

import java.util.List;

/** Pitwall's own shapes, drawn in a 16 × 16 box: those that Feather does not have. */
public enum Shape {
    /** The three bars of a pit wall. */
    LOGO(true, "M1 0H6A1 1 0 0 1 7 1V2A1 1 0 0 1 6 3H1A1 1 0 0 1 0 2V1A1 1 0 0 1 1 0Z",
            "M1 5H11A1 1 0 0 1 12 6V8A1 1 0 0 1 11 9H1A1 1 0 0 1 0 8V6A1 1 0 0 1 1 5Z",
            "M1.2 11H14.8A1.2 1.2 0 0 1 16 12.2V14.8A1.2 1.2 0 0 1 14.8 16H1.2A1.2 1.2 0 0 1 0 14.8V12.2A1.2 1.2 0 0 1 "
                    + "1.2 11Z"),
    /** A question mark in a dashed circle: nobody could look. */
    QUESTION(false, "M13.6 5.0A6.6 6.6 0 0 1 14.6 8.0M14.1 10.6A6.6 6.6 0 0 1 11.9 13.3M9.6 14.4A6.6 6.6 0 0 1 6.2 14.4"
            + "M3.9 13.2A6.6 6.6 0 0 1 1.8 10.4M1.4 7.8A6.6 6.6 0 0 1 2.5 4.8M4.2 2.9A6.6 6.6 0 0 1 7.2 1.5M9.6 1.6"
            + "A6.6 6.6 0 0 1 12.3 3.1",
            "M6.1 6.1A2 2 0 0 1 9.9 6.8C9.9 8.1 8 8.3 8 9.4", "M8 11.4V11.5"),
    PIN(false, "M5.5 1.5H10.5M6.5 1.5V6L4.5 9H11.5L9.5 6V1.5M8 9V14.5"),
    EJECT(false, "M8 3L13.5 9.5H2.5ZM2.5 13H13.5");

    private final boolean filled;
    private final List<String> paths;

    Shape(boolean filled, String... paths) {
        this.filled = filled;
        this.paths = List.of(paths);
    }

    boolean filled() {
        return filled;
    }

    List<String> paths() {
        return paths;
    }
}
