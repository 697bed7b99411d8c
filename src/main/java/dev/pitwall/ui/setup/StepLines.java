package dev.pitwall.ui.setup;

import dev.pitwall.card.Source;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Found;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The list of steps at the left. Pure: the same plan gives the same lines. */
final class StepLines {

    private final Texts texts;

    StepLines(Texts texts) {
        this.texts = texts;
    }

    /**
     * @param chosen  id of the step that shows
     * @param running id of the step that is being made; empty text for none
     */
    List<StepGroup> of(CardPlan plan, CardEntry card, String chosen, String running) {
        List<StepGroup> groups = new ArrayList<>();
        boolean passed = true;
        for (CardPlan.Planned step : plan.steps()) {
            Answer.State state = step.answer().state();
            StepLine line = line(step, passed, step.id().equals(chosen), step.id().equals(running));
            passed &= settled(state);
            String system = step.text().system();
            String title = title(system, plan, card);
            if (groups.isEmpty() || !groups.getLast().title().equals(title)) {
                groups.add(new StepGroup(icon(system), title, List.of(line)));
            } else {
                List<StepLine> more = new ArrayList<>(groups.removeLast().steps());
                more.add(line);
                groups.add(new StepGroup(icon(system), title, more));
            }
        }
        return List.copyOf(groups);
    }

    /** True if nothing is to be done for it any more. */
    static boolean settled(Answer.State state) {
        return switch (state) {
            case DONE, NOT_APPLICABLE, SKIPPED -> true;
            case READY, WAITING, BLOCKED, UNKNOWN -> false;
        };
    }

    private StepLine line(CardPlan.Planned step, boolean first, boolean chosen, boolean running) {
        Answer.State state = step.answer().state();
        Mark mark = running ? Mark.RING : mark(state);
        Tone tone = running ? Tone.ACT : tone(state, first);
        String why = running ? texts.get("setup.step.running") : step.answer().why();
        String spoken = texts.get("setup.step.spoken", step.text().title(), texts.get("setup.state." + state.wireName()),
                why);
        return new StepLine(step.id(), step.text().title(), why, mark, tone, chosen, spoken);
    }

    static Mark mark(Answer.State state) {
        return switch (state) {
            case DONE -> Mark.OK;
            case READY -> Mark.CIRCLE;
            case WAITING -> Mark.CLOCK;
            case BLOCKED -> Mark.LOCK;
            case NOT_APPLICABLE -> Mark.MINUS;
            case UNKNOWN -> Mark.QUESTION;
            case SKIPPED -> Mark.SKIP;
        };
    }

    /** Only the lowest step that blocks has the colour of a block: the others are its consequences. */
    private static Tone tone(Answer.State state, boolean first) {
        return switch (state) {
            case DONE -> Tone.OK;
            case READY -> Tone.ACT;
            case BLOCKED -> first ? Tone.BLOCKED : Tone.GREY;
            case WAITING, NOT_APPLICABLE, UNKNOWN, SKIPPED -> Tone.GREY;
        };
    }

    private String title(String system, CardPlan plan, CardEntry card) {
        return switch (system) {
            case "host" -> texts.get("setup.system.host", plan.card().host());
            case "vm" -> vm(plan, card).isPresent() ? texts.get("setup.system.vm", vm(plan, card).getAsInt())
                    : texts.get("setup.system.vm.none");
            case "node" -> node(plan, card).map(name -> texts.get("setup.system.node", name))
                    .orElseGet(() -> texts.get("setup.system.node.none"));
            case "cluster" -> cluster(plan).map(name -> texts.get("setup.system.cluster", name))
                    .orElseGet(() -> texts.get("setup.system.cluster.none"));
            case "proof" -> texts.get("setup.system.proof");
            default -> system;
        };
    }

    /** The VM that is to have the card, else the one that has it. */
    private static OptionalInt vm(CardPlan plan, CardEntry card) {
        return plan.choices().number("vm").isPresent() ? plan.choices().number("vm") : card.vm();
    }

    /** The node that has the card, unless another VM is to have it. */
    private static Optional<String> node(CardPlan plan, CardEntry card) {
        return vm(plan, card).equals(card.vm()) ? card.node() : Optional.empty();
    }

    /** As the steps name it that have read something of it. */
    private static Optional<String> cluster(CardPlan plan) {
        return plan.steps().stream().flatMap(s -> s.answer().found().stream()).map(Found::source)
                .filter(s -> s.kind() == Source.Kind.CLUSTER).map(Source::system).findFirst();
    }

    private static String icon(String system) {
        return switch (system) {
            case "host" -> "fth-server";
            case "vm" -> "fth-monitor";
            case "node" -> "fth-hard-drive";
            case "proof" -> "fth-award";
            default -> "fth-box";
        };
    }
}
