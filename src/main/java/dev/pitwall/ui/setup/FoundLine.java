package dev.pitwall.ui.setup;

import dev.pitwall.ui.change.CodeLine;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import java.time.Instant;
import java.util.List;

/**
 * One row of "What we found".
 *
 * @param source the command or call that showed it
 * @param system the system that was asked
 * @param raw    what was printed, line by line; empty where there is nothing to show
 */
record FoundLine(String name, String value, Mark mark, Tone tone, String word, String source, String system, Instant at,
                 List<CodeLine> raw) {
    FoundLine {
        raw = List.copyOf(raw);
    }

    /** What is copied: the output, or the row where there is none. */
    String text() {
        return raw.isEmpty() ? name + ": " + value
                : String.join("\n", raw.stream().map(CodeLine::text).toList()) + "\n";
    }
}
