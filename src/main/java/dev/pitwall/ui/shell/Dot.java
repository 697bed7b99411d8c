package dev.pitwall.ui.shell;

/**
 * How one or several sources are doing, as the title bar shows it: a dot with the age of the data, or a triangle with
 * words.
 *
 * @param label for example {@code Cluster} or {@code pve4 no answer}
 * @param age   of the data while it is live, of the trouble while it fails; empty before the first answer
 */
public record Dot(State state, String label, String age) {

    public enum State { LIVE, STALE, READING, FAILING }
}
