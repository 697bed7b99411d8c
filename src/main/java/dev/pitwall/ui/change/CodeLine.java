package dev.pitwall.ui.change;

/**
 * One line of a file, a configuration or an output, as it is drawn.
 *
 * @param number its number; empty text where numbers mean nothing
 * @param sign   {@code +} or {@code −}; empty text for a line that stays
 * @param note   why the line is so, beside it; may be empty
 */
public record CodeLine(String number, String sign, String text, Look look, String note) {

    /** A line that needs no word. */
    public CodeLine(String number, String sign, String text, Look look) {
        this(number, sign, text, look, "");
    }

    /** What the line is to the reader. Each look comes with a sign or an edge, never as colour alone. */
    public enum Look { PLAIN, ADDED, REMOVED, GOOD, NOTED, SYMPTOM, DECIDES }

    public static CodeLine plain(String text) {
        return new CodeLine("", "", text, Look.PLAIN);
    }

    /** True if the reader came for this line. */
    boolean matters() {
        return look != Look.PLAIN;
    }
}
