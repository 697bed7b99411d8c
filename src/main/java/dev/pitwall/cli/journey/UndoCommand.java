package dev.pitwall.cli.journey;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.ExitCode;
import dev.pitwall.cli.Output;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.UndoPlan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.Map;
import java.util.concurrent.Callable;

/** {@code pitwall undo}: brings back what was there before a run. */
@Command(name = "undo", mixinStandardHelpOptions = true,
        description = "Takes a run back: what was there before is there again.",
        footer = {"", "Exit codes: 0 undone; 1 refused, stopped or failed; 2 bad use; 3 a system was not reached."})
public final class UndoCommand implements Callable<Integer> {
    private final Journeys journeys;
    private final Output output;

    @Mixin
    private SiteOptions site;

    @Option(names = "--run", required = true, paramLabel = "RUN",
            description = "Number of the run, as \"pitwall journal\" shows it.")
    private long run;

    @Option(names = "--yes", description = "Really do it; without it only what would be done is shown.")
    private boolean yes;

    public UndoCommand(Journeys journeys, Output output) {
        this.journeys = journeys;
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (Journey journey = journeys.open(journeys.site(site.site() == null ? "" : site.site()), Map::of)) {
            return yes ? undo(journey) : onlyShow(journey);
        } catch (TroubleException e) {
            return output.trouble(e.trouble());
        }
    }

    private int onlyShow(Journey journey) throws TroubleException, InterruptedException {
        UndoPlan plan = journey.undoPlan(run, new Progress(output));
        if (site.json()) {
            output.json(json(plan));
        } else {
            output.text(text(plan));
        }
        return plan.refusal().isPresent() ? ExitCode.FOUND
                : output.badUse("--yes", "nothing was changed: this is done only with --yes");
    }

    private static ObjectNode json(UndoPlan plan) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("run", plan.run()).put("refusal", plan.refusal().orElse(null));
        ArrayNode changes = root.putArray("changes");
        plan.changes().forEach(c -> changes.add(new ChangeWords(c).json()));
        return root;
    }

    private static String text(UndoPlan plan) {
        if (plan.refusal().isPresent()) {
            return "Run " + plan.run() + " cannot be undone now: " + plan.refusal().get() + "\n";
        }
        StringBuilder out = new StringBuilder("Undo of run " + plan.run() + "\n");
        plan.changes().forEach(c -> out.append(new ChangeWords(c).textOfUndo("    ")));
        return out.append(plan.changes().isEmpty() ? "    everything is as it was before\n" : "").toString();
    }

    private int undo(Journey journey) throws TroubleException, InterruptedException {
        RunRecord undone = journey.undo(run, new Progress(output), new Stop());
        return new RunReport(undone, StepResult.ofRecord(undone)).print(output, site.json());
    }
}
