package dev.pitwall.doctor.report;

import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.journey.Spans;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** A diagnosis as Markdown, to be posted where others can help; secrets and names are masked. */
public final class MarkdownReport {

    private static final Pattern SECRET = Pattern.compile("(?i)name: .*(?:token|passw|secret|key|credential)");
    private static final Pattern VALUE = Pattern.compile("^(\\s*value: ).*");

    private MarkdownReport() {
    }

    /** The report, with a heading of its own. */
    public static String of(Diagnosis diagnosis) {
        UnaryOperator<String> masked = Masking.of(diagnosis)::masked;
        StringBuilder text = new StringBuilder("# What keeps the card from being used\n\n");
        if (diagnosis.findings().isEmpty()) {
            text.append("No known cause was found.\n\n");
        }
        diagnosis.findings().forEach(finding -> finding(text, finding, masked));
        if (!diagnosis.waiting().isEmpty()) {
            text.append("## Only has to be waited for\n\n");
            diagnosis.waiting().forEach(wait -> text.append("- ").append(masked.apply(wait.finding().summary()))
                    .append(" Normal: up to ").append(Spans.words(wait.normal())).append(".\n"));
            text.append('\n');
        }
        list(text, "Looks alarming and means nothing", diagnosis.harmless().stream().map(Finding::summary).toList(), masked);
        list(text, "Could be better", diagnosis.advice().stream().map(Finding::summary).toList(), masked);
        list(text, "To be looked at next", diagnosis.next(), masked);
        list(text, "Could not be looked at", diagnosis.unseen(), masked);
        Diagnosis.Looked looked = diagnosis.looked();
        text.append("Looked at: ").append(looked.documents()).append(" documents, ").append(looked.lines())
                .append(" lines, ").append(looked.objects()).append(" objects; ").append(looked.causes())
                .append(" causes compared by Pitwall.\n");
        return text.toString();
    }

    private static void finding(StringBuilder text, Finding finding, UnaryOperator<String> masked) {
        text.append("## ").append(finding.trap().title()).append(" (`").append(finding.trap().name()).append("`, ")
                .append(finding.trap().floor().wireName()).append(", confidence ").append(finding.confidence()).append(")\n\n")
                .append(masked.apply(finding.summary())).append("\n\n");
        Set<Excerpt> shown = new HashSet<>();
        finding.evidence().forEach(proof -> {
            proof.line().ifPresentOrElse(line -> cited(text, line, masked),
                    () -> text.append(masked.apply(proof.says())).append(proof.says().isEmpty() ? "" : "\n\n"));
            proof.beside().stream().filter(shown::add).forEach(side -> side(text, side, masked));
        });
        list(text, "Ruled out", finding.ruledOut().stream().map(r -> "`" + r.trap() + "`: " + r.because()).toList(), masked);
        text.append("**Fix:** ").append(masked.apply(finding.trap().fix().summary())).append("\n\n");
        for (String step : finding.trap().fix().steps()) {
            text.append("1. ").append(step).append('\n');
        }
        text.append('\n');
    }

    private static void cited(StringBuilder text, Cited line, UnaryOperator<String> masked) {
        text.append('`').append(masked.apply(line.from())).append('`');
        if (line.number() > 0) {
            text.append(" line ").append(line.number());
        }
        text.append("\n\n```\n");
        line.before().forEach(before -> text.append("  ").append(masked.apply(before)).append('\n'));
        text.append("> ").append(masked.apply(line.text())).append('\n');
        line.after().forEach(after -> text.append("  ").append(masked.apply(after)).append('\n'));
        text.append("```\n\n");
    }

    /** One of the things that were compared. */
    private static void side(StringBuilder text, Excerpt side, UnaryOperator<String> masked) {
        text.append('`').append(masked.apply(side.from())).append("`\n\n```\n");
        String before = "";
        for (Excerpt.Line line : side.lines()) {
            // A variable has its name on one line and its value on the next.
            String shown = SECRET.matcher(before).find() ? VALUE.matcher(line.text()).replaceFirst("$1(masked)") : line.text();
            text.append(line.counts() ? "> " : "  ").append(line.number() > 0 ? line.number() + "  " : "")
                    .append(masked.apply(shown)).append('\n');
            before = line.text();
        }
        text.append("```\n\n");
    }

    private static void list(StringBuilder text, String title, List<String> items, UnaryOperator<String> masked) {
        if (!items.isEmpty()) {
            text.append("**").append(title).append("**\n\n");
            items.forEach(item -> text.append("- ").append(masked.apply(item)).append('\n'));
            text.append('\n');
        }
    }
}
