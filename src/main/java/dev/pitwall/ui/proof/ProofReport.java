package dev.pitwall.ui.proof;

import dev.pitwall.ui.change.CodeLine;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.stream.Collectors;

/** The page of a proof as Markdown, which is read as plain text as well. Pure. */
final class ProofReport {

    private final Texts texts;

    ProofReport(Texts texts) {
        this.texts = texts;
    }

    String of(ProofCard card, ProofPage page) {
        StringBuilder out = new StringBuilder();
        out.append("# ").append(texts.get("proof.report.title", card.subject().name(), card.subject().host(),
                card.subject().slot())).append("\n\n");
        page.head().ifPresent(head -> out.append("**").append(head.title()).append("**")
                .append(head.took().isEmpty() ? "" : " · " + head.took() + " " + head.tookNote())
                .append(" · ").append(head.when()).append("\n\n").append(head.text()).append("\n\n"));
        proved(out, page.proved());
        out.append("## ").append(texts.get("proof.roll")).append(" · ").append(page.tally()).append("\n\n");
        row(out, texts.get("proof.report.card"), texts.get("proof.report.node"), texts.get("proof.report.result"),
                texts.get("proof.report.took"), texts.get("proof.report.at"));
        row(out, "---", "---", "---", "---", "---");
        page.roll().forEach(line -> row(out, line.host() + " " + line.name(), line.node(),
                line.word() + (line.note().isEmpty() ? "" : ": " + line.note()), line.took(),
                line.at().map(ProofWords::day).orElse("")));
        page.log().ifPresent(log -> out.append("\n## ").append(log.title()).append("\n\n```\n")
                .append(log.lines().stream().map(CodeLine::text).collect(Collectors.joining("\n"))).append("\n```\n"));
        return out.toString();
    }

    private void proved(StringBuilder out, List<ProofPage.Proved> lines) {
        if (lines.isEmpty()) {
            return;
        }
        out.append("## ").append(texts.get("proof.shows")).append("\n\n");
        row(out, texts.get("proof.report.floor"), texts.get("proof.report.shown"), texts.get("proof.report.detail"));
        row(out, "---", "---", "---");
        lines.forEach(line -> row(out, line.floor(), line.text(), line.detail()));
        out.append('\n');
    }

    private static void row(StringBuilder out, String... cells) {
        for (String cell : cells) {
            out.append("| ").append(cell.replace("|", "\\|").replace("\n", "; ")).append(' ');
        }
        out.append("|\n");
    }
}
