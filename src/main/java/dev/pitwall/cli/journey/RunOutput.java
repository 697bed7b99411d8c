package dev.pitwall.cli.journey;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.cli.Output;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.Change;

import java.util.List;

/** Plans and runs in the words of {@code plan} and {@code apply}, for other commands that make some. */
public final class RunOutput {
    private final Output output;

    public RunOutput(Output output) {
        this.output = output;
    }

    /** Tells on standard error what is read and done. */
    public Watcher progress() {
        return new Progress(output);
    }

    /** A plan as {@code pitwall plan} prints it. */
    public String text(CardPlan plan) {
        return new PlanReport(plan, List.of()).text();
    }

    /** A plan as {@code pitwall plan --json} prints it. */
    public ObjectNode json(CardPlan plan) {
        return new PlanReport(plan, List.of()).json();
    }

    /** A change with its fields {@code kind}, {@code target}, {@code summary}, {@code before}, {@code after}, {@code risk}, {@code undo}. */
    public static ObjectNode change(Change change) {
        return new ChangeWords(change).json();
    }

    /** @return the exit code */
    public int print(RunRecord run, boolean asJson) {
        return new RunReport(run, StepResult.ofRecord(run)).print(output, asJson);
    }
}
