package dev.pitwall.cli.journey;

import dev.pitwall.cli.OpenSites;
import dev.pitwall.cli.Output;
import dev.pitwall.journey.Export;
import dev.pitwall.journey.export.Exports;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** {@code pitwall plan}: what would be changed, exactly; changes nothing. */
@Command(name = "plan", mixinStandardHelpOptions = true,
        description = "Shows what would be changed for a card, exactly. Changes nothing.",
        footer = {"", "Exit codes: 0 it can be done or is done, 1 a step is blocked or cannot tell, 2 bad use, "
                + "3 a system was not reached."})
public final class PlanCommand implements Callable<Integer> {
    private final OnCard onCard;
    private final Journeys journeys;
    private final Output output;

    @Mixin
    private CardOptions card;

    @Option(names = "--export", paramLabel = "KIND", completionCandidates = Kinds.class,
            description = "Write the plan for another tool: ${COMPLETION-CANDIDATES}.")
    private String export;

    /** The forms that there are. */
    private static final class Kinds implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Exports.all().stream().map(Export::kind).iterator();
        }
    }

    public PlanCommand(OpenSites sites, Journeys journeys, Output output) {
        this.onCard = new OnCard(sites, journeys, output);
        this.journeys = journeys;
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        Optional<Export> form = journeys.exports().stream().filter(e -> e.kind().equals(export)).findFirst();
        if (export != null && form.isEmpty()) {
            return output.badUse("--export", "\"" + export + "\" is no form that plans can be written in; " + forms());
        }
        return onCard.call(card, aimed -> show(PlanReport.of(aimed, card.choices(), output), form));
    }

    private String forms() {
        List<Export> there = journeys.exports();
        return there.isEmpty() ? "there is none yet"
                : "there are: " + there.stream().map(Export::kind).collect(Collectors.joining(", "));
    }

    private int show(PlanReport report, Optional<Export> form) {
        if (form.isPresent()) {
            output.text(form.get().render(report.plan()));
        } else {
            report.print(output, card.json());
        }
        return report.exitCode();
    }
}
