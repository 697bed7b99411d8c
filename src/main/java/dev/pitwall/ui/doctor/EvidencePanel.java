package dev.pitwall.ui.doctor;

import dev.pitwall.ui.change.CodeLine;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What one document shows: its lines that count, in their context.
 *
 * @param name  the document: a file, or the command or call that printed it; empty text for what a comparison gave
 * @param lines in the order of the document
 */
record EvidencePanel(String name, List<CodeLine> lines) {

    EvidencePanel {
        lines = List.copyOf(lines);
    }

    /** The same to be pasted elsewhere. */
    String text() {
        return (name.isEmpty() ? "" : name + "\n") + lines.stream().map(EvidencePanel::line).collect(Collectors.joining("\n"));
    }

    private static String line(CodeLine line) {
        String marked = line.look() == CodeLine.Look.PLAIN ? "  " : "> ";
        return marked + (line.number().isEmpty() ? "" : line.number() + "  ") + line.text();
    }
}
