package dev.pitwall.cli.journey;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Spans;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@code pitwall journal} prints. */
final class JournalReport {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

    private final String site;
    private final List<RunRecord> runs;

    /** @param runs newest first */
    JournalReport(String site, List<RunRecord> runs) {
        this.site = site;
        this.runs = runs;
    }

    ObjectNode json() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("site", site);
        ArrayNode array = root.putArray("runs");
        runs.forEach(r -> array.add(RunWords.json(r).put("changes", r.changes().size())));
        return root;
    }

    /** One run, with its changes whole. */
    static ObjectNode json(RunRecord run) {
        ObjectNode root = RunWords.json(run);
        ArrayNode steps = root.putArray("steps");
        for (StepResult step : StepResult.ofRecord(run)) {
            ObjectNode node = steps.addObject().put("step", step.step()).put("result", step.result().wireName());
            ArrayNode changes = node.putArray("changes");
            step.changes().forEach(c -> changes.add(new ChangeWords(c.change()).json()
                    .put("result", StepResult.wireName(c.state(), run)).put("message", c.message().orElse(null))));
        }
        return root;
    }

    String text() {
        return runs.isEmpty() ? "No run yet on " + site + ".\n"
                : runs.stream().map(JournalReport::line).collect(Collectors.joining());
    }

    private static String line(RunRecord run) {
        String what = Stream.of(run.host(), run.card().map(RunRecord.CardRef::name).orElse(""), changes(run),
                run.note().orElse("")).filter(s -> !s.isEmpty()).collect(Collectors.joining(" · "));
        return "%5d  %-12s %s  %-10s %s%n       %s%n".formatted(run.number(), RunWords.state(run),
                TIME.format(run.started()),
                run.took().map(Spans::words).orElse(""), run.title(), what);
    }

    private static String changes(RunRecord run) {
        return switch (run.changes().size()) {
            case 0 -> "";
            case 1 -> "1 change";
            default -> run.changes().size() + " changes";
        };
    }

    static String text(RunRecord run) {
        StringBuilder out = new StringBuilder(line(run));
        out.append("       by ").append(run.byWhom()).append('\n');
        for (ChangeRecord change : run.changes()) {
            out.append("\n%-11s %s%n".formatted(StepResult.wireName(change.state(), run), change.step()));
            out.append(new ChangeWords(change.change()).textOfUndo("    "));
            change.message().ifPresent(m -> m.lines().forEach(line -> out.append("    ").append(line).append('\n')));
        }
        return out.toString();
    }
}
