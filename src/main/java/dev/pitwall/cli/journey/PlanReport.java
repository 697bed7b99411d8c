package dev.pitwall.cli.journey;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.ExitCode;
import dev.pitwall.cli.Output;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.CardPlan.Planned;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.change.Targets;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What {@code pitwall plan} prints: the steps of a card, why each stands where it stands, and what it would change. */
final class PlanReport {
    private final CardPlan plan;
    private final List<RunRecord> unfinished;

    /** @param unfinished runs on the card's host that have not ended */
    PlanReport(CardPlan plan, List<RunRecord> unfinished) {
        this.plan = plan;
        this.unfinished = List.copyOf(unfinished);
    }

    /** What a look shows now. */
    static PlanReport of(OnCard.Aimed aimed, Choices choices, Output output) throws TroubleException, InterruptedException {
        CardPlan plan = aimed.journey().look(aimed.card(), choices, aimed.last(), new Progress(output));
        return new PlanReport(upTo(plan, aimed.last()), aimed.unfinished());
    }

    CardPlan plan() {
        return plan;
    }

    void print(Output output, boolean asJson) {
        if (asJson) {
            output.json(json());
        } else {
            output.text(text());
        }
    }

    /** The plan up to a step, and with it. */
    static CardPlan upTo(CardPlan plan, String last) {
        int end = plan.steps().stream().map(Planned::id).toList().indexOf(last) + 1;
        return new CardPlan(plan.card(), plan.choices(), plan.at(), plan.steps().subList(0, end));
    }

    /** 1 if a step is not to be passed, else 0. */
    int exitCode() {
        return plan.steps().stream().map(s -> s.answer().state())
                .anyMatch(s -> s == Answer.State.BLOCKED || s == Answer.State.UNKNOWN) ? ExitCode.FOUND : ExitCode.FINE;
    }

    ObjectNode json() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("card", plan.card().id()).put("name", plan.card().name()).put("host", plan.card().host());
        root.put("at", plan.at().toString()).put("risk", plan.risk().wireName());
        ArrayNode open = root.putArray("unfinished");
        unfinished.forEach(r -> open.addObject().put("run", r.number()).put("title", r.title()));
        ArrayNode steps = root.putArray("steps");
        plan.steps().forEach(step -> steps.add(json(step)));
        return root;
    }

    private static ObjectNode json(Planned step) {
        Answer answer = step.answer();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("step", step.id()).put("title", step.text().title()).put("floor", step.floor().wireName());
        node.put("state", answer.state().wireName()).put("why", answer.why());
        ArrayNode changes = node.putArray("changes");
        answer.changes().forEach(c -> changes.add(new ChangeWords(c).json()));
        ArrayNode foreseen = node.putArray("foreseen");
        answer.foreseen().forEach(c -> foreseen.add(new ChangeWords(c).json()));
        ArrayNode found = node.putArray("found");
        answer.found().forEach(f -> found.add(json(f)));
        ArrayNode notes = node.putArray("notes");
        answer.notes().forEach(notes::add);
        ArrayNode questions = node.putArray("questions");
        answer.questions().forEach(q -> questions.add(json(q)));
        return node;
    }

    private static ObjectNode json(Found found) {
        return JsonNodeFactory.instance.objectNode().put("name", found.name()).put("value", found.value())
                .put("mark", found.mark().name().toLowerCase(Locale.ROOT))
                .put("source", found.source().system() + ": " + found.source().detail()).put("at", found.at().toString());
    }

    private static ObjectNode json(Answer.Question question) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("key", question.key()).put("text", question.text())
                .put("chosen", question.chosen());
        ArrayNode options = node.putArray("options");
        question.options().forEach(o -> options.addObject().put("value", o.value()).put("label", o.label())
                .put("note", o.note()));
        return node;
    }

    String text() {
        StringBuilder out = new StringBuilder();
        out.append(plan.card().name()).append("   ").append(plan.card().id()).append('\n');
        plan.steps().forEach(step -> append(out, step));
        out.append('\n').append(sum()).append('\n');
        unfinished.forEach(r -> out.append("Run ").append(r.number()).append(" (").append(r.title()).append(") on ")
                .append(r.host()).append(" has not ended. Where it has died, the command that began it goes on with it, or \"undo --run ")
                .append(r.number()).append("\" takes it back; nothing else is made there before.\n"));
        return out.toString();
    }

    private String sum() {
        int now = Targets.once(plan.changes(), Function.identity()).size();
        int later = Targets.once(plan.steps().stream().flatMap(s -> s.answer().foreseen().stream()).toList(),
                Function.identity()).size();
        if (now + later == 0) {
            return "Nothing would be changed.";
        }
        Risk risk = Risk.worst(plan.intended());
        return count(now) + (later == 0 ? "" : " now, " + count(later) + " once that is done")
                + (risk == Risk.NONE ? ", nothing is interrupted." : ", highest risk: " + risk.wireName() + ".")
                + (later == 0 ? "" : "\n\"apply\" makes both, and stops before anything that is not shown here.");
    }

    private static String count(int changes) {
        return changes == 1 ? "1 change" : changes + " changes";
    }

    private static void append(StringBuilder out, Planned step) {
        Answer answer = step.answer();
        out.append("\n%-12s %-15s %s: %s%n".formatted(step.id(), answer.state().wireName(), step.text().title(), answer.why()));
        answer.changes().forEach(c -> out.append(new ChangeWords(c).text("    ")));
        if (!answer.foreseen().isEmpty()) {
            out.append("    once that is done:\n");
            answer.foreseen().forEach(c -> out.append(new ChangeWords(c).text("      ")));
        }
        answer.notes().forEach(n -> out.append("    note: ").append(n).append('\n'));
        answer.questions().forEach(q -> out.append("    --set ").append(q.key()).append("=").append(q.options().stream()
                .map(Answer.Option::value).collect(Collectors.joining("|"))).append("   ").append(q.text())
                .append(q.chosen().isEmpty() ? "" : " (now: " + q.chosen() + ")").append('\n'));
    }
}
