package dev.pitwall.cli.journey;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.cli.ExitCode;
import dev.pitwall.cli.Output;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Spans;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What {@code pitwall apply} and {@code pitwall undo} print, and {@code pitwall journal} of one run. */
final class RunReport {
    private final RunRecord run;
    private final List<StepResult> steps;

    RunReport(RunRecord run, List<StepResult> steps) {
        this.run = run;
        this.steps = steps;
    }

    /** @return the exit code */
    int print(Output output, boolean asJson) {
        if (asJson) {
            output.json(json());
        } else {
            output.text(text());
        }
        return exitCode();
    }

    int exitCode() {
        return switch (run.state()) {
            case DONE, ALREADY_SO, SKIPPED, UNDONE -> ExitCode.FINE;
            case RUNNING, STOPPED, FAILED -> ExitCode.FOUND;
        };
    }

    ObjectNode json() {
        ObjectNode root = RunWords.json(run);
        ArrayNode array = root.putArray("steps");
        for (StepResult step : steps) {
            ObjectNode node = array.addObject().put("step", step.step()).put("result", step.result().wireName())
                    .put("why", step.why());
            ArrayNode changes = node.putArray("changes");
            step.changes().forEach(c -> changes.add(json(c)));
        }
        return root;
    }

    private ObjectNode json(ChangeRecord change) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("kind", change.change().kind().wireName()).put("system", change.change().system())
                .put("target", change.change().target());
        node.put("result", StepResult.wireName(change.state(), run)).put("message", change.message().orElse(null));
        node.put("started", change.started().map(Object::toString).orElse(null));
        node.put("ended", change.ended().map(Object::toString).orElse(null));
        return node;
    }

    String text() {
        StringBuilder out = new StringBuilder("Run ").append(run.number()).append(", ").append(RunWords.state(run))
                .append(": ").append(run.title()).append('\n');
        run.note().ifPresent(note -> out.append(note).append('\n'));
        for (StepResult step : steps) {
            out.append("\n%-12s %-11s %s%n".formatted(step.step(), step.result().wireName(), step.why()));
            step.changes().forEach(c -> append(out, c));
        }
        return out.toString();
    }

    private void append(StringBuilder out, ChangeRecord change) {
        String took = change.started().flatMap(start -> change.ended().map(end ->
                "  " + Spans.words(Duration.between(start, end)))).orElse("");
        out.append("    %-10s %s %s%s%n".formatted(StepResult.wireName(change.state(), run),
                change.change().kind().name().toLowerCase(Locale.ROOT), change.change().target(), took));
        change.message().ifPresent(m -> m.lines().forEach(line -> out.append("               ").append(line).append('\n')));
    }
}
