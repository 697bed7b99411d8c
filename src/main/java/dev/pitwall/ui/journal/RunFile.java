package dev.pitwall.ui.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Runs as a file for others: one line a change as CSV, or the runs with their changes as JSON. */
final class RunFile {

    private static final List<String> COLUMNS = List.of("run", "started", "ended", "state", "title", "host", "card", "by",
            "undoes", "note", "position", "step", "kind", "system", "target", "summary", "result", "message", "changeStarted",
            "changeEnded");

    private RunFile() {
    }

    /** With a header; a run that changed nothing is one line with its change's columns empty. Times are UTC, ISO 8601. */
    static String csv(List<RunRecord> runs) {
        StringBuilder csv = new StringBuilder(row(COLUMNS));
        for (RunRecord run : runs) {
            if (run.changes().isEmpty()) {
                csv.append(row(cells(run, List.of("", "", "", "", "", "", "", "", "", ""))));
            }
            run.changes().forEach(change -> csv.append(row(cells(run, cells(change)))));
        }
        return csv.toString();
    }

    private static List<String> cells(RunRecord run, List<String> change) {
        List<String> cells = new ArrayList<>(List.of(Long.toString(run.number()), run.started().toString(),
                run.ended().map(Instant::toString).orElse(""), wire(run), run.title(), run.host(),
                run.card().map(RunRecord.CardRef::id).orElse(""), run.byWhom(),
                run.undoes().map(n -> Long.toString(n)).orElse(""), run.note().orElse("")));
        cells.addAll(change);
        return cells;
    }

    private static List<String> cells(ChangeRecord c) {
        return List.of(Integer.toString(c.position()), c.step(), c.change().kind().wireName(), c.change().system(),
                c.change().target(), c.change().summary(), c.state().wireName(), c.message().orElse(""),
                c.started().map(Instant::toString).orElse(""), c.ended().map(Instant::toString).orElse(""));
    }

    private static String row(List<String> cells) {
        return cells.stream().map(RunFile::cell).collect(Collectors.joining(",", "", "\r\n"));
    }

    /** As RFC 4180 wants it. A leading sign gets a quote, or a spreadsheet would take the text for a formula. */
    private static String cell(String text) {
        String safe = text.matches("(?s)[=+\\-@\t\r].*") ? "'" + text : text;
        return safe.matches("(?s).*[\",\r\n].*") ? "\"" + safe.replace("\"", "\"\"") + "\"" : safe;
    }

    static String json(List<RunRecord> runs) {
        JsonMapper mapper = JsonMapper.builder().build();
        ArrayNode all = mapper.createArrayNode();
        for (RunRecord run : runs) {
            ObjectNode node = all.addObject().put("run", run.number()).put("started", run.started().toString())
                    .put("ended", run.ended().map(Instant::toString).orElse(null)).put("state", wire(run))
                    .put("title", run.title()).put("host", run.host())
                    .put("card", run.card().map(RunRecord.CardRef::id).orElse(null)).put("by", run.byWhom())
                    .put("undoes", run.undoes().orElse(null)).put("note", run.note().orElse(null));
            ArrayNode changes = node.putArray("changes");
            run.changes().forEach(c -> change(changes.addObject(), c));
        }
        try {
            return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree always has a text", e);
        }
    }

    private static void change(ObjectNode node, ChangeRecord c) {
        node.put("position", c.position()).put("step", c.step()).put("kind", c.change().kind().wireName())
                .put("system", c.change().system()).put("target", c.change().target())
                .put("summary", c.change().summary()).put("result", c.state().wireName())
                .put("message", c.message().orElse(null)).put("started", c.started().map(Instant::toString).orElse(null))
                .put("ended", c.ended().map(Instant::toString).orElse(null));
    }

    private static String wire(RunRecord run) {
        return run.state().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
