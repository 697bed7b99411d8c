package dev.pitwall.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the table of {@code kubectl get pods}, with or without its head, {@code -A} and {@code -o wide}. */
public final class PodTableReader {

    private static final Pattern HEAD = Pattern.compile("\\s*(?:NAMESPACE\\s+)?NAME\\s+READY\\s+STATUS\\s+RESTARTS\\s+AGE.*");
    private static final Pattern ROW = Pattern.compile(
            "\\s*(?:([a-z0-9][a-z0-9-]*)\\s+)?([a-z0-9][a-z0-9.-]*)\\s+(\\d+/\\d+)\\s+(\\S+)\\s+(\\d+)(?:\\s+\\([^)]*\\))?\\s+"
                    + "(<invalid>|(?:\\d+[smhdy])+)(?:\\s+(\\S+)\\s+(\\S+).*)?\\s*");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        double share = text.share(t -> ROW.matcher(t).matches() || HEAD.matcher(t).matches());
        return share > 0 ? 0.3 + 0.65 * share : 0;
    }

    /** Reads as far as it goes; never throws. */
    public PodTable read(Text text) {
        Notes notes = new Notes();
        List<PodTable.Row> rows = new ArrayList<>();
        for (Text.Line line : text.filled(notes::add)) {
            Matcher m = ROW.matcher(line.text());
            if (line.open()) {
                notes.openEnd(line);
            } else if (m.matches()) {
                rows.add(new PodTable.Row(Optional.ofNullable(m.group(1)), m.group(2), m.group(3), m.group(4),
                        Numbers.whole(m.group(5)), Optional.of(m.group(6)),
                        Optional.ofNullable(m.group(8)).filter(n -> !n.equals("<none>"))));
            } else if (!HEAD.matcher(line.text()).matches()) {
                notes.line(line, "not a pod; skipped");
            }
        }
        return new PodTable(rows, notes.list());
    }
}
